import HTTPServer
import JSON
import Postgres
import Primitives

/// One page of an owner's reports, newest first.
///
/// The cursor is the place of the last item, so nothing is shown twice or left out when reports come and go meanwhile.
struct HistoryPage {
    private static let limits: ClosedRange<Int64> = 1...100

    private let limit: Int64
    private let after: (createdAt: Timestamp, sessionId: UUID)?

    /// Reads a query.
    ///
    /// - Throws: a problem 400.
    init(limit: String?, cursor: String?) throws(Problem) {
        if let limit {
            guard let number = Int64(limit), Self.limits.contains(number) else {
                throw .invalidRequest("The limit must be a whole number from 1 to 100.")
            }
            self.limit = number
        } else {
            self.limit = 20
        }
        if let cursor {
            guard let place = Self.place(cursor) else {
                throw .invalidRequest("The cursor must be a nextCursor of an earlier page; begin again without one.")
            }
            after = place
        } else {
            after = nil
        }
    }

    /// One row more than the page, which tells whether another page follows.
    static let statement = """
        select session_id, report_id, created_at, confidence_score, pace_words_per_min, eye_contact_pct, filler_count,
            duration_sec, tags
        from report_history
        where owner_id = $1 and ($2::timestamptz is null or (created_at, session_id) < ($2, $3::uuid))
        order by created_at desc, session_id desc limit $4
        """

    func parameters(owner: UUID) -> [PostgresValue] {
        [
            .uuid(owner), .optional(after?.createdAt, PostgresValue.time),
            .optional(after?.sessionId, PostgresValue.uuid),
            .int(limit + 1),
        ]
    }

    /// `{items, nextCursor?}`.
    func answer(_ result: PostgresResult) -> JSONObject {
        let rows = result.rows.prefix(Int(limit))
        var object: JSONObject = ["items": .array(rows.map(Self.item))]
        if result.count > Int(limit), let last = rows.last {
            object["nextCursor"] = .string(Self.cursor(last.time(2), last.uuid(0)))
        }
        return object
    }

    private static func item(_ row: PostgresRow) -> JSONValue {
        [
            "sessionId": .uuid(row.uuid(0)), "reportId": .uuid(row.uuid(1)), "createdAt": .time(row.time(2)),
            "confidenceScore": .optional(row.optional(3, PostgresRow.int)),
            "paceWordsPerMin": .optional(row.optional(4, PostgresRow.int)),
            "eyeContactPct": .optional(row.optional(5, PostgresRow.double)),
            "fillerCount": .optional(row.optional(6, PostgresRow.int)), "durationSec": .int(row.int(7)),
            "tags": (try? JSONValue.parse(row.bytes(8))) ?? [],
        ]
    }

    private static func cursor(_ createdAt: Timestamp, _ sessionId: UUID) -> String {
        Base64URL.encode("\(createdAt.microseconds)/\(sessionId)".utf8)
    }

    private static func place(_ cursor: String) -> (Timestamp, UUID)? {
        guard cursor.utf8.count <= 100, let bytes = Base64URL.decode(cursor) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "/")
        guard parts.count == 2, let microseconds = Int64(parts[0]), (0...4_000_000_000_000_000).contains(microseconds),
            let id = UUID(parts[1])
        else { return nil }
        return (Timestamp(microseconds: microseconds), id)
    }
}
