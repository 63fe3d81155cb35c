import CompatibleSurface
import HTTPServer
import JSON

/// Which rows of all are in an answer.
struct RestPage: Sendable, Equatable {
    /// Rows that are passed over.
    let offset: Int64
    /// The most rows.
    let limit: Int64

    /// What the query's `limit` and `offset` and the header `Range` leave together.
    init(_ query: RestQuery, _ request: RestRequest) {
        var (offset, limit) = (query.offset ?? 0, min(query.limit ?? .max, Int64(query.table.mostRows)))
        if let range = request.range {
            let within = range.last.map { $0 - range.first }.flatMap { $0 == .max ? nil : $0 + 1 }
            offset = offset.addingReportingOverflow(range.first).overflow ? .max : offset + range.first
            limit = min(limit, within ?? .max)
        }
        self.offset = offset
        self.limit = limit
    }

    /// The answer with the rows of this page.
    ///
    /// - Parameter total: how many rows there are on all pages; nil if nobody asked.
    /// - Throws: 406 PGRST116 when one row is wanted and there are others than one; 416 PGRST103 for a page behind the end.
    func answer(_ rows: [JSONObject], total: Int64?, _ request: RestRequest) throws(CompatibleError) -> Response {
        if let total, offset > total {
            throw CompatibleError(
                416, "PGRST103", "Requested range not satisfiable",
                details: "An offset of \(offset) was requested, but there are only \(total) rows.",
                headers: ["Content-Range": "*/\(total)"])
        }
        let count = Int64(rows.count)
        var headers = request.headers
        headers["Content-Range"] =
            (count == 0 ? "*" : "\(offset)-\(offset + count - 1)") + "/" + (total.map { String($0) } ?? "*")
        headers["Cache-Control"] = "no-store"
        let isPart = total.map { count < $0 } ?? false
        return try Self.answer(rows, isSingle: request.isSingle, status: isPart ? 206 : 200, headers)
    }

    /// Rows as a list, or the one row as an object.
    ///
    /// - Throws: 406 PGRST116.
    static func answer(
        _ rows: [JSONObject], isSingle: Bool, status: Int, _ headers: Headers
    ) throws(CompatibleError) -> Response {
        guard isSingle else { return .json(.array(rows.map(JSONValue.object)), status: status, headers: headers) }
        guard rows.count == 1 else {
            throw CompatibleError(
                406, "PGRST116", "Cannot coerce the result to a single JSON object",
                details: "The result contains \(rows.count) rows")
        }
        return .bytes(
            JSONValue.object(rows[0]).bytes, contentType: "application/vnd.pgrst.object+json; charset=utf-8",
            status: status, headers: headers)
    }
}
