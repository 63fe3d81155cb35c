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
    private let entry: PasswordEntry

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials, _ answers: LoginAnswers,
        _ entry: PasswordEntry
    ) {
        tokens = context.tokens
        self.credentials = credentials
        logins = LoginSessions(context.store, settings)
        self.answers = answers
        self.entry = entry
    }

    func signIn(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("email", "password", "deviceName")
        let email = try EmailAddress(body.string("email"))
        let deviceName = try DeviceName.of(request, body)
        let account = try await credentials.open(email, password: body.string("password"), request)
        return try await entry.enter(account, on: deviceName, request, status: 200)
    }

    func refresh(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("refreshToken")
        return try await answers.next(
            try await logins.turn(body.string("refreshToken"), request), request)
    }

    /// Ends a login session: the refresh token's, or the access token's when none is sent. What is over already is fine.
    func signOut(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("refreshToken")
        if let token = try body.optionalString("refreshToken") {
            try await logins.signOut(token, request)
        } else {
            try await logins.signOut(tokens.bearer(of: request), request)
        }
        return .noContent
    }
}
