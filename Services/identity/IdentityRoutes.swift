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
    let keyring: SigningKeyring
    let logins: LoginSessions
    let codes: OneTimeCodes
    let outbox: MailOutbox
    let passwords: Passwords
    let limits: RateLimits

    init(_ context: ServiceContext, _ settings: IdentitySettings, _ keyring: SigningKeyring) {
        self.context = context
        self.settings = settings
        self.keyring = keyring
        let store = context.store
        logins = LoginSessions(store.pool, settings.access)
        codes = OneTimeCodes(store, settings.access)
        let mails = AccountMails(store.pool, codes, links: settings.links)
        outbox = MailOutbox(store, settings.mail, log: Logger(label: "mail")) { try await mails.compose($0) }
        passwords = Passwords(limit: settings.access.passwordQueue)
        limits = RateLimits(store.pool, key: settings.secrets.blind)
    }

    func add(to router: Router) {
        router.on("GET", "/.well-known/jwks.json", SigningKeyring.keySet(context.store.pool))
        router.on("POST", "/v1/auth/sign-up", limits.perAddress(settings.limits.signUp, signUp))
        router.on("POST", "/v1/auth/sign-in", limits.perAddress(settings.limits.signIn, signIn))
        router.on("POST", "/v1/auth/refresh", limits.perAddress(settings.limits.refresh, refresh))
        router.on("POST", "/v1/auth/sign-out", signOut)
        router.on(
            "POST", "/v1/auth/password-reset", limits.perAddress(settings.limits.passwordReset, requestPasswordReset))
        router.on("POST", "/v1/auth/password", limits.perAddress(settings.limits.code, changePassword))
        router.on("POST", "/v1/auth/verify-email", limits.perAddress(settings.limits.code, verifyEmail))
        router.on("POST", "/v1/auth/device", device)
        router.on("GET", "/v1/me", me)
        router.on("PATCH", "/v1/me", changeMe)
        router.on("DELETE", "/v1/me", eraseMe)
        router.on("GET", "/v1/me/erasure", erasure)
    }

    /// Removes login sessions, codes and counters that are over, every few minutes until the task is cancelled.
    func sweep() async {
        while !Task.isCancelled {
            // What could not be removed this time is removed the next.
            try? await logins.sweep()
            try? await codes.sweep()
            try? await limits.sweep()
            try? await Loop.sleep(for: .seconds(300))
        }
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

    /// A user as clients see it.
    ///
    /// - Throws: a problem 401 when the user is gone.
    func userJSON(_ user: UUID) async throws -> JSONValue {
        let row = try await context.owners.query(
            of: user,
            """
            select email, display_name, time_zone, created_at, c.user_id is not null, c.verified_at is not null
            from profiles p left join credentials c using (user_id) where user_id = $1
            """, [.uuid(user)]
        ).first
        guard let row else { throw Problems.userGone }
        return [
            "id": .uuid(user), "kind": row.bool(4) ? "user" : "device",
            "email": .optional(row.optional(0, PostgresRow.text)), "emailVerified": .bool(row.bool(5)),
            "displayName": .optional(row.optional(1, PostgresRow.text)),
            "timeZone": .string(row.text(2)), "createdAt": .time(row.time(3)),
        ]
    }
}
