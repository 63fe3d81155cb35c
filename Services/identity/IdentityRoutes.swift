import Access
import Crypto
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Mail
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit
import SigningKeys

/// The routes of the service; each decodes, hands over a command and answers.
@Loop final class IdentityRoutes {
    let context: ServiceContext
    let settings: IdentitySettings
    let issuer: TokenIssuer
    let credentials: Credentials
    let devices: Devices
    let logins: LoginSessions
    let codes: OneTimeCodes
    let outbox: MailOutbox
    let limits: RateLimits
    let sweeper: AccessSweeper

    init(_ context: ServiceContext, _ settings: IdentitySettings, _ keyring: SigningKeyring) {
        self.context = context
        self.settings = settings
        let store = context.store
        let access = settings.access
        issuer = TokenIssuer(keyring, access)
        limits = RateLimits(store.pool, key: access.secrets.blind)
        credentials = Credentials(store, context.owners, Passwords(limit: access.passwordQueue), limits, access)
        devices = Devices(store.pool, access)
        logins = LoginSessions(store, access)
        codes = OneTimeCodes(store, access)
        sweeper = AccessSweeper(logins, codes, limits)
        let mails = AccountMails(store.pool, codes, links: settings.links)
        outbox = MailOutbox(store, settings.mail, log: Logger(label: "mail")) { try await mails.compose($0) }
    }

    func add(to router: Router) {
        let rate = settings.access.limits
        router.on("GET", "/.well-known/jwks.json", SigningKeyring.keySet(context.store.pool))
        router.on("POST", "/v1/auth/sign-up", limits.perAddress(rate.signUp, signUp))
        router.on("POST", "/v1/auth/sign-in", limits.perAddress(rate.signIn, signIn))
        router.on("POST", "/v1/auth/refresh", limits.perAddress(rate.refresh, refresh))
        router.on("POST", "/v1/auth/sign-out", signOut)
        router.on("POST", "/v1/auth/password-reset", limits.perAddress(rate.passwordReset, requestPasswordReset))
        router.on("POST", "/v1/auth/password", limits.perAddress(rate.code, changePassword))
        router.on("POST", "/v1/auth/verify-email", limits.perAddress(rate.code, verifyEmail))
        router.on("POST", "/v1/auth/device", device)
        router.on("GET", "/v1/me", me)
        router.on("PATCH", "/v1/me", changeMe)
        router.on("DELETE", "/v1/me", eraseMe)
        router.on("GET", "/v1/me/erasure", erasure)
    }

    /// Runs a command to a user on their own request. The rows are committed atomically with what it decides.
    @discardableResult
    func handle(
        _ command: UserCommand, of user: UUID, _ request: Request, id: UUID = .v7(), requestHash: [UInt8],
        rows: [RowCall]
    ) async throws -> CommandHandler<User>.Outcome {
        try await CommandHandler<User>(context.store).handle(
            command, on: User.stream(user), id: id, requestHash: requestHash, metadata: metadata(user, request)
        ) { _, _ in rows }
    }

    /// What events of a user's own request say of their origin.
    func metadata(_ user: UUID, _ request: Request) -> EventMetadata {
        EventMetadata(
            owner: user, correlation: .v7(), actor: user.description, traceparent: request.trace.traceparent)
    }

    /// An answer that holds tokens or personal content.
    func answer(_ object: JSONObject, status: Int = 200) -> Response {
        .json(.object(object), status: status, headers: ["Cache-Control": "no-store"])
    }
}
