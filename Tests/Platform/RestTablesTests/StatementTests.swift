import CompatibleSurface
import JSON
import Postgres
import PostgresTesting
import Primitives
import Runtime
import Testing

@testable import RestTables

/// What PostgreSQL makes of the statements.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A statement for rows` {
    private static let rows = JSONValue.array(Things.rows.map(JSONValue.object)).bytes

    /// The numbers of the rows that a query finds, in its order.
    private func found(_ pairs: [(String, String)], _ pool: PostgresPool) async throws -> [Int] {
        let statement = RestStatement(
            rowsOf: try Things.query(pairs), [.null, .json(Self.rows)], offset: 0, limit: 10)
        return try await pool.query(statement.text, statement.parameters).rows.map { row in
            Int(String(try JSONObject.parse(row.bytes(0)).string("id").last!))!
        }
    }

    @Test func `finds what PostgREST would find`() async throws {
        let pool = PostgresPool(TestPostgres.administrator, size: 1)
        defer { pool.close() }
        let cases: [(name: String, value: String, rows: [Int])] = [
            ("size", "eq.2", [2]), ("size", "neq.2", [1, 3]), ("size", "gt.1", [2, 3]), ("size", "gte.2", [2, 3]),
            ("size", "lt.2", [1]), ("size", "lte.2", [1, 2]), ("size", "not.eq.2", [1, 3]),
            ("size", "in.(1,3)", [1, 3]),
            ("size", "in.()", []), ("size", "not.in.(1,3)", [2]), ("size", "is.null", [4]),
            ("size", "not.is.null", [1, 2, 3]), ("size", "is.not_null", [1, 2, 3]),
            ("size", "isdistinct.2", [1, 3, 4]),
            ("name", "eq.null", [3]), ("name", "is.null", [4]), ("name", "eq.Ada, the first", [1]),
            ("name", #"in.("Ada, the first","100% (\"sure\")")"#, [1, 2]), ("name", "like.A*", [1]),
            ("name", "like.a*", []), ("name", "ilike.a%", [1]), ("name", "ilike.*U*", [2, 3]),
            ("name", #"like.100\%*"#, [2]), ("name", "not.ilike.a%", [2, 3]),
            ("is_red", "is.true", [1, 3]), ("is_red", "is.false", [2]), ("is_red", "is.unknown", [4]),
            ("is_red", "not.is.true", [2, 4]), ("is_red", "eq.true", [1, 3]), ("weight", "gte.1.5", [2, 3]),
            ("created_at", "gte.2026-01-03", [3, 4]), ("created_at", "eq.2026-01-02 11:00:00+01", [2]),
            ("created_at", "in.(2026-01-02T10:00:00Z,2026-01-03T10:00:00Z)", [2, 3]),
            ("day", "lte.2026-01-02", [1, 2]),
            ("day", "in.(2026-01-02)", [2]), ("weight", "in.(0.5,1.5)", [1, 2]), ("is_red", "in.(true)", [1, 3]),
            ("id", "eq.\(Things.id(3).uppercased())", [3]), ("id", "in.(\(Things.id(1)),\(Things.id(2)))", [1, 2]),
            ("tags", #"cs.["calm"]"#, [1, 2]), ("tags", "cs.{calm,warm}", [1]), ("words", #"cs.{"b c"}"#, [1, 2]),
            ("words", #"cd.["b c"]"#, [2, 3]), ("or", "(size.eq.1,size.is.null)", [1, 4]),
            ("and", "(size.gt.1,or(name.eq.null,is_red.is.true))", [3]), ("not.or", "(size.eq.1,size.eq.2)", [3]),
            ("order", "size.desc", [4, 3, 2, 1]), ("order", "size.desc.nullslast", [3, 2, 1, 4]),
            ("order", "size", [1, 2, 3, 4]), ("order", "size.asc.nullsfirst", [4, 1, 2, 3]),
            ("order", "is_red.desc.nullslast,id.desc", [3, 1, 2, 4]),
        ]
        for one in cases {
            #expect(try await found([(one.name, one.value)], pool) == one.rows, "\(one.name)=\(one.value)")
        }
        #expect(try await found([("size", "gte.1"), ("size", "lt.3")], pool) == [1, 2])
    }

    @Test func `counts and pages`() async throws {
        let pool = PostgresPool(TestPostgres.administrator, size: 1)
        defer { pool.close() }
        let query = try Things.query([("size", "not.is.null"), ("order", "size.desc")])
        let count = RestStatement(countOf: query, [.null, .json(Self.rows)])
        #expect(try await pool.query(count.text, count.parameters).rows[0].int(0) == 3)
        let page = RestStatement(rowsOf: query, [.null, .json(Self.rows)], offset: 1, limit: 1)
        #expect(try await pool.query(page.text, page.parameters).count == 1)
    }

    @Test func `has no word of the client in its text`() throws {
        for word in ["evil'; drop table x; --", "\"", "$1", "\\", "%s"] {
            let statement = RestStatement(
                rowsOf: try Things.query([
                    ("name", "eq.\(word)"), ("name", "like.\(word == "\\" ? "\\\\" : word)"),
                    ("or", "(name.eq.\"\(word == "\"" || word == "\\" ? "x" : word)\")"),
                ]), [.null, .null], offset: 0, limit: 1)
            let usual = RestStatement(
                rowsOf: try Things.query([("name", "eq.a"), ("name", "like.a"), ("or", "(name.eq.a)")]),
                [.null, .null],
                offset: 0, limit: 1)
            #expect(statement.text == usual.text)
        }
    }
}
