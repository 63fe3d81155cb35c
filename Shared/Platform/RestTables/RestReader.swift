package import CompatibleSurface
import EventStore
package import HTTPServer
package import JSON
package import Postgres
package import Primitives
package import Runtime
package import ServiceKit

/// Reads rows of a table for whoever may see them.
@Loop package struct RestReader {
    /// Whose rows may be seen.
    package enum Scope: Sendable, Equatable {
        /// Those of one owner, held twice: by the statement and by the database's policies.
        case owner(UUID)
        /// Everybody's, for the operator's own server.
        case everybody
    }

    private let table: RestTable
    private let owners: OwnerReads
    private let pool: PostgresPool
    private let row: (JSONObject) throws -> JSONObject

    /// - Parameter row: makes a visible row with all columns from a row of the source.
    package init(_ table: RestTable, _ context: ServiceContext, row: @escaping (JSONObject) throws -> JSONObject) {
        self.table = table
        owners = context.owners
        pool = context.store.pool
        self.row = row
    }

    /// Reads a query of the table.
    ///
    /// - Throws: a ``CompatibleError`` for what is not understood.
    package func query(_ request: Request) throws(CompatibleError) -> RestQuery {
        try RestQuery(request.query, of: table)
    }

    /// The answer to a `GET`.
    ///
    /// - Parameters:
    ///   - scope: nil when nothing may be seen, which is no error.
    ///   - parameters: those of the table's source behind the first, which is the owner, or null for everybody.
    /// - Throws: a ``CompatibleError`` as PostgREST has it, `PostgresError`, and what `row` throws.
    package func answer(
        _ request: Request, _ query: RestQuery, in scope: Scope?, _ parameters: [PostgresValue] = []
    ) async throws -> Response {
        let wish = try RestRequest(request)
        let page = RestPage(query, wish)
        guard let scope else { return try page.answer([], total: wish.isCounted ? 0 : nil, wish) }
        // As many as there are is said of the whole, so it is looked for when somebody asks.
        let total = wish.isCounted ? try await total(of: query, in: scope, parameters) : nil
        let rows = try await rows(of: query, page, in: scope, parameters)
        return try page.answer(rows, total: total, wish)
    }

    /// The rows of a page, as the query selects them.
    func rows(
        of query: RestQuery, _ page: RestPage, in scope: Scope, _ parameters: [PostgresValue]
    ) async throws -> [JSONObject] {
        let statement = RestStatement(
            rowsOf: query, [Self.owner(scope)] + parameters, offset: page.offset, limit: page.limit)
        return try await run(statement, in: scope).rows.map { found in
            try query.selection.picked(try row(JSONObject.parse(found.bytes(0))))
        }
    }

    private func total(of query: RestQuery, in scope: Scope, _ parameters: [PostgresValue]) async throws -> Int64 {
        try await run(RestStatement(countOf: query, [Self.owner(scope)] + parameters), in: scope).rows[0].int(0)
    }

    private static func owner(_ scope: Scope) -> PostgresValue {
        switch scope {
        case .owner(let owner): .uuid(owner)
        case .everybody: .null
        }
    }

    private func run(_ statement: RestStatement, in scope: Scope) async throws -> PostgresResult {
        switch scope {
        case .owner(let owner): try await owners.query(of: owner, statement.text, statement.parameters)
        case .everybody: try await pool.query(statement.text, statement.parameters)
        }
    }
}

/// Answers to what was written.
extension RestReader {
    /// The answer with the rows that a write has touched, or without a body when nobody asked for them.
    ///
    /// - Parameters:
    ///   - scope: nil when nothing was touched.
    ///   - status: with a body; without one an update is 204.
    /// - Throws: as ``answer(_:_:in:_:)``.
    package func written(
        _ wish: RestRequest, _ query: RestQuery, in scope: Scope?, _ parameters: [PostgresValue] = [], status: Int
    ) async throws -> Response {
        var headers = wish.headers
        headers["Content-Range"] = "*/*"
        headers["Cache-Control"] = "no-store"
        guard wish.isRepresented else {
            return Response(status: status == 201 ? 201 : wish.method == "POST" ? status : 204, headers: headers)
        }
        var rows: [JSONObject] = []
        if let scope {
            rows = try await self.rows(of: query, RestPage(query, wish), in: scope, parameters)
        }
        return try RestPage.answer(rows, isSingle: wish.isSingle, status: status, headers)
    }
}

extension RestQuery {
    /// Refuses a change without a filter, which nobody means.
    ///
    /// - Throws: 21000.
    package func demandFilter(of wish: RestRequest) throws(CompatibleError) {
        guard !filters.isEmpty else { throw .withoutFilter(wish.method) }
    }
}

extension RestReader {
    /// The visible rows that fulfil a query, with all columns whatever it selects and on whatever page they are.
    ///
    /// - Throws: `PostgresError`, and what `row` throws.
    package func every(
        _ query: RestQuery, in scope: Scope, _ parameters: [PostgresValue] = []
    ) async throws -> [JSONObject] {
        let statement = RestStatement(
            rowsOf: query, [Self.owner(scope)] + parameters, offset: 0, limit: Int64(table.mostRows))
        return try await run(statement, in: scope).rows.map { try row(JSONObject.parse($0.bytes(0))) }
    }
}
