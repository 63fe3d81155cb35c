import Crypto
import EventStore
import JSON
import Postgres
import Primitives
import Runtime

/// The rows of `report_shares`: of each link the hash of its token, what its card shows and how often it was seen.
enum ShareRows {
    private static let shareReport = RowFunction(
        "share_report", .uuid("shareId"), .uuid("ownerId"), .uuid("sessionId"), .string("tokenHash"), .json("parts"),
        .json("card"), .int("maxViews"), .time("createdAt"), .time("expiresAt"), refusals: [.reportGone])
    private static let revokeShare = RowFunction("revoke_share", .uuid("shareId"), .uuid("ownerId"))

    static let all = [shareReport.declaration, revokeShare.declaration]

    /// Stores a share; refused when its report is not there, or is somebody else's.
    static func keep(_ share: Share, of owner: UUID, _ tokenHash: [UInt8], _ card: JSONObject) -> RowCall {
        shareReport(
            share.shareId, owner, share.sessionId, Hex.encode(tokenHash),
            .array(share.parts.map { .string($0.rawValue) }), .object(card), share.maxViews, share.sharedAt,
            share.expiresAt)
    }

    /// Removes a share, and with it what its card showed.
    static func remove(_ share: UUID, of owner: UUID) -> RowCall { revokeShare(share, owner) }

    /// How many there are of a user's.
    @Loop static func count(of owner: UUID, _ pool: PostgresPool) async throws -> Int64 {
        try await pool.query("select count(*) from report_shares where owner_id = $1", [.uuid(owner)]).rows[0].int(0)
    }
}

extension RowRefusal {
    /// The report that is to be shared is not there, or is somebody else's.
    static let reportGone = RowRefusal("report-gone")
}
