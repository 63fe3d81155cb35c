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
            skipping: try Self.number(body, "offset", 0...1_000_000, 0), body["sortBy"]?.objectValue ?? [:],
            search: body["search"]?.stringValue ?? "")
        return .json(.array(objects.found.map { .object($0.entry) }))
    }

    /// `POST /object/list-v2/{bucket}`: the cursor is how many sessions have been looked at.
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
        let (found, passed, isAll) = try await objects(
            for: caller, limit: limit, passing: offset, body["sortBy"]?.objectValue ?? [:], search: "")
        var answer: JSONObject = [
            "hasNext": .bool(!isAll), "folders": [],
            "objects": .array(
                found.filter { $0.name.hasPrefix(prefix.lowercased()) }.map {
                    .object($0.entry.adding(["key": .string($0.name)]))
                }),
        ]
        if !isAll { answer["nextCursor"] = .string("\(passed)") }
        return .json(.object(answer))
    }

    /// - Parameters:
    ///   - limit: the most objects.
    ///   - passed: how many sessions are passed over; those without an object count too.
    ///   - skipped: how many objects are left out behind them.
    /// - Returns: the objects, how many sessions were passed over or looked at, and whether that was all of them.
    private func objects(
        for caller: CompatibleCaller, limit: Int64, passing passed: Int64 = 0, skipping skipped: Int64 = 0,
        _ sort: JSONObject, search: String
    ) async throws -> (found: [StoredObject], passed: Int64, isAll: Bool) {
        // Nobody's recordings are an anonymous caller's.
        if caller == .anon { return ([], 0, true) }
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
        try await fold.settled()
        let commands = CommandHandler<Session>(context.store)
        var found: [StoredObject] = []
        var (passed, skipped) = (passed, skipped)
        while true {
            let parameters: [PostgresValue] = [
                .optional(owner, PostgresValue.uuid), .text(search.lowercased()), .int(Self.batch), .int(passed),
            ]
            // In the scope of its owner; a server of the operator's sees all.
            let rows =
                if let owner { try await context.owners.query(of: owner, sql, parameters).rows } else {
                    try await context.store.pool.query(sql, parameters).rows
                }
            for row in rows {
                passed += 1
                let loaded = try await commands.load(Session.stream(row.uuid(0)))
                guard let object = StoredObject(loaded, at: .now()), caller.mayUse(object.session) else { continue }
                if skipped > 0 {
                    skipped -= 1
                    continue
                }
                found.append(object)
                if found.count == Int(limit) { return (found, passed, false) }
            }
            if rows.count < Int(Self.batch) { return (found, passed, true) }
        }
    }

    /// How many sessions are looked at by one query.
    private static let batch: Int64 = 1_000

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
