import Access
import Contracts
import EventStore
import JSON
import Postgres
import Primitives
import Runtime

/// The rows of profiles: what is personal about a user, and the anchor of all other rows of the user.
enum IdentityRows {
    private static let putProfile = RowFunction(
        "put_profile", .uuid("userId"), .optionalString("email"), .optionalString("displayName"),
        .string("timeZone"))
    private static let changeProfile = RowFunction(
        "change_profile", .uuid("userId"), .member("displayName"), .member("timeZone"), refusals: [.userGone])
    private static let mergeMetadata = RowFunction(
        "merge_metadata", .uuid("userId"), .json("metadata"), refusals: [.userGone, .metadataTooLong])
    /// Removes a profile and all that hangs on it.
    static let forgetUser = RowFunction("forget_user", .uuid("userId"))

    static let all = [
        putProfile.declaration, changeProfile.declaration, forgetUser.declaration, mergeMetadata.declaration,
    ]

    /// Opens a profile, or makes an account's of an anonymous device's, whose time zone stands.
    static func putProfile(
        of user: UUID, email: String? = nil, displayName: String? = nil, timeZone: String
    ) -> RowCall { putProfile(user, email, displayName, timeZone) }

    /// Changes what is not nil; a display name of `.some(nil)` removes the name.
    static func changeProfile(of user: UUID, displayName: String??, timeZone: String?) -> RowCall {
        changeProfile(user, displayName.map { .optional($0) }, timeZone.map(JSONValue.string))
    }

    /// Adds to what clients of the compatible surface keep with an account; a member of null takes one away. Refused with
    /// `metadata-too-long` beyond 1,024 bytes, which a token carries.
    static func mergeMetadata(of user: UUID, _ metadata: JSONObject) -> RowCall {
        mergeMetadata(user, .object(metadata))
    }

    /// What an erasure removes, for its receipt.
    ///
    /// - Throws: `PostgresError`.
    @Loop static func removed(with user: UUID, _ pool: PostgresPool) async throws -> SubjectErased.Removed {
        let row = try await pool.query(
            "select rows_of_user($1), (select count(*) from object_intents where subject = $1)", [.uuid(user)]
        ).rows[0]
        return SubjectErased.Removed(rows: row.int(0), objects: row.int(1))
    }
}

extension RowRefusal {
    /// What clients keep with an account became too long.
    static let metadataTooLong = RowRefusal("metadata-too-long")
}
