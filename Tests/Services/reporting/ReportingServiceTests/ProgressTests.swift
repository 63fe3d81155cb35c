import Contracts
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import reporting

@Suite(.timeLimit(.minutes(10))) @Loop struct `Progress over many reports` {
    private let owner = UUID.v7()

    /// A ready report of one score and melody, judged by some rules.
    private nonisolated static func report(
        _ score: Int64, melody: Double? = 0.5, rules: Int64 = 4, language: String = "en", asr: String = "moonshine"
    ) -> JSONObject {
        Desk.report(score: score).adding([
            "rulesVersion": .int(rules), "spokenLanguage": .string(language), "scenario": "general",
            "engines": ["asr": .string(asr), "face": "dlib", "thresholds": "3"],
            "measures": [
                "confidenceScore": ["value": .int(score), "valid": true],
                "tonalVariety": melody.map { ["value": .double($0), "valid": true, "version": 1] }
                    ?? ["value": .null, "valid": false, "code": "too-noisy"],
                "wordCount": ["value": 70, "valid": true],
            ],
        ])
    }

    /// Lets a session begin at a time and place.
    private func begin(
        _ session: UUID, _ desk: Desk, in zone: String, at time: String, of user: UUID? = nil
    ) async throws {
        let moment = try #require(Timestamp(rfc3339: time))
        try await desk.group.deliver(
            desk.topic.message(
                SessionCreated(
                    SessionIdentity(sessionId: session, ownerId: user ?? owner, kind: .mirrormate), timeZone: zone,
                    createdAt: moment, expiresAt: moment.adding(seconds: 3_600))))
    }

    private func ask(_ path: String, _ desk: Desk, as user: UUID? = nil) async throws -> Answer {
        try await desk.group.fold(ReportProjection.self)
        return try await desk.group.send("GET", path, as: user ?? owner)
    }

    @Test func `of nobody's reports is nothing yet`() async throws {
        try await Desk.run { desk in
            let answer = try await ask("/v1/progress", desk)
            #expect(answer.status == 200)
            #expect(answer.json["totals"]?["reports"] == 0 && answer.json["best"] == .null)
            #expect(answer.json["comparable"] == .null && answer.json["notCompared"] == [])
            #expect(answer.json["measures"]?["confidenceScore"]?["trend"] == "not-enough-yet")
            #expect(answer.json["streak"]?["currentStreak"] == 0)
        }
    }

    @Test func `tells totals, the best and the trend of comparable reports alone`() async throws {
        try await Desk.run { desk in
            // Judged by other rules, in another language, and by a report that does not say.
            _ = try await desk.written(for: owner, Self.report(99, rules: 3))
            _ = try await desk.written(for: owner, Self.report(98, language: "de"))
            _ = try await desk.written(for: owner)
            var sessions: [UUID] = []
            for score in [40, 47, 55, 63] as [Int64] {
                sessions.append(
                    try await desk.written(for: owner, Self.report(score, melody: score == 55 ? nil : 0.5)))
            }
            var answer = try await ask("/v1/progress", desk).json
            #expect(answer["measures"]?["confidenceScore"]?["trend"] == "not-enough-yet")
            sessions.append(try await desk.written(for: owner, Self.report(71)))
            answer = try await ask("/v1/progress", desk).json
            let score = answer["measures"]?["confidenceScore"]
            #expect(score?["trend"] == "improved" && score?["reports"] == 5 && score?["needed"] == 5)
            #expect(score?["change"]?.doubleValue.map { (30...34).contains($0) } == true)
            #expect(score?["latest"]?["sessionId"] == .uuid(try #require(sessions.last)))
            // One has no valid melody.
            #expect(answer["measures"]?["tonalVariety"]?["trend"] == "not-enough-yet")
            #expect(answer["measures"]?["tonalVariety"]?["reports"] == 4)
            #expect(answer["totals"]?["reports"] == 8 && answer["totals"]?["seconds"] == 224)
            #expect(answer["best"]?["confidenceScore"] == 71)
            #expect(answer["comparable"]?["reports"] == 5 && answer["comparable"]?["rulesVersion"] == 4)
            let left = try answer.array("notCompared").map { $0["reasons"] }
            #expect(left == [["rules-differ"], ["languages-differ"], ["rules-unknown"]])
            // Another recognizer: the score's trend begins anew, the melody's goes on.
            _ = try await desk.written(for: owner, Self.report(72, asr: "pocketsphinx"))
            answer = try await ask("/v1/progress", desk).json
            #expect(answer["measures"]?["confidenceScore"]?["reports"] == 1)
            #expect(answer["measures"]?["tonalVariety"]?["reports"] == 5)
            #expect(try await ask("/v1/progress", desk, as: .v7()).json["totals"]?["reports"] == 0)
        }
    }

    @Test func `counts a recording on the local day of its place, heard of before the report or after it`() async throws
    {
        try await Desk.run { desk in
            let (early, late) = (UUID.v7(), UUID.v7())
            try await begin(early, desk, in: "Asia/Tokyo", at: "2026-03-01T20:00:00Z")
            try await desk.complete(early, of: owner, desk.store(Self.report(50)))
            try await desk.complete(late, of: owner, desk.store(Self.report(60)))
            var answer = try await ask("/v1/progress", desk).json
            #expect(answer["totals"]?["withoutZone"] == 1 && answer["timeZone"] == "Asia/Tokyo")
            try await begin(late, desk, in: "America/Los_Angeles", at: "2026-03-01T20:00:00Z")
            answer = try await ask("/v1/progress?timeZone=UTC", desk).json
            #expect(answer["totals"]?["withoutZone"] == 0 && answer["timeZone"] == "UTC")
            #expect(answer["totals"]?["days"] == 2)
            #expect(answer["streak"]?["longestStreak"] == 2 && answer["streak"]?["currentStreak"] == 0)
            #expect(
                answer["months"] == [["month": "2026-03", "recordings": 2, "seconds": 56, "days": 2]])
            // A zone that nobody knows counts as UTC.
            let odd = UUID.v7()
            try await begin(odd, desk, in: "Mars/Olympus", at: "2026-03-05T20:00:00Z")
            try await desk.complete(odd, of: owner, desk.store(Self.report(60)))
            #expect(try await ask("/v1/progress", desk).json["timeZone"] == "UTC")
            #expect(try await ask("/v1/progress?timeZone=Mars/Olympus", desk).code == "time-zone-invalid")
            // The read model is what the log says, whichever came first.
            #expect(
                try await desk.group.count("select count(*) from report_history where kind = 'mirrormate'") == 3)
        }
    }

    @Test func `has a streak of recording days that is at risk`() async throws {
        try await Desk.run { desk in
            for back in [2, 1, 0] as [Int64] {
                let session = UUID.v7()
                try await begin(
                    session, desk, in: "UTC", at: Timestamp.now().adding(seconds: -back * 86_400).description)
                try await desk.complete(session, of: owner, desk.store(Self.report(50)))
            }
            let streak = try await ask("/v1/progress?timeZone=UTC", desk).json["streak"]
            #expect(streak?["currentStreak"] == 3 && streak?["recordedToday"] == true)
            #expect(streak?["consistency7"] == 3 && streak?["consistency30"] == 3)
            #expect(streak?["atRiskUntil"]?.stringValue != nil)
        }
    }

    @Test func `has the series of each measure, page by page`() async throws {
        try await Desk.run { desk in
            _ = try await desk.written(for: owner)
            _ = try await desk.written(for: owner, Self.report(50, melody: nil))
            let last = try await desk.written(for: owner, Self.report(60, melody: 0.75))
            let first = try await ask("/v1/progress/tonalVariety?limit=2", desk).json
            let items = try first.array("items")
            #expect(items[0]["sessionId"] == .uuid(last) && items[0]["value"] == 0.75 && items[0]["comparable"] == true)
            #expect(items[1]["value"] == .null && items[1]["code"] == "too-noisy")
            #expect(items[1]["reasons"] == ["not-valid"])
            let cursor = try first.string("nextCursor")
            let second = try await ask("/v1/progress/tonalVariety?limit=2&cursor=\(cursor)", desk).json.array("items")
            #expect(second.count == 1 && second[0]["reasons"]?.arrayValue?.first == "rules-unknown")
            // What lists have is known of older reports, too.
            let scores = try await ask("/v1/progress/confidenceScore", desk).json.array("items")
            #expect(scores.map { $0["value"]?.doubleValue } == [60, 50, 82])
            let words = try await ask("/v1/progress/wordCount", desk).json.array("items")
            #expect(words.first?["value"]?.doubleValue == 70)
            #expect(try await ask("/v1/progress/charisma", desk).status == 404)
            #expect(try await ask("/v1/progress/tonalVariety?limit=0", desk).status == 400)
            #expect(try await ask("/v1/progress/tonalVariety?kind=skinlab", desk).json.array("items") == [])
        }
    }

    @Test func `sets two reports side by side, and says what cannot be compared`() async throws {
        try await Desk.run { desk in
            let before = try await desk.written(for: owner, Self.report(50, melody: 0.5))
            let after = try await desk.written(for: owner, Self.report(60, melody: 0.55))
            let other = try await desk.written(for: owner, Self.report(60, melody: nil, rules: 3))
            let old = try await desk.written(for: owner)
            var answer = try await ask("/v1/reports/compare?a=\(before)&b=\(after)", desk).json
            #expect(answer["comparable"] == true && answer["reasons"] == [])
            #expect(answer["measures"]?["confidenceScore"]?["verdict"] == "better")
            #expect(answer["measures"]?["confidenceScore"]?["change"]?.doubleValue == 10)
            // Within the repeatability.
            #expect(answer["measures"]?["tonalVariety"]?["verdict"] == "same")
            #expect(answer["measures"]?["wordCount"]?["verdict"] == .null)
            answer = try await ask("/v1/reports/compare?a=\(after)&b=\(before)", desk).json
            #expect(answer["measures"]?["confidenceScore"]?["verdict"] == "worse")
            answer = try await ask("/v1/reports/compare?a=\(after)&b=\(other)", desk).json
            #expect(answer["comparable"] == false && answer["reasons"] == ["rules-differ"])
            #expect(answer["measures"]?["tonalVariety"]?["reasons"] == ["rules-differ", "not-valid"])
            #expect(answer["measures"]?["confidenceScore"]?["change"] == .null)
            answer = try await ask("/v1/reports/compare?a=\(old)&b=\(after)", desk).json
            #expect(answer["reasons"] == ["rules-unknown"])
            #expect(answer["measures"]?["confidenceScore"]?["a"]?["value"]?.doubleValue == 82)
            for query in ["", "?a=\(before)", "?a=\(before)&b=x"] {
                #expect(try await ask("/v1/reports/compare\(query)", desk).status == 400)
            }
            #expect(try await ask("/v1/reports/compare?a=\(before)&b=\(UUID.v7())", desk).status == 404)
            #expect(try await ask("/v1/reports/compare?a=\(before)&b=\(after)", desk, as: .v7()).status == 404)
        }
    }

    @Test func `narrows the list of reports by time, kind and tag`() async throws {
        try await Desk.run { desk in
            let first = try await desk.written(for: owner)
            var calm = Desk.report()
            calm["impressionTags"] = ["calm", "poised"]
            let second = try await desk.written(for: owner, calm)
            let time = try await desk.read(second, as: owner).json.string("createdAt")
            #expect(try await desk.history("?from=\(time)", as: owner).sessions == [second])
            #expect(try await desk.history("?to=\(time)", as: owner).sessions == [first])
            #expect(try await desk.history("?tag=poised", as: owner).sessions == [second])
            #expect(try await desk.history("?tag=poise", as: owner).sessions == [])
            #expect(try await desk.history("?kind=mirrormate", as: owner).sessions == [second, first])
            #expect(try await desk.history("?kind=skinlab", as: owner).sessions == [])
            let page = try await desk.history("?limit=1&kind=mirrormate", as: owner)
            let rest = try await desk.history(
                "?limit=1&kind=mirrormate&cursor=\(page.json.string("nextCursor"))", as: owner)
            #expect(page.sessions + rest.sessions == [second, first])
            #expect(try await desk.history("?from=yesterday", as: owner).code == "invalid-request")
        }
    }

    @Test func `is gone with its user`() async throws {
        try await Desk.run { desk in
            let session = UUID.v7()
            try await begin(session, desk, in: "Asia/Tokyo", at: "2026-03-01T20:00:00Z")
            try await desk.complete(session, of: owner, desk.store(Self.report(50)))
            try await begin(.v7(), desk, in: "Asia/Tokyo", at: "2026-03-02T20:00:00Z")
            #expect(try await ask("/v1/progress", desk).json["totals"]?["reports"] == 1)
            try await desk.group.deliver(desk.topic.message(UserErased(userId: owner)))
            #expect(try await ask("/v1/progress", desk).json["totals"]?["reports"] == 0)
            #expect(try await ask("/v1/progress/tonalVariety", desk).json.array("items") == [])
            #expect(try await desk.group.count("select count(*) from report_history") == 0)
        }
    }

    @Test func `keeps what was measured in the log, and no words`() async throws {
        try await Desk.run { desk in
            let session = try await desk.written(for: owner, Self.report(50))
            let event = try #require(try await desk.group.first.store.read(Report.stream(session)).first)
            #expect(event.type == EventType("ReportWritten", 3))
            guard case .written(_, _, _, _, let basis?, _) = try event.decoded(as: ReportEvent.self) else {
                Issue.record("It does not say.")
                return
            }
            #expect(basis.measures["tonalVariety"]?.value == 0.5 && basis.rulesVersion == 4)
        }
    }
}
