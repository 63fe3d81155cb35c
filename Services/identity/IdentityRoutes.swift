import Access
import Crypto
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit

/// The routes of the service; each decodes, hands over a command and answers.
@Loop final class IdentityRoutes {
    let context: ServiceContext
    let settings: IdentitySettings
    let logins: Logins
    let passwords: Passwords
    let limits: RateLimits

    init(_ context: ServiceContext, _ settings: IdentitySettings, _ keyring: SigningKeyring) {
        self.context = context
        self.settings = settings
        logins = Logins(context.store.pool, settings, keyring)
        passwords = Passwords(limit: settings.passwordQueue)
        limits = RateLimits(context.store.pool, key: settings.secrets.blind)
    }

    func add(to router: Router) {
        router.on("GET", "/.well-known/jwks.json", keys)
        router.on("POST", "/v1/auth/sign-up", signUp)
        router.on("POST", "/v1/auth/sign-in", signIn)
        router.on("POST", "/v1/auth/refresh", refresh)
        router.on("POST", "/v1/auth/sign-out", signOut)
        router.on("POST", "/v1/auth/password", changePassword)
        router.on("POST", "/v1/auth/device", device)
        router.on("GET", "/v1/me", me)
        router.on("PATCH", "/v1/me", changeMe)
        router.on("DELETE", "/v1/me", eraseMe)
        router.on("GET", "/v1/me/erasure", erasure)
    }

    /// Removes login sessions and counters that are over, every few minutes until the task is cancelled.
    func sweep() async {
        while !Task.isCancelled {
            // What could not be removed this time is removed the next.
            try? await logins.sweep()
            try? await limits.sweep()
            try? await Loop.sleep(for: .seconds(300))
        }
    }

    /// The public keys (RFC 7517), for whoever checks access tokens elsewhere.
    private func keys(_: Request) async throws -> Response {
        let rows = try await context.store.pool.query(
            """
            select kid, x, y from signing_keys
            where expires_at > now() and (retired_at is null or retired_at > now()) order by not_before
            """
        ).rows
        let keys = rows.map { row -> JSONValue in
            [
                "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": .string(row.text(0)),
                "x": .string(row.text(1)), "y": .string(row.text(2)),
            ]
        }
        return .json(["keys": .array(keys)], headers: ["Cache-Control": "public, max-age=60"])
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
            select email, display_name, time_zone, created_at,
                exists (select from credentials c where c.user_id = p.user_id)
            from profiles p where user_id = $1
            """, [.uuid(user)]
        ).first
        guard let row else { throw Problems.userGone }
        return [
            "id": .uuid(user), "kind": row.bool(4) ? "user" : "device",
            "email": .optional(row.optional(0, PostgresRow.text)),
            "displayName": .optional(row.optional(1, PostgresRow.text)),
            "timeZone": .string(row.text(2)), "createdAt": .time(row.time(3)),
        ]
    }
}
