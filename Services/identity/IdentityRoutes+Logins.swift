import Access
import Contracts
import Crypto
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import SigningKeys

/// Login sessions and anonymous devices.
extension IdentityRoutes {
    func refresh(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("refreshToken")
        let turn = try await logins.turn(body.string("refreshToken"))
        return answer(
            try await tokens(of: turn.user, turn.hasAccount ? .user : .device, turn.session, turn.refreshToken))
    }

    /// Access token and refresh token, as all answers that let somebody in have them.
    func tokens(
        of user: UUID, _ kind: AccessTokenClaims.Kind, _ session: UUID, _ refreshToken: String
    ) async throws -> JSONObject {
        let zone = try await context.store.pool.query(
            "select time_zone from profiles where user_id = $1", [.uuid(user)]
        ).first
        let now = Timestamp.now()
        let claims = AccessTokenClaims(
            subject: user, issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience], issuedAt: now,
            expiresAt: now + settings.access.accessTokenLifetime, id: .v7(), session: session, kind: kind,
            timeZone: zone?.text(0))
        return [
            "accessToken": .string(try keyring.sign(claims, at: now)), "refreshToken": .string(refreshToken),
            "expiresIn": .int(settings.access.accessTokenLifetime.milliseconds / 1_000), "tokenType": "Bearer",
        ]
    }

    /// Ends a login session: the refresh token's, or the access token's when none is sent. What is over already is fine.
    func signOut(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("refreshToken")
        if let token = try body.optionalString("refreshToken") {
            try await logins.end(token)
        } else {
            try await logins.end(context.tokens.caller(of: request).session)
        }
        return .noContent
    }

    /// Lets an anonymous device in. The first call makes a user and answers a secret that all later calls need.
    func device(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("deviceId", "deviceSecret", "timeZone")
        let deviceID = try body.string("deviceId")
        guard (16...128).contains(deviceID.utf8.count), deviceID.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Problem(.deviceIdInvalid)
        }
        let key = HMACSHA256.authenticate(Array("id \(deviceID)".utf8), key: settings.secrets.device)
        if let user = try await deviceUser(key) { return try await knownDevice(user, body, request) }

        try await limits.take(settings.limits.device, request.remoteAddress)
        let timeZone = try body.optionalString("timeZone") ?? "UTC"
        try await context.zones.check(timeZone)
        let user = UUID.v7()
        let session = UUID.v4()
        do {
            _ = try await CommandHandler<User>(context.store).handle(
                .registerDevice(user, timeZone: timeZone), on: User.stream(user), id: .v7(), requestHash: key,
                metadata: metadata(user, request)
            ) { [logins] _, _ in
                [
                    RowCall("put_profile", ["userId": .uuid(user), "timeZone": .string(timeZone)]),
                    RowCall("put_device", ["userId": .uuid(user), "deviceKey": .string(Hex.encode(key))]),
                    logins.beginning(session, of: user),
                ]
            }
        } catch AppendError.guarded("device-known") {
            // The same device was quicker on another connection; only one of its calls gets the secret.
            throw Problem(.deviceSecretInvalid)
        }
        return try await welcome(
            user, .device, session, status: 201,
            adding: ["deviceSecret": .string(Base64URL.encode(deviceSecret(user)))])
    }

    private func knownDevice(_ user: UUID, _ body: JSONObject, _ request: Request) async throws -> Response {
        try await limits.take(settings.limits.signIn, request.remoteAddress)
        guard let text = try body.optionalString("deviceSecret"), let secret = Base64URL.decode(text),
            ConstantTime.equal(secret, deviceSecret(user))
        else { throw Problem(.deviceSecretInvalid) }
        let hasAccount =
            try await context.owners.query(
                of: user, "select from credentials where user_id = $1", [.uuid(user)]
            ).count > 0
        if hasAccount { throw Problem(.deviceHasAccount) }
        return try await welcome(user, .device, try await begin(user, request), status: 200)
    }

    private func deviceUser(_ key: [UInt8]) async throws -> UUID? {
        try await context.store.pool.query("select user_id from devices where device_key = $1", [.bytes(key)])
            .first?.uuid(0)
    }

    /// A device's secret follows from its user, so that none is kept.
    private func deviceSecret(_ user: UUID) -> [UInt8] {
        HMACSHA256.authenticate(Array("secret \(user)".utf8), key: settings.secrets.device)
    }
}
