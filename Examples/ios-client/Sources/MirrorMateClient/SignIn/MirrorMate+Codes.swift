extension MirrorMate {
    /// Mails a code that confirms the address; accounts need that for their second session.
    public func mailCode() async throws {
        try await send(.post("/v1/auth/verify-email", Bodies.EmailVerification(token: nil)))
    }

    /// Confirms the address with the code of the mail.
    public func confirmAddress(code: String) async throws {
        try await send(.post("/v1/auth/verify-email", Bodies.EmailVerification(token: code)))
        // The access token says whether the address is confirmed, so the old one is of no more use.
        _ = try await login.accessToken(insteadOf: login.accessToken())
    }

    /// Mails a code for a new password, if the address has an account.
    public func forgotPassword(email: String) async throws {
        try await server.send(.post("/v1/auth/password-reset", Bodies.PasswordReset(email: email)))
    }

    /// Sets a new password with the code of the mail; then sign in with it.
    public func changePassword(code: String, to password: String) async throws {
        try await server.send(
            .post("/v1/auth/password", Bodies.PasswordChange(resetToken: code, newPassword: password)))
    }
}
