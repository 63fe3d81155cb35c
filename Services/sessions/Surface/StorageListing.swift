import CompatibleSurface
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import RestTables
import Runtime
import ServiceKit

/// The objects of a caller: the recordings of those sessions that have any.
@Loop struct StorageListing {
    private nonisolated static let columns = ["name": "key", "created_at": "created_at", "updated_at": "updated_at"]

    private let context: ServiceContext
    private let fold: FoldWait

    init(_ context: ServiceContext) {
        self.context = context
        fold = FoldWait(context.live(SessionProjection.self), SessionProjection.name, context.store)
    }

    /// `POST /object/list/{bucket}`.
    ///
    /// - Throws: `CompatibleError` or `PostgresError`.
    func list(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        try CompatibleObject.check(bucket: request.parameters["bucket"])
        let body = try await request.compatibleObject(orElse: "InvalidRequest")
        // There are no folders.
        if !(body["prefix"]?.stringValue ?? "").allSatisfy({ $0 == "/" }) { return .json([]) }
        let objects = try await objects(
            for: caller, limit: try Self.number(body, "limit", 1...1_000, 100),
            offset: try Self.number(body, "offset", 0...1_000_000, 0), body["sortBy"]?.objectValue ?? [:],
            search: body["search"]?.stringValue ?? "")
        return .json(.array(objects.found.map { .object($0.entry) }))
    }

    /// `POST /object/list-v2/{bucket}`: the cursor is how many there were before.
    ///
    /// - Throws: `CompatibleError` or `PostgresError`.
    func listByCursor(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        try CompatibleObject.check(bucket: request.parameters["bucket"])
        let body = try await request.compatibleObject(orElse: "InvalidRequest")
        let limit = try Self.number(body, "limit", 1...1_000, 1_000)
        guard let offset = Int64(body["cursor"]?.stringValue ?? "0"), (0...1_000_000).contains(offset) else {
            throw CompatibleError.invalidRequest("cursor must be the nextCursor of an earlier answer.")
        }
        let prefix = body["prefix"]?.stringValue ?? ""
        let (found, count) = try await objects(
            for: caller, limit: limit, offset: offset, body["sortBy"]?.objectValue ?? [:], search: "")
        var answer: JSONObject = [
            "hasNext": .bool(count == Int(limit)), "folders": [],
            "objects": .array(
                found.filter { $0.name.hasPrefix(prefix.lowercased()) }.map {
                    .object($0.entry.adding(["key": .string($0.name)]))
                }),
        ]
        if count == Int(limit) { answer["nextCursor"] = .string("\(offset + limit)") }
        return .json(.object(answer))
    }

    /// - Returns: the objects of so many sessions, and how many sessions were looked at.
    private func objects(
        for caller: CompatibleCaller, limit: Int64, offset: Int64, _ sort: JSONObject, search: String
    ) async throws -> (found: [StoredObject], count: Int) {
        // Nobody's recordings are an anonymous caller's.
        if caller == .anon { return ([], 0) }
        let column = sort["column"]?.stringValue ?? "name"
        guard let sorted = Self.columns[column == "last_accessed_at" ? "updated_at" : column] else {
            throw CompatibleError.invalidRequest("sortBy.column must be name, created_at or updated_at.")
        }
        let order = sort["order"]?.stringValue == "desc" ? "desc" : "asc"
        let sql = """
            select key::uuid from session_list
            where ($1::uuid is null or owner_id = $1) and strpos(key || '.mp4', $2) > 0
                and (status in ('awaitingUpload', 'processing') or media_until > now())
            order by \(sorted) \(order), key limit $3 offset $4
            """
        let owner = caller.user?.user
        let parameters: [PostgresValue] = [
            .optional(owner, PostgresValue.uuid), .text(search.lowercased()), .int(limit), .int(offset),
        ]
        try await fold.settled()
        // In the scope of its owner; a server of the operator's sees all.
        let rows =
            if let owner { try await context.owners.query(of: owner, sql, parameters).rows } else {
                try await context.store.pool.query(sql, parameters).rows
            }
        let commands = CommandHandler<Session>(context.store)
        var found: [StoredObject] = []
        for row in rows {
            let loaded = try await commands.load(Session.stream(row.uuid(0)))
            if let object = StoredObject(loaded, at: .now()), caller.mayUse(object.session) { found.append(object) }
        }
        return (found, rows.count)
    }

    private nonisolated static func number(
        _ body: JSONObject, _ name: String, _ range: ClosedRange<Int64>, _ standard: Int64
    ) throws(CompatibleError) -> Int64 {
        guard let value = body[name] else { return standard }
        guard let number = value.intValue, range.contains(number) else {
            throw .invalidRequest("\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
