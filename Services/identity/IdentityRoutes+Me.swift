import Access
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// The caller's own profile.
extension IdentityRoutes {
    func me(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        return answer(["user": try await userJSON(caller.user)])
    }

    func changeMe(_ request: Request) async throws -> Response {
        let user = try await context.tokens.caller(of: request).user
        let body = try await request.jsonObject()
        try body.allow("displayName", "timeZone")
        var displayName: String??
        if body["displayName"] != nil {
            displayName = .some(try DisplayName.checked(body.optionalString("displayName")))
        }
        let timeZone = try body.optionalString("timeZone")
        if let timeZone { try await context.zones.check(timeZone) }
        let row = IdentityRows.changeProfile(of: user, displayName: displayName, timeZone: timeZone)
        do {
            if let timeZone {
                try await handle(.changeTimeZone(timeZone), of: user, request, requestHash: user.bytes, rows: [row])
            } else {
                try await context.store.append(
                    Append(id: .v7(), requestHash: [], metadata: metadata(user, request), writes: [], calls: [row]))
            }
        } catch AppendError.erased {
            throw Problem.userGone
        }
        return answer(["user": try await userJSON(user)])
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
        guard let row else { throw Problem.userGone }
        return [
            "id": .uuid(user), "kind": row.bool(4) ? "user" : "device",
            "email": .optional(row.optional(0, PostgresRow.text)), "emailVerified": .bool(row.bool(5)),
            "displayName": .optional(row.optional(1, PostgresRow.text)),
            "timeZone": .string(row.text(2)), "createdAt": .time(row.time(3)),
        ]
    }
}
