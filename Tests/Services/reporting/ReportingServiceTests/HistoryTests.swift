import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import reporting

@Suite(.timeLimit(.minutes(10))) @Loop struct `The history` {
    private let owner = UUID.v7()

    @Test func `shows the numbers of each report, newest first`() async throws {
        try await Desk.run { desk in
            let first = try await desk.written(for: owner)
            let unrated: JSONObject = ["durationSec": 3, "confidenceScore": nil, "impressionTags": []]
            let second = try await desk.written(for: owner, unrated)
            _ = try await desk.written(for: .v7())
            let answer = try await desk.history(as: owner)
            #expect(answer.status == 200)
            #expect(answer.sessions == [second, first])
            #expect(answer.json["nextCursor"] == nil)
            let items = try #require(answer.json["items"]?.arrayValue)
            var rated = try #require(items[1].objectValue)
            let whole = try await desk.read(first, as: owner).json
            #expect(rated["createdAt"] == whole["createdAt"])
            #expect(rated["reportId"] == whole["reportId"])
            for member in ReportRows.ownMembers { rated[member] = nil }
            #expect(
                rated == [
                    "confidenceScore": 82, "paceWordsPerMin": 150, "eyeContactPct": 0.75, "fillerCount": 4,
                    "durationSec": 28, "tags": ["confident"], "scoreCoverage": .null, "scoreRange": .null,
                ])
            #expect(items[0]["confidenceScore"] == .null && items[0]["fillerCount"] == .null)
        }
    }

    @Test func `says what a score rests on, of reports that say it`() async throws {
        try await Desk.run { desk in
            var report = Desk.report()
            report["scoreCoverage"] = 65
            report["scoreRange"] = ["low": 80, "high": 84]
            _ = try await desk.written(for: owner, report)
            let item = try #require(try await desk.history(as: owner).json["items"]?.arrayValue?.first)
            #expect(item["scoreCoverage"] == 65)
            #expect(item["scoreRange"] == ["low": 80, "high": 84])
        }
    }

    @Test func `comes page by page, without gap or repeat while reports come and go`() async throws {
        try await Desk.run { desk in
            var expected: [UUID] = []
            for _ in 0..<7 { expected.insert(try await desk.written(for: owner), at: 0) }
            var seen: [UUID] = []
            var query = "?limit=3"
            for page in 0..<3 {
                let answer = try await desk.history(query, as: owner)
                #expect(answer.sessions.count == (page < 2 ? 3 : 1))
                seen += answer.sessions
                if page == 0 {
                    // The page's last report goes and a new one comes; the rest stays in place.
                    try await desk.delete(seen[2], of: owner)
                    _ = try await desk.written(for: owner)
                }
                guard let cursor = answer.json["nextCursor"]?.stringValue else {
                    #expect(page == 2)
                    break
                }
                query = "?limit=3&cursor=\(cursor)"
            }
            #expect(seen == expected)
        }
    }

    @Test func `has no further page when the last one is just full`() async throws {
        try await Desk.run { desk in
            for _ in 0..<2 { _ = try await desk.written(for: owner) }
            let answer = try await desk.history("?limit=2", as: owner)
            #expect(answer.sessions.count == 2 && answer.json["nextCursor"] == nil)
        }
    }

    @Test func `does not show the reports of another owner by the cursor of that owner`() async throws {
        try await Desk.run { desk in
            for _ in 0..<3 { _ = try await desk.written(for: owner) }
            let cursor = try await desk.history("?limit=1", as: owner).json.string("nextCursor")
            #expect(try await desk.history("?cursor=\(cursor)", as: .v7()).sessions == [])
        }
    }

    @Test(arguments: [
        "?limit=0", "?limit=101", "?limit=ten", "?limit=-1", "?cursor=x", "?cursor=", "?cursor=MTIzLw", "?limit=",
    ])
    func `refuses a query that is none`(query: String) async throws {
        try await Desk.run { desk in
            let answer = try await desk.history(query, as: owner)
            #expect(answer.status == 400 && answer.code == "invalid-request")
        }
    }
}
