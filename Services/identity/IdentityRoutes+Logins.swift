import Access
import Crypto
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Login sessions and anonymous devices.
extension IdentityRoutes {
    /// The answer that lets somebody in.
    func welcome(
        _ user: UUID, _ kind: AccessTokenClaims.Kind, _ session: UUID, status: Int, adding members: JSONObject = [:]
    ) async throws -> Response {
        var object: JSONObject = ["user": try await userJSON(user)]
        let tokens = try await tokens(of: user, kind, session, logins.firstToken(session))
        for (key, value) in tokens.members + members.members { object[key] = value }
        return answer(object, status: status)
    }

    func refresh(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("refreshToken")
        let turn = try await logins.turn(body.string("refreshToken"))
        return answer(
            try await tokens(of: turn.user, turn.hasAccount ? .user : .device, turn.session, turn.refreshToken))
    }

    private func tokens(
        of user: UUID, _ kind: AccessTokenClaims.Kind, _ session: UUID, _ refreshToken: String
    ) async throws -> JSONObject {
        let row = try await context.store.pool.query(
            "select time_zone from profiles where user_id = $1", [.uuid(user)]
        ).first
        return try issuer.members(
            of: user, kind, session: session, refreshToken: refreshToken, timeZone: row?.text(0))
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
        let hash = try devices.hash(body.string("deviceId"))
        if let user = try await devices.user(of: hash) {
            return try await knownDevice(user, body.optionalString("deviceSecret"), request)
        }
        try await limits.take(settings.access.limits.device, request.remoteAddress)
        let timeZone = try body.optionalString("timeZone") ?? "UTC"
        try await context.zones.check(timeZone)
        let user = UUID.v7()
        let session = UUID.v4()
        try await handle(
            .registerDevice(user, timeZone: timeZone), of: user, request, requestHash: hash,
            rows: [
                IdentityRows.putProfile(of: user, timeZone: timeZone), devices.adding(hash, of: user),
                logins.beginning(session, of: user),
            ])
        return try await welcome(
            user, .device, session, status: 201, adding: ["deviceSecret": .string(devices.secret(of: user))])
    }

    private func knownDevice(_ user: UUID, _ secret: String?, _ request: Request) async throws -> Response {
        try await limits.take(settings.access.limits.signIn, request.remoteAddress)
        guard devices.isSecret(secret, of: user) else { throw Problem(.deviceSecretInvalid) }
        if try await credentials.address(of: user) != nil { throw Problem(.deviceHasAccount) }
        let session = try await logins.begin(user, metadata(user, request))
        return try await welcome(user, .device, session, status: 200)
    }
}
