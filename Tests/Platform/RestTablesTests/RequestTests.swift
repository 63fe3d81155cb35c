import CompatibleSurface
import HTTPServer
import JSON
import Testing

@testable import RestTables

@Suite struct `The headers of a request for rows` {
    private func request(_ fields: [(String, String)], method: String = "GET") throws(CompatibleError) -> RestRequest {
        var headers = Headers()
        for (name, value) in fields { headers.add(name, value) }
        return try RestRequest(method, headers)
    }

    @Test(arguments: [
        ("*/*", false), ("application/json", false), ("application/vnd.pgrst.object+json", true),
        ("application/vnd.pgrst.object+json; charset=utf-8", true), ("text/csv, application/json;q=0.5", false),
        ("application/vnd.pgrst.array+json", false),
    ]) func `say whether one row is wanted as an object`(accept: String, isSingle: Bool) throws {
        #expect(try request([("Accept", accept)]).isSingle == isSingle)
        #expect(try !request([]).isSingle)
    }

    @Test func `ask for what is not made here in vain`() {
        for (name, value, code) in [
            ("Accept", "text/csv", "PGRST107"),
            ("Accept", "application/vnd.pgrst.object+json;nulls=stripped", "PGRST107"),
            ("Accept-Profile", "auth", "PGRST106"), ("Content-Profile", "private", "PGRST106"),
            ("Range", "9-3", "PGRST103"),
        ] {
            #expect { try request([(name, value)]) } throws: { ($0 as? CompatibleError)?.code == code }
        }
        #expect(throws: Never.self) { try request([("Accept-Profile", "public"), ("Content-Profile", "public")]) }
    }

    @Test func `prefer in any order, in one field or several, and the first of a kind counts`() throws {
        let wish = try request([
            ("Prefer", "tx=rollback, count = exact,return=minimal"),
            ("Prefer", "return=representation,resolution=merge-duplicates"),
        ])
        #expect(wish.isCounted && !wish.isRepresented && wish.resolution == .merge)
        #expect(wish.headers["Preference-Applied"] == "resolution=merge-duplicates, return=minimal, count=exact")
    }

    private static let pages: [(range: String, pairs: [(String, String)], offset: Int64, limit: Int64)] = [
        ("0-9", [], 0, 10), ("items=10-19", [], 10, 10), ("5-", [], 5, 1_000), ("nonsense", [], 0, 1_000),
        ("0-9", [("limit", "3"), ("offset", "2")], 2, 3), ("2-3", [("limit", "9")], 2, 2),
        ("0-9223372036854775807", [], 0, 1_000),
    ]

    @Test func `leave a page, together with the query`() throws {
        for (range, pairs, offset, limit) in Self.pages {
            let page = RestPage(try Things.query(pairs), try request([("Range", range)]))
            #expect(page.offset == offset && page.limit == limit, "\(range) \(pairs)")
            // For reading alone.
            #expect(RestPage(try Things.query([]), try request([("Range", range)], method: "PATCH")).offset == 0)
        }
    }

    @Test func `of an answer say which rows it has of how many`() throws {
        let rows: [JSONObject] = [["id": 1], ["id": 2]]
        func answer(_ pairs: [(String, String)], _ rows: [JSONObject], of total: Int64?) throws -> Response {
            let wish = try request([])
            return try RestPage(try Things.query(pairs), wish).answer(rows, total: total, wish)
        }
        var found = try answer([], rows, of: nil)
        #expect(found.status == 200 && found.headers["Content-Range"] == "0-1/*")
        found = try answer([("offset", "4"), ("limit", "2")], rows, of: 27)
        #expect(found.status == 206 && found.headers["Content-Range"] == "4-5/27")
        found = try answer([], [], of: 0)
        #expect(found.status == 200 && found.headers["Content-Range"] == "*/0")
        found = try answer([], rows, of: 2)
        #expect(found.status == 200 && found.headers["Content-Range"] == "0-1/2")
        #expect { try answer([("offset", "5")], [], of: 3) } throws: {
            ($0 as? CompatibleError).map { $0.code == "PGRST103" && $0.status == 416 } ?? false
        }
    }

    @Test func `that want one row get one, or hear how many there are`() throws {
        let wish = try request([("Accept", "application/vnd.pgrst.object+json")])
        let page = RestPage(try Things.query([]), wish)
        let one = try page.answer([["id": 1]], total: nil, wish)
        #expect(one.headers["Content-Type"] == "application/vnd.pgrst.object+json; charset=utf-8")
        for (count, words) in [(0, "The result contains 0 rows"), (2, "The result contains 2 rows")] {
            #expect { try page.answer(Array(repeating: [:], count: count), total: nil, wish) } throws: {
                guard let error = $0 as? CompatibleError else { return false }
                return error.status == 406 && error.code == "PGRST116" && error.details == words
            }
        }
    }
}
