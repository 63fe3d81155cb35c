import CompatibleSurface
import JSON
import Primitives
import Testing

@testable import RestTables

@Suite struct `A query of a table` {
    @Test func `keeps every filter, also of one name`() throws {
        let query = try Things.query([("size", "gte.1"), ("size", "lt.3"), ("name", "not.eq.a.b,c")])
        let size = RestColumn("size", .integer)
        #expect(
            query.filters == [
                .compare(size, .gte, .integer(1)), .compare(size, .lt, .integer(3)),
                .not(.compare(RestColumn("name", .text), .eq, .text("a.b,c"))),
            ])
    }

    @Test func `has groups in groups, with quoted values`() throws {
        let query = try Things.query([
            ("or", #"(size.eq.1,and(name.eq."a,\"b\")",size.not.in.(2,3)),not.and(is_red.is.true,weight.lte.2.5))"#)
        ])
        let size = RestColumn("size", .integer)
        #expect(
            query.filters == [
                .any([
                    .compare(size, .eq, .integer(1)),
                    .all([
                        .compare(RestColumn("name", .text), .eq, .text(#"a,"b")"#)),
                        .not(.isIn(size, [.integer(2), .integer(3)])),
                    ]),
                    .not(
                        .all([
                            .test(RestColumn("is_red", .boolean), .true),
                            .compare(RestColumn("weight", .double), .lte, .double(2.5)),
                        ])),
                ])
            ])
        #expect(
            try Things.query([("not.or", "(size.eq.1)")]).filters == [.not(.any([.compare(size, .eq, .integer(1))]))])
    }

    @Test func `names a row by its id in either case, and by nothing else`() throws {
        let id = try #require(UUID("0123ABCD-0123-4123-8123-0123456789AB"))
        #expect(
            try Things.query([("id", "eq.0123ABCD-0123-4123-8123-0123456789AB"), ("select", "*")]).pinned("id") == id)
        for pairs: [(String, String)] in [
            [], [("id", "in.(\(id))")], [("id", "not.eq.\(id)")], [("id", "neq.\(id)")], [("id", "gte.\(id)")],
            [("id", "eq.\(id)"), ("id", "eq.\(id)")], [("id", "eq.\(id)"), ("size", "eq.1")],
            [("or", "(id.eq.\(id))")], [("and", "(id.eq.\(id))")], [("size", "eq.1")],
        ] {
            #expect(try Things.query(pairs).pinned("id") == nil, "\(pairs)")
        }
    }

    @Test(arguments: [
        ("nothing", "eq.1", "42703"), ("select", "nothing", "42703"), ("order", "nothing", "42703"),
        ("size", "1", "PGRST100"), ("size", "like.1", "42883"), ("size", "fts.a", "PGRST100"),
        ("size", "eq", "PGRST100"),
        ("size", "not.not.eq.1", "PGRST100"), ("id", "eq.1", "22P02"), ("size", "eq.1.5", "22P02"),
        ("size", "in.(1,x)", "22P02"), ("size", "in.1", "PGRST100"), ("size", "in.(1", "PGRST100"),
        ("weight", "eq.heavy", "22P02"), ("weight", "eq.nan", "22P02"), ("is_red", "eq.perhaps", "22P02"),
        ("created_at", "gte.yesterday", "22P02"), ("day", "eq.2026-02-30", "22P02"), ("name", "is.true", "42804"),
        ("name", "is.nothing", "PGRST100"), ("name", "like.a\\", "22025"), ("tags", "eq.[]", "42883"),
        ("words", "in.(a)", "42883"), ("name", "cs.{a}", "42883"), ("tags", "cs.{a", "22P02"),
        ("made", "eq.1", "PGRST100"), ("order", "made.asc", "PGRST100"), ("order", "size.up", "PGRST100"),
        ("order", "tags", "42883"), ("limit", "many", "PGRST100"), ("limit", "-1", "PGRST103"),
        ("offset", "-1", "PGRST103"), ("or", "size.eq.1", "PGRST100"), ("or", "(size.eq.1", "PGRST100"),
        ("or", "(size.eq.1))", "PGRST100"), ("or", "()", "PGRST100"), ("or", "(size)", "PGRST100"),
        ("things.size", "eq.1", "PGRST100"), ("tags->a", "eq.1", "PGRST100"), ("select", "others(*)", "PGRST100"),
        ("select", "size.sum()", "PGRST100"), ("select", "size::money", "PGRST100"), ("select", "size->a", "42883"),
        ("size", "eq(any).{1}", "PGRST100"), ("apikey", "x", "42703"), ("name", "match.a", "PGRST100"),
    ]) func `that is not understood is refused, never left out`(name: String, value: String, code: String) {
        #expect(Things.refusal([(name, value)])?.code == code)
    }

    @Test func `is no larger than a server wants to read`() {
        let deep = String(repeating: "and(", count: 20) + "size.eq.1" + String(repeating: ")", count: 20)
        #expect(Things.refusal([("or", "(\(deep))")])?.code == "PGRST100")
        let many = Array(repeating: "size.eq.1", count: 201).joined(separator: ",")
        #expect(Things.refusal([("or", "(\(many))")])?.code == "PGRST100")
        let values = Array(repeating: "1", count: 1_001).joined(separator: ",")
        #expect(Things.refusal([("size", "in.(\(values))")])?.code == "PGRST100")
        #expect(
            Things.refusal([("select", Array(repeating: "id", count: 101).joined(separator: ","))])?.code == "PGRST100")
        #expect(
            Things.refusal([("order", Array(repeating: "id", count: 17).joined(separator: ","))])?.code == "PGRST100")
    }

    @Test(arguments: [
        ("2026-01-01", "2026-01-01T00:00:00.000000Z"), ("2026-01-01T10:00:00Z", "2026-01-01T10:00:00.000000Z"),
        ("2026-01-01 10:00:00.5+02", "2026-01-01T08:00:00.500000Z"),
        ("2026-01-01T10:00:00.123456-0130", "2026-01-01T11:30:00.123456Z"),
        ("2026-01-01T10:00:00", "2026-01-01T10:00:00.000000Z"),
    ]) func `compares moments, however they are written`(text: String, moment: String) throws {
        let expected = try #require(Timestamp(rfc3339: moment))
        #expect(
            try Things.query([("created_at", "eq.\(text)")]).filters
                == [.compare(RestColumn("created_at", .timestamp), .eq, .time(expected))])
    }
}
