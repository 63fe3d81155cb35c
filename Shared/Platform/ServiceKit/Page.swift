package import HTTPServer
package import JSON
package import Postgres
package import Primitives
import Runtime

/// A page of an owner's items, newest first: `?limit=&cursor=` → `{items, nextCursor?}`.
///
/// The cursor is the place of the last item, so nothing is shown twice or left out when items are added or removed meanwhile.
package struct Page: Sendable {
    private static let limits: ClosedRange<Int64> = 1...100

    private let limit: Int64
    private let after: (createdAt: Timestamp, id: UUID)?

    /// Reads a request's query.
    ///
    /// - Throws: a problem 400.
    package init(_ request: Request) throws(Problem) {
        limit =
            try request.query("limit").map { (text) throws(Problem) in
                guard let number = Int64(text), Self.limits.contains(number) else {
                    throw .invalidRequest("The limit must be a whole number from 1 to 100.")
                }
                return number
            } ?? 20
        after = try request.query("cursor").map { (text) throws(Problem) in
            guard let place = Self.place(text) else {
                throw .invalidRequest("The cursor must be a nextCursor of an earlier page; begin again without one.")
            }
            return place
        }
    }

    /// The answer with the items of an owner.
    ///
    /// - Parameters:
    ///   - statement: finds them, `created_at desc, id desc`; `$1` is the owner, `$2` and `$3` are the last time and id (or
    ///     nulls), `$4` is how many rows it may give, what follows are `parameters`.
    ///   - place: the columns of the time and the id.
    ///   - name: the member that holds the items.
    ///   - item: a row as JSON.
    /// - Throws: `PostgresError`, and what `item` throws.
    @Loop package func answer(
        of owner: UUID, _ owners: OwnerReads, _ statement: String, _ parameters: [PostgresValue] = [],
        place: (Int, Int), as name: String = "items", item: (PostgresRow) throws -> JSONValue
    ) async throws -> Response {
        // One more than the page has, which shows whether another follows.
        let result = try await owners.query(
            of: owner, statement,
            [
                .uuid(owner), .optional(after?.createdAt, PostgresValue.time), .optional(after?.id, PostgresValue.uuid),
                .int(limit + 1),
            ] + parameters)
        let rows = result.rows.prefix(Int(limit))
        var object: JSONObject = [name: .array(try rows.map(item))]
        if result.count > Int(limit), let last = rows.last {
            let text = "\(last.time(place.0).microseconds)/\(last.uuid(place.1))"
            object["nextCursor"] = .string(Base64URL.encode(Array(text.utf8)))
        }
        return .json(.object(object))
    }

    private static func place(_ cursor: String) -> (Timestamp, UUID)? {
        guard cursor.utf8.count <= 100, let bytes = Base64URL.decode(cursor) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let microseconds = Int64(parts[0]), (0...4_000_000_000_000_000).contains(microseconds),
            let id = UUID(parts[1])
        else { return nil }
        return (Timestamp(microseconds: microseconds), id)
    }
}
