import Runtime

/// As whom, and to which server, a command speaks as a client: `submit`, `sessions cancel`.
@Loop struct ClientSignIn {
    private let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    /// The server, signed in to: as the account of `--email`, else as the one that `submit` made and remembers.
    ///
    /// - Parameter makesAccount: whether an account is made where none is remembered.
    func server(_ state: StateFolder, makesAccount: Bool = true) async throws -> Server {
        let server = Server(url: try url(state))
        if let email = arguments[Flags.email] {
            guard let password = arguments[Flags.password] ?? Variables["MIRRORMATE_PASSWORD"] else {
                throw Failure.usage("--email needs a password, best in MIRRORMATE_PASSWORD.")
            }
            try await Account(email: email, password: password).signIn(server)
            return server
        }
        let file = "\(state.path)/demo/client.json"
        if !arguments[Flags.newUser], let account = try Account.load(file) {
            try await account.signIn(server)
            return server
        }
        guard makesAccount else {
            throw Failure(
                .usage, "no-account", "No account is remembered here.",
                advice: "Name the one whose session it is: --email EMAIL, with its password in MIRRORMATE_PASSWORD.")
        }
        let account = Account.random()
        try await account.signUp(server)
        try account.save(to: file)
        return server
    }

    private func url(_ state: StateFolder) throws(Failure) -> String {
        if let url = arguments[Flags.url] ?? Variables["MIRRORMATE_URL"] { return url }
        for line in (try Files.readText("\(state.path)/env") ?? "").split(separator: "\n") {
            if line.hasPrefix("MIRRORMATE_URL=") { return String(line.dropFirst("MIRRORMATE_URL=".count)) }
        }
        throw Failure(
            .configuration, "no-server", "No server is known.",
            advice: "Start one with `mirrormate up`, or name one with --url or MIRRORMATE_URL.")
    }
}
