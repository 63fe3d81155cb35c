import Access
import Crypto
import HTTPServer
import JSON
import Runtime
import ServiceKit

/// Signing in and out, and what keeps somebody signed in.
@Loop struct SignInRoutes {
    private let tokens: TokenVerifier
    private let credentials: Credentials
    private let logins: LoginSessions
    private let answers: LoginAnswers

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials, _ answers: LoginAnswers
    ) {
        tokens = context.tokens
        self.credentials = credentials
        logins = LoginSessions(context.store, settings)
        self.answers = answers
    }

    func signIn(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("email", "password")
        let email = try EmailAddress(body.string("email"))
        let user = try await credentials.open(email, password: body.string("password"))
        return try await answers.begin(user, .user, request, status: 200)
    }

    func refresh(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("refreshToken")
        return try await answers.next(try await logins.turn(body.string("refreshToken")))
    }

    /// Ends a login session: the refresh token's, or the access token's when none is sent. What is over already is fine.
    func signOut(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("refreshToken")
        if let token = try body.optionalString("refreshToken") {
            try await logins.end(token)
        } else {
            try await logins.end(tokens.caller(of: request).session)
        }
        return .noContent
    }
}
