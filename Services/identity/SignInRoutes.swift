import Access
import Crypto
import HTTPServer
import JSON
import Mail
import Runtime
import ServiceKit

/// Signing in and out, and what keeps somebody signed in.
@Loop struct SignInRoutes {
    private let tokens: TokenVerifier
    private let security: SecurityLog
    private let credentials: Credentials
    private let logins: LoginSessions
    private let warnings: OwnerWarnings
    private let outbox: MailOutbox
    private let answers: LoginAnswers
    private let entry: AccountEntry
    private let handovers: DeviceHandovers

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials,
        _ warnings: OwnerWarnings, _ outbox: MailOutbox, _ answers: LoginAnswers, _ entry: AccountEntry
    ) {
        self.warnings = warnings
        self.outbox = outbox
        tokens = context.tokens
        security = context.security
        self.credentials = credentials
        logins = LoginSessions(context.store, settings)
        self.answers = answers
        self.entry = entry
        handovers = DeviceHandovers(context, settings)
    }

    func signIn(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow(["email", "password", "deviceName"] + DeviceHandovers.members)
        let email = try EmailAddress(body.string("email"))
        let deviceName = try DeviceName.of(request, body)
        let password = try body.string("password")
        let shown = try await handovers.shown(body, request)
        let account = try await security.watching(request, of: credentials.user(of: email)) {
            try await credentials.open(email, password: password, request)
        }
        return try await entry.enter(account.factor, on: deviceName, bringing: shown, request, status: 200)
    }

    func refresh(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("refreshToken")
        let token = try body.string("refreshToken")
        do {
            let rotation = try await logins.rotate(token, request) { user in
                security.note(.refreshTokenReused, of: user, request)
                return try await warnings.mail(.refreshTokenReused, to: user)
            }
            if rotation.hasAccount {
                do {
                    try await entry.keep(rotation.user)
                } catch let problem as Problem {
                    try await logins.signOut(rotation.refreshToken, request)
                    throw problem
                }
            }
            return try await answers.next(rotation, request)
        } catch let problem as Problem where problem.code == .refreshTokenReused {
            outbox.wake()
            throw problem
        }
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
