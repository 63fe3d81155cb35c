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
import TestingSupport
import TestingTools

@testable import reporting

@Suite(.timeLimit(.minutes(10))) @Loop struct `A report of what was measured` {
    private let owner = UUID.v7()

    /// What the media helper measured of a recording.
    private let recording: JSONObject

    init() throws {
        let text = try Checkout.text(of: "Tests/Services/ReportTests/measured.jsonl")
        recording = try JSONObject.parse(try #require(text.split(separator: "\n").first).utf8)
    }

    /// Lets a recording become a report; its session.
    private func written(_ desk: Desk, for owner: UUID) async throws -> UUID {
        let session = UUID.v7()
        #expect(try await desk.measure(session, of: owner, desk.store(bytes: Desk.measured(recording))))
        #expect(try await desk.published(session) == ["ReportReady"])
        return session
    }

    private func wording(_ desk: Desk, _ session: UUID) async throws -> ReportWording? {
        guard case .written(_, _, _, let wording, _, _) = try await events(desk, session).first else { return nil }
        return wording
    }

    private func events(_ desk: Desk, _ session: UUID) async throws -> [ReportEvent] {
        try await desk.group.first.store.read(Report.stream(session)).map { try $0.decoded(as: ReportEvent.self) }
    }

    @Test func `is scored and worded here`() async throws {
        try await Desk.run { desk in
            let session = try await written(desk, for: owner)
            let report = try await desk.read(session, as: owner).json
            #expect(report["rulesVersion"] == 4)
            #expect(report["confidenceScore"]?.intValue != nil)
            #expect(try report.uuid("sessionId") == session)
            #expect(report.keys.filter { $0 == "sessionId" || $0 == "createdAt" }.count == 2)
            let line = try await desk.history(as: owner).json.array("items").first
            #expect(line?["confidenceScore"] == report["confidenceScore"])
            let wording = try #require(try await wording(desk, session))
            #expect(report["wording"]?["language"]?.stringValue == wording.language)
            #expect(!wording.variants.isEmpty)
        }
    }

    @Test func `is judged by what its client said of the recording`() async throws {
        try await Desk.run { desk in
            let session = UUID.v7()
            let bytes = JSONValue.object([
                "brief": ["scenario": "pitch", "language": "de"], "measured": .object(recording),
            ]).bytes
            try await desk.measure(session, of: owner, desk.store(bytes: bytes))
            let report = try await desk.read(session, as: owner).json
            #expect(report["scenario"] == "pitch" && report["spokenLanguage"] == "de")
            #expect(report["transcript"] == .null)
        }
    }

    @Test func `gives the same person other sentences the next time, though the figures are the same`() async throws {
        try await Desk.run { desk in
            var last: JSONObject = [:]
            for _ in 1...4 {
                let report = try await desk.read(written(desk, for: owner), as: owner).json
                #expect(report["confidenceScore"]?.intValue != nil)
                for list in ["strengths", "areasForImprovement"] {
                    let texts = try report.array(list).compactMap(\.stringValue)
                    #expect(Set(texts).isDisjoint(with: (last[list]?.arrayValue ?? []).compactMap(\.stringValue)))
                    #expect(last[list] == nil || last[list]?.arrayValue?.count == texts.count)
                }
                #expect(report["feedback"] != last["feedback"])
                last = report
            }
            let points = try last.array("strengths") + last.array("areasForImprovement")
            #expect(!points.isEmpty)
        }
    }

    @Test func `says what changed since the owner's last one of its kind, and which goal is next`() async throws {
        try await Desk.run { desk in
            let first = try await written(desk, for: owner)
            #expect(try await desk.read(first, as: owner).json["sinceLast"] == .null)
            let proposal = try await desk.read(first, as: owner).json["nextGoal"]
            // A goal for another kind, a stranger's report, and one of another kind.
            let goal: JSONValue = ["measure": proposal?["measure"] ?? "tonalVariety", "kind": "dance", "atLeast": 0.5]
            #expect(try await desk.group.send("POST", "/v1/goals", as: owner, json: goal).status == 201)
            _ = try await written(desk, for: .v7())
            let dance = SessionIdentity(sessionId: .v7(), ownerId: owner, kind: SessionKind(rawValue: "dance"))
            try await desk.group.deliver(
                desk.topic.message(
                    SessionCreated(
                        dance, timeZone: "UTC", createdAt: .now(), expiresAt: .now() + .seconds(3_600))))
            try await desk.complete(dance.sessionId, of: owner, desk.store())
            let report = try await desk.read(written(desk, for: owner), as: owner).json
            let since = report["sinceLast"]
            #expect(since?["sessionId"] == .uuid(first) && since?["comparable"] == true)
            #expect(since?["measures"]?["confidenceScore"]?["verdict"] == "same")
            #expect(report["nextGoal"]?["measure"] == proposal?["measure"])
        }
    }

    @Test func `has the same words in a replay, told from the log alone`() async throws {
        try await Desk.run { desk in
            let stranger = UUID.v7()
            var sessions: [UUID] = []
            for person in [owner, stranger, owner, owner, stranger] {
                sessions.append(try await written(desk, for: person))
            }
            var last: [UUID: ReportWording] = [:]
            for session in sessions {
                let event = try #require(try await events(desk, session).first)
                guard case .written(let report, _, let summary, let wording, let basis, _) = event else { continue }
                let document = try JSONObject.parse(Desk.measured(recording))
                let again = AnalysisFinding(
                    measured: document, of: session, after: ReportsBefore(wording: last[report.ownerId]))
                guard case .report(let sameSummary, let sameWording, let sameBasis, let content) = again else {
                    Issue.record("No report can be made of it.")
                    continue
                }
                #expect(sameSummary == summary && sameWording == wording && sameBasis == basis)
                var answered = try await desk.read(session, as: report.ownerId).json
                // What is said of the reports before rests on their rows, not on the log.
                var same = content
                for member in ["sinceLast", "nextGoal"] { (same[member], answered[member]) = (nil, nil) }
                for member in ReportRows.ownMembers { answered[member] = nil }
                #expect(answered == same)
                last[report.ownerId] = wording
            }
            #expect(last.count == 2)
        }
    }

    @Test func `knows the owner's last one also while the read model is being folded anew`() async throws {
        try await Desk.run { desk in
            let first = try #require(try await wording(desk, written(desk, for: owner)))
            _ = try await desk.history(as: owner)
            _ = try await desk.group.administrator.query("delete from report_history")
            _ = try await desk.group.administrator.query("update projections set position = 0")
            let second = try #require(try await wording(desk, written(desk, for: owner)))
            #expect(first.variants.keys.sorted() == second.variants.keys.sorted())
            for (key, variant) in first.variants { #expect(second.variants[key] != variant, "\(key)") }
        }
    }

    @Test func `avoids the words of a ready one as well`() async throws {
        try await Desk.run { desk in
            let first = try #require(try await wording(desk, written(desk, for: .v7())))
            let ready = Desk.report().adding(["wording": .object(first.json)])
            let session = try await desk.written(for: owner, ready)
            #expect(try await wording(desk, session) == first)
            let second = try #require(try await wording(desk, written(desk, for: owner)))
            for (key, variant) in first.variants { #expect(second.variants[key] != variant, "\(key)") }
        }
    }

    @Test func `forgets how it was worded when it goes`() async throws {
        try await Desk.run { desk in
            let session = try await written(desk, for: owner)
            _ = try await desk.history(as: owner)
            #expect(try await desk.group.count("select count(*) from report_history where wording is not null") == 1)
            try await desk.delete(session, of: owner)
            _ = try await desk.history(as: owner)
            #expect(try await desk.group.count("select count(*) from report_history") == 0)
        }
    }

    @Test func `leaves what was said out of the log and of lists`() async throws {
        try await Desk.run { desk in
            var measured = recording
            measured["transcript"] = [
                "text": "planted words", "words": [["w": "planted", "start": 1, "end": 2]], "lowConfidence": false,
            ]
            let session = UUID.v7()
            try await desk.measure(session, of: owner, desk.store(bytes: Desk.measured(measured)))
            #expect(try await desk.read(session, as: owner).json["transcript"]?["text"] == "planted words")
            _ = try await desk.history(as: owner)
            for table in ["events", "report_history"] {
                let hits = "select count(*) from \(table) t where t::text like '%planted%'"
                #expect(try await desk.group.count(hits) == 0)
            }
        }
    }

    @Test func `fails when its document is missing, or nothing was measured in it`() async throws {
        try await Desk.run { desk in
            var missing = try await desk.store()
            missing.key = "documents/none"
            let texts = [
                "", "[]", "{}", "{\"brief\":{}}", "{\"brief\":{},\"measured\":{}}", "{\"report\":{}}",
                "{\"measured\":{\"durationMs\":1,\"measures\":{}}}",
                "{\"brief\":{},\"measured\":{\"durationMs\":1,\"measures\":{\"a\":3}}}",
                "{\"brief\":{},\"measured\":{\"durationMs\":900000000,\"measures\":{}}}",
            ]
            var documents = [(missing, FailureCode.reportMissing)]
            for text in texts {
                documents.append((try await desk.store(bytes: Array(text.utf8)), .reportUnreadable))
            }
            for (document, code) in documents {
                let session = UUID.v7()
                #expect(try await desk.measure(session, of: owner, document))
                let report = ReportIdentity(sessionId: session, ownerId: owner)
                #expect(try await events(desk, session) == [.failed(report, code)])
                #expect(try await desk.published(session) == ["ReportFailed"])
            }
        }
    }
}
