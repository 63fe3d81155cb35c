import Runtime

/// As whom, and to which server, a command speaks as a client: `submit`, `sessions cancel`.
@Loop struct ClientSignIn {
    private let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    /// The server, signed in to: as the account of `--email`, else as the one that `submit` made and remembers. The password of an
    /// account that was made here, by `demo` too, is remembered.
    ///
    /// - Parameter makesAccount: whether an account is made where none is remembered, or the server does not know it.
    func server(_ state: StateFolder, makesAccount: Bool = true) async throws -> Server {
        let server = Server(url: try url(state), again: again)
        if let email = arguments[Flags.email] {
            let said = arguments[Flags.password] ?? Variables["MIRRORMATE_PASSWORD"]
            guard let password = try said ?? Self.remembered(email, state) else {
                throw Failure.usage("--email needs a password, best in MIRRORMATE_PASSWORD.")
            }
            try await Account(email: email, password: password).signIn(server, makesAccount: makesAccount)
            return server
        }
        let file = Self.files(state)[0]
        if !arguments[Flags.newUser], let account = try Account.load(file) {
            try await account.signIn(server, makesAccount: makesAccount)
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

    /// Where accounts are remembered: the one of `submit`, then the one of `demo`.
    private static func files(_ state: StateFolder) -> [String] {
        ["client", "user"].map { "\(state.path)/demo/\($0).json" }
    }

    private static func remembered(_ email: String, _ state: StateFolder) throws(Failure) -> String? {
        for file in files(state) {
            if let account = try Account.load(file), account.email == email { return account.password }
        }
        return nil
    }

    /// The options that a later command needs to speak as the same account to the same server.
    private var again: String {
        let options = [
            ("--email", arguments[Flags.email]), ("--url", arguments[Flags.url]), ("--state", arguments[Flags.state]),
        ]
        return options.compactMap { name, value in value.map { " \(name) \($0)" } }.joined()
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
