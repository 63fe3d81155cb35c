import Foundation

extension MirrorMate {
    /// Whether somebody was signed in when the app was last open, so that it can go on at once.
    public var isSignedIn: Bool {
        get async throws { try await login.kept().tokens != nil }
    }

    /// Signs in. What was practised on this device without an account becomes the account's.
    ///
    /// - Throws: a ``Problem``; `second-factor-needed` has the `ticket` for ``SignIn/secondFactor(ticket:code:)``.
    @discardableResult
    public func signIn(_ how: SignIn) async throws -> User {
        let device = try await login.kept().device
        do {
            return try await signIn(how, device)
        } catch let problem as Problem where device != nil && problem.code.disownsDevice {
            return try await signIn(how, nil)
        }
    }

    private func signIn(_ how: SignIn, _ device: KnownDevice?) async throws -> User {
        if case .device = how { return try await comeIn(device) }
        let welcome: Welcome = try await server.answer(try how.call(device))
        // The device is the account's by now.
        try await login.keep(try TokenPair(welcome), nil)
        return welcome.user
    }

    private func comeIn(_ device: KnownDevice?) async throws -> User {
        // A new name for each try: one whose first answer was lost has a secret that nobody has.
        let id = device?.id ?? UUID().uuidString
        let body = Bodies.Device(
            deviceId: id, deviceSecret: device?.secret, timeZone: TimeZone.current.identifier, deviceName: nil)
        let welcome: Welcome = try await server.answer(.post("/v1/auth/device", body))
        let known = (welcome.deviceSecret ?? device?.secret).map { KnownDevice(id: id, secret: $0) }
        try await login.keep(try TokenPair(welcome), known)
        return welcome.user
    }

    /// Makes an account, of this device when it has been used without one: then all of it stays.
    ///
    /// - Returns: nil when the server wants the address confirmed by mail before anybody signs in.
    public func signUp(email: String, password: String, displayName: String? = nil) async throws -> User? {
        let body = Bodies.SignUp(
            email: email, password: password, displayName: displayName, timeZone: TimeZone.current.identifier,
            deviceName: nil)
        var token: String?
        if try await login.kept().device != nil {
            // It has to show that it is the one, in the last five minutes.
            try await signIn(.device)
            token = try await login.accessToken()
        }
        let answer = try await server.send(try .post("/v1/auth/sign-up", body), token: token)
        guard let welcome = try? Documents.decode(Welcome.self, from: answer) else { return nil }
        try await login.keep(try TokenPair(welcome), nil)
        return welcome.user
    }

    /// Ends the login session, here and at the server.
    ///
    /// - Throws: when the server could not be told; here it is over all the same.
    public func signOut() async throws {
        guard let tokens = try await login.kept().tokens else { return }
        try await login.forget(tokens.access)
        try await server.send(
            .post("/v1/auth/sign-out", Bodies.SignOut(refreshToken: tokens.refresh), isRepeatable: true))
    }

    /// A nonce for the sign-in of Google or Apple, which puts it into its identity token.
    public func nonce() async throws -> Nonce {
        try await server.answer(.act("POST", "/v1/auth/nonce"))
    }

    /// Who is signed in.
    public func me() async throws -> User {
        let me: Me = try await answer(.get("/v1/me"))
        return me.user
    }
}

extension SignIn {
    /// The request of a way that has an account.
    fileprivate func call(_ device: KnownDevice?) throws -> Call {
        switch self {
        case .device: preconditionFailure("A device has no account.")
        case .password(let email, let password):
            try .post(
                "/v1/auth/sign-in",
                Bodies.SignIn(
                    email: email, password: password, deviceName: nil, deviceId: device?.id,
                    deviceSecret: device?.secret))
        case .secondFactor(let ticket, let code):
            try .post(
                "/v1/auth/second-factor",
                Bodies.SecondFactorSignIn(
                    ticket: ticket, code: code, recoveryCode: nil, deviceName: nil, deviceId: device?.id,
                    deviceSecret: device?.secret))
        case .google(let token, let nonce):
            try .post("/v1/auth/google", Self.identity(token, nonce, nil, device))
        case .apple(let token, let nonce, let name):
            try .post("/v1/auth/apple", Self.identity(token, nonce, name, device))
        }
    }

    private static func identity(
        _ token: String, _ nonce: String?, _ name: String?, _ device: KnownDevice?
    ) -> Bodies.FederatedSignIn {
        Bodies.FederatedSignIn(
            identityToken: token, nonce: nonce, displayName: name, timeZone: TimeZone.current.identifier,
            deviceName: nil, deviceId: device?.id, deviceSecret: device?.secret)
    }
}
