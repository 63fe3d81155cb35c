import CompatibleSurface
import HTTPServer
import JSON
import Postgres
import Primitives
import RestTables
import Runtime
import ServiceKit

/// The tables `user_quotas` and `subscriptions` of `/rest/v1`, and the functions that tell of a plan.
///
/// What the app writes into `user_quotas` is taken and changes nothing: the quota itself follows from its sessions.
@Loop struct QuotaTableRoutes {
    private let rows: QuotaRowReader
    private let quotas: RestReader
    private let subscriptions: RestReader
    private let standings: RestReader

    init(_ context: ServiceContext) {
        rows = QuotaRowReader(context)
        quotas = RestReader(QuotaTables.quotas, context) { $0 }
        subscriptions = RestReader(QuotaTables.subscriptions, context) { $0 }
        standings = RestReader(QuotaTables.standings, context) { $0 }
    }

    func add(to routes: CompatibleRoutes) {
        routes.on("GET", "/user_quotas") { try await read($0, $1, quotas) { [$0.quota] } }
        routes.on("POST", "/user_quotas", insert)
        routes.on("PATCH", "/user_quotas", update)
        routes.on("DELETE", "/user_quotas", delete)
        routes.on("GET", "/subscriptions") {
            try await read($0, $1, subscriptions) { $0.subscriptions }
        }
        for method in ["POST", "PATCH", "PUT", "DELETE"] {
            routes.on(method, "/subscriptions") { _, caller in
                throw CompatibleError.forbidden(table: "subscriptions", isSignedIn: caller != .anon)
            }
        }
        for method in ["GET", "POST"] {
            routes.on(method, "/rpc/is_user_premium") { request, caller in
                .json(
                    .bool(try await entitlement(request, caller)?.isPremium ?? false),
                    headers: ["Cache-Control": "no-store"])
            }
            routes.on(method, "/rpc/get_user_subscription", standing)
        }
    }

    // MARK: Reading

    private func read(
        _ request: Request, _ caller: CompatibleCaller, _ reader: RestReader, _ make: (QuotaRow) -> [JSONObject]
    ) async throws -> Response {
        let query = try reader.query(request)
        let (scope, rows) = try await visible(query, caller)
        return try await reader.answer(request, query, in: scope, [Self.list(rows.flatMap(make))])
    }

    /// The rows that a caller may see at all.
    private func visible(
        _ query: RestQuery, _ caller: CompatibleCaller
    ) async throws -> (RestReader.Scope?, [QuotaRow]) {
        switch caller {
        case .anon: return (nil, [])
        case .user(let user): return (.owner(user.user), try await rows.row(of: user.user).map { [$0] } ?? [])
        case .service:
            var found: [QuotaRow] = []
            let owners = if let one = query.pinned("user_id") { [one] } else { try await rows.owners() }
            for owner in owners { if let row = try await rows.row(of: owner) { found.append(row) } }
            return (.everybody, found)
        }
    }

    private static func list(_ rows: [JSONObject]) -> PostgresValue {
        .json(JSONValue.array(rows.map(JSONValue.object)).bytes)
    }

    // MARK: Writing, which changes nothing

    private func insert(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let query = try quotas.query(request)
        let wish = try RestRequest(request)
        let body = try await RestBody(request, query)
        try Self.check(body, by: caller, mustName: true)
        let (scope, rows) = try await visible(query, caller)
        guard let scope else { throw CompatibleError.notOwner(table: "user_quotas", isSignedIn: false) }
        let written = Set(body.rows.compactMap { $0["user_id"]?.stringValue.flatMap { UUID($0) } })
        // Everybody's row is there, so a merge finds it, and one that leaves alone what is there writes nothing.
        let shown = wish.resolution == .ignore ? [] : rows.filter { written.contains($0.owner) }.map(\.quota)
        return try await quotas.written(
            wish, query, in: scope, [Self.list(shown)], status: wish.resolution == nil ? 201 : 200)
    }

    private func update(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let query = try quotas.query(request)
        let wish = try RestRequest(request)
        try query.demandFilter(of: wish)
        try Self.check(try await RestBody(request, query), by: caller, mustName: false)
        let (scope, rows) = try await visible(query, caller)
        return try await quotas.written(wish, query, in: scope, [Self.list(rows.map(\.quota))], status: 200)
    }

    /// Nobody may delete rows, so none is found.
    private func delete(_ request: Request, _: CompatibleCaller) async throws -> Response {
        let query = try quotas.query(request)
        let wish = try RestRequest(request)
        try query.demandFilter(of: wish)
        return try await quotas.written(wish, query, in: nil, status: 200)
    }

    /// Whether a caller may write these rows.
    ///
    /// - Parameter mustName: whether each row says whose it is.
    private static func check(
        _ body: RestBody, by caller: CompatibleCaller, mustName: Bool
    ) throws(CompatibleError) {
        for row in body.rows {
            for name in ["id", "daily_count", "created_at", "updated_at"] where row[name]?.isNull == true {
                throw CompatibleError(
                    400, "23502",
                    "null value in column \"\(name)\" of relation \"user_quotas\" violates not-null constraint")
            }
            let named = row["user_id"].map { $0.stringValue.flatMap { UUID($0) } }
            let isAllowed =
                switch caller {
                case .anon: false
                case .service: true
                case .user(let user): named.map { $0 == user.user } ?? !mustName
                }
            guard isAllowed else { throw .notOwner(table: "user_quotas", isSignedIn: caller != .anon) }
        }
    }

    // MARK: Functions

    /// The row is looked through as a table's is, so that a filter is never left out.
    private func standing(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        // In the query of a `GET` the arguments stand beside it.
        let asked = request.query.filter { request.method == "POST" || UUID($0.value) == nil }
        let query = try RestQuery(asked, of: QuotaTables.standings)
        let row = EntitlementStanding.compatibleRow(try await entitlement(request, caller), at: .now())
        // Whose it is was decided above; there is no other row.
        return try await standings.answer(request, query, in: .everybody, [Self.list([row])])
    }

    /// What whoever is asked about has; nil of others than oneself, of whom nobody is told anything.
    private func entitlement(
        _ request: Request, _ caller: CompatibleCaller
    ) async throws -> EntitlementStanding? {
        var named = request.query.lazy.compactMap { UUID($0.value) }.first
        if request.method == "POST" {
            let body = try await request.compatibleObject(orElse: "PGRST102")
            named = body.members.lazy.compactMap { $0.value.stringValue.flatMap { UUID($0) } }.first
        }
        let owner: UUID? =
            switch caller {
            case .anon: nil
            case .service: named
            case .user(let user): named ?? user.user == user.user ? user.user : nil
            }
        guard let owner else { return nil }
        return try await rows.row(of: owner)?.entitlement
    }
}
