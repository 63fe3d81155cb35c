import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// A user as clients see it.
@Loop struct UserView {
    let json: JSONValue

    /// Reads the user's rows.
    ///
    /// - Throws: a problem 401 when the user is gone, or `PostgresError`.
    init(_ user: UUID, _ owners: OwnerReads) async throws {
        let row = try await owners.query(
            of: user,
            """
            select email, display_name, time_zone, created_at, has_account(p.user_id), c.verified_at is not null,
                f.tag, f.updated_at
            from profiles p left join credentials c using (user_id) left join photos f using (user_id) where user_id = $1
            """, [.uuid(user)]
        ).first
        guard let row else { throw Problem.userGone }
        json = [
            "id": .uuid(user), "kind": row.bool(4) ? "user" : "device",
            "email": .optional(row.optional(0, PostgresRow.text)), "emailVerified": .bool(row.bool(5)),
            "displayName": .optional(row.optional(1, PostgresRow.text)),
            "timeZone": .string(row.text(2)), "createdAt": .time(row.time(3)),
            // Where GET /v1/me/photo has one: by its tag a client sees that it has it already.
            "photo": row.optional(6, PostgresRow.text).map {
                ["etag": .string("\"\($0)\""), "updatedAt": .time(row.time(7))]
            } ?? .null,
        ]
    }
}
