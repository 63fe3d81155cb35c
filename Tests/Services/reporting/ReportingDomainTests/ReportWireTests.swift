import Contracts
import EventSourcing
import EventSourcingTesting
import JSON
import Primitives
import ServiceKit
import Testing
import TestingSupport

@testable import reporting

private let f = Fixture.self
private let everyEvent: [ReportEvent] = [
    f.written, f.failed, f.deleted, f.deletedEarly, f.erased, f.subjectErased, f.counted, f.withdrawn, f.forgotten,
    f.grace, f.frozen, f.thawed, f.milestone, f.learned, f.goalSet, f.goalMet, f.goalMissed, f.goalDropped,
    f.shared, f.revoked, f.uploadNoted, f.exportRequested, f.exportReceived("identity"), f.exportReady, f.exportFailed,
    f.exportExpired, f.writtenPlaced, f.exportEmpty, f.exportDeleted,
    .written(f.report, f.otherDocument, f.emptySummary, nil, nil, nil),
    .retentionLearned(f.report, until: f.start), .retentionLearned(f.report, until: nil),
    f.drafted, f.asked, f.unanswered, f.paid,
    .wording(.drafted(f.report, ReportDraft(f.otherDocument, f.emptySummary, nil, nil))),
]

@Suite("The private events of reporting") struct ReportEventTests {
    @Test("are all in the list, in their newest version")
    func complete() { #expect(Set(everyEvent.map(\.type)) == goldenEvents(of: "reporting")) }

    @Test("come back from their stored form", arguments: everyEvent)
    func stored(event: ReportEvent) throws { #expect(try storedAndRead(event) == event) }

    /// The bytes of a session that counts, as ``ReportEvent/data`` has them.
    private static let counted = JSONValue.object(f.counted.data).bytes

    /// What both ways of reading the same bytes come to: an event, or why there is none.
    private static func ways(_ text: [UInt8]) -> [Result<ReportEvent, EventDecodingError>] {
        let type = f.counted.type
        return [
            Result { () throws(EventDecodingError) in try ReportEvent.decode(type, stored: text) },
            Result { () throws(EventDecodingError) in try ReportEvent.decode(type, parsing: text) },
        ]
    }

    @Test("that count a session are read the short way as this build writes them")
    func short() {
        let east = ReportEvent.practiceCounted(
            f.day, sessionId: f.id,
            PracticeTime(
                startedAt: f.start + .microseconds(7), endedAt: f.start + .seconds(60), activeSeconds: 1,
                timeZone: "America/Argentina/Buenos_Aires", utcOffsetSeconds: -10_800))
        for event in [f.counted, f.countedLonger, east] {
            for text in [JSONValue.object(event.data).text, JSONValue.object(event.data).prettyText] {
                #expect(Array(text.utf8).withUnsafeBufferPointer(ReportEvent.readCounted) == event, "\(text)")
            }
        }
    }

    @Test(
        "that count a session are the same by the short way and by the general one, in whatever form of JSON",
        arguments: [
            (#""activeSeconds":600"#, #""activeSeconds":6e2"#), (#""activeSeconds":600"#, #""activeSeconds":600.0"#),
            (#""activeSeconds":600"#, #""activeSeconds":0600"#), (#""activeSeconds":600"#, #""activeSeconds":-0"#),
            (#""activeSeconds":600"#, #""activeSeconds":"600""#), (#""activeSeconds":600"#, #""activeSeconds":-"#),
            (#""activeSeconds":600"#, #""activeSeconds":9223372036854775807"#),
            (#""activeSeconds":600"#, #""activeSeconds":9223372036854775808"#),
            (#""activeSeconds":600,"#, ""), (#""activeSeconds":600,"#, #""activeSeconds":600,"activeSeconds":600,"#),
            (#""activeSeconds":600,"#, #""activeSeconds":600,"later":{"a":[1]},"#),
            (#""kind":"meditation","#, #""kind":null,"#), (#""kind":"meditation","#, #""kind":"\u006deditation","#),
            (#""kind":"meditation","#, #""kind":"médit\u00e9","#), (#""kind":"meditation","#, #""kind":"","#),
            (#""kind":"meditation","#, ""), (#"{"ownerId""#, #"{"kind":"meditation","ownerId""#),
            (#"{"ownerId""#, #" {"owner\u0049d""#), (#"{"ownerId""#, #"[{"ownerId""#), (#"{"#, ""), ("}", ""),
            ("}", "}}"),
            ("}", ",}"), ("}", "} x"), ("}", "}\t\r\n "), (":", " : "), (",", ",,"), (",", " ,\n"), ("T", "t"),
            ("Z", "+01:00"),
            ("2026", "2027"), ("-7000-", "-7000"), ("019a9c60", "019A9C60"), ("Europe/", #"Europe\/"#),
        ])
    func ways(_ part: String, _ other: String) {
        let text = String(decoding: Self.counted, as: UTF8.self)
        #expect(text.contains(part))
        let ways = Self.ways(Array(text.replacing(part, with: other).utf8))
        #expect(ways[0] == ways[1])
    }

    @Test("that count a session are the same by both ways when any bytes of them are others")
    func mutated() {
        var random = SeededRandom(seed: 19)
        var read = 0
        for _ in 0..<5_000 {
            var text = Self.counted
            for _ in 0...random.below(2) {
                let place = random.below(text.count)
                switch random.below(4) {
                case 0: text.remove(at: place)
                case 1: text.insert(random.pick(Self.counted)!, at: place)
                case 2: text[place] = UInt8(random.below(256))
                default: text[place] = random.pick(Self.counted)!
                }
            }
            let ways = Self.ways(text)
            #expect(ways[0] == ways[1], "\(String(decoding: text, as: UTF8.self))")
            if case .success = ways[0] { read += 1 }
        }
        #expect(read > 50)
    }

    @Test("of another version or name stop the reader")
    func unknown() {
        for type in [EventType("ReportWritten", 4), EventType("ReportPainted")] {
            #expect(throws: EventDecodingError.unknownType(type)) { try ReportEvent.decode(type, f.written.data) }
        }
    }

    @Test("that miss a member are named")
    func malformed() {
        #expect(
            throws: EventDecodingError.malformed(
                EventType("ReportFailed"), JSONError(.missing, at: "code", "is missing"))
        ) { try ReportEvent.decode(EventType("ReportFailed"), f.erased.data) }
    }

    @Test("have names that never change, and are published as at most one message")
    func names() {
        #expect(
            everyEvent.prefix(26).map(\.type.description) == [
                "ReportWritten.v3", "ReportFailed.v1", "ReportDeleted.v1", "ReportDeleted.v1", "ReportErased.v1",
                "SubjectErased.v1", "PracticeCounted.v1", "PracticeWithdrawn.v1", "PracticeForgotten.v1",
                "GraceChanged.v1", "DayFrozen.v1", "DayThawed.v1", "MilestoneReached.v1", "RecordingLearned.v1",
                "GoalSet.v1", "GoalMet.v2", "GoalMissed.v1", "GoalDropped.v1", "ReportShared.v1",
                "ShareRevoked.v1", "UploadNoted.v1", "ExportRequested.v1",
                "ExportPartReceived.v1", "ExportReady.v1", "ExportFailed.v1", "ExportClosed.v1",
            ])
        #expect(
            everyEvent.prefix(26).map { PublishedByReporting.outgoing(for: $0)?.type.name ?? "-" } == [
                "ReportReady", "ReportFailed", "ReportDeleted", "-", "-", "SubjectErased", "-", "-", "-", "-", "-", "-",
                "MilestoneReached", "-", "-", "GoalMet", "-", "-", "-", "-", "-", "ExportRequested", "-", "-",
                "ExportClosed",
                "ExportClosed",
            ])
    }

    @Test("of goals that were met before others heard of it are told nobody")
    func goalsOfBefore() throws {
        var data = f.goalMet.data
        data["announced"] = nil
        let before = try ReportEvent.decode(EventType("GoalMet", 1), data)
        #expect(before == .goalMet(ownerId: f.owner, goalId: f.goal.goalId, f.hits, isAnnounced: false))
        #expect(PublishedByReporting.outgoing(for: before) == nil)
        #expect(try storedAndRead(before) == before)
        #expect(
            PublishedByReporting.outgoing(for: f.goalMet)
                == Outgoing(GoalMet(ownerId: f.owner, goalId: f.goal.goalId)))
    }

    @Test("of before a report said what its figures rest on are read without it")
    func olderVersions() throws {
        var data = f.writtenPlaced.data
        for member in ["basis", "recording"] { data[member] = nil }
        let older = ReportEvent.written(f.report, f.document, f.summary, f.wording, nil, nil)
        #expect(try ReportEvent.decode(EventType("ReportWritten", 2), data) == older)
        data["wording"] = nil
        let oldest = ReportEvent.written(f.report, f.document, f.summary, nil, nil, nil)
        #expect(try ReportEvent.decode(EventType("ReportWritten", 1), data) == oldest)
    }
}

@Suite("What the figures of a report rest on") struct ReportBasisTests {
    private let report: JSONObject = [
        "rulesVersion": 4, "spokenLanguage": "de-CH", "scenario": "pitch",
        "engines": [
            "asr": "moonshine", "thresholds": 3, "odd": "two\nlines", "a name": "x", "vision": "openai/gpt-4o-mini",
        ],
        "measures": [
            "tonalVariety": ["value": 0.75, "valid": true, "lowConfidence": true, "version": 2, "unit": "0-1"],
            "fillerWords": ["value": ["um": 3, "like": 1], "valid": true],
            "impressionTags": ["value": ["calm"], "valid": true],
            "clarity": ["value": .null, "valid": false, "code": "too-noisy", "reason": "said in words"],
            "odd code": ["value": 1, "valid": true],
            "emotionBreakdown": ["value": .null, "valid": false, "code": "no code at all"],
            "hugePct": ["value": 1e12, "valid": true],
        ],
        "firstStep": ["exercise": "said in words", "measures": ["tonalVariety", "not measured"]],
    ]

    @Test("is taken from the report as numbers and codes; what is neither is left out")
    func taken() throws {
        let basis = try #require(ReportBasis(report: report))
        #expect(basis.rulesVersion == 4 && basis.language == "de-CH" && basis.scenario == "pitch")
        #expect(basis.engines == ["asr": "moonshine", "thresholds": "3", "vision": "openai/gpt-4o-mini"])
        #expect(
            basis.measures == [
                "tonalVariety": .init(0.75, isUncertain: true, version: 2), "fillerWords": .init(4),
                "clarity": .init(nil, code: "too-noisy"), "emotionBreakdown": .init(nil),
            ])
        #expect(basis.exercise == ["tonalVariety"])
        #expect(try ReportBasis(basis.json) == basis)
        let text = JSONValue.object(basis.json).text
        #expect(!text.contains("said in words") && !text.contains("no code"))
    }

    @Test("is not known of a report without measures")
    func unknown() { #expect(ReportBasis(report: ["rulesVersion": 4]) == nil) }
}

@Suite("The messages that reporting reads") struct ReportReactionTests {
    private func incoming<M: PublishedMessage>(_ message: M) -> Incoming {
        Incoming(id: f.id, type: M.type, time: f.start, data: message.json)
    }

    @Test("become commands to the session's report")
    func reactions() throws {
        let stream = Report.stream(f.id)
        let id = f.id, owner = f.owner, kind = SessionKind.mirrormate
        #expect(
            try Report.reactions.reaction(
                to: incoming(
                    SessionCancelled(SessionIdentity(sessionId: id, ownerId: owner, kind: kind), analysisStarted: true))
            )
                == .apply(stream, .discard(f.report, .cancelled)))
        #expect(
            try Report.reactions.reaction(
                to: incoming(
                    SessionFailed(
                        SessionIdentity(sessionId: id, ownerId: owner, kind: kind), code: .processingTimeout,
                        retryable: true)))
                == .apply(stream, .discard(f.report, .failed)))
        #expect(
            try Report.reactions.reaction(
                to: incoming(SessionExpired(SessionIdentity(sessionId: id, ownerId: owner, kind: kind))))
                == .apply(stream, .discard(f.report, .expired)))
        #expect(
            try Report.reactions.reaction(
                to: incoming(
                    SessionDeleted(SessionIdentity(sessionId: id, ownerId: owner, kind: kind), wasComplete: true)))
                == .apply(stream, .discard(f.report, .deleted)))
        let reference = SessionReference(sessionId: id, ownerId: owner)
        #expect(
            try Report.reactions.reaction(to: incoming(MediaKept(reference, until: f.start)))
                == .apply(stream, .learnRetention(f.report, until: f.start)))
        #expect(
            try Report.reactions.reaction(to: incoming(MediaRemoved(reference)))
                == .apply(stream, .learnRetention(f.report, until: nil)))
        #expect(
            try Report.reactions.reaction(to: incoming(UserErased(userId: owner)))
                == .erase(subject: owner))
        #expect(
            try Report.reactions.reaction(to: incoming(UserRegistered(userId: owner, kind: .user)))
                == .ignore)
    }

    @Test("note when and where a session was begun")
    func begun() throws {
        let session = SessionIdentity(sessionId: f.id, ownerId: f.owner, kind: .mirrormate)
        let created = SessionCreated(
            session, timeZone: "Asia/Tokyo", createdAt: f.recording.begunAt, expiresAt: f.start)
        #expect(
            try Report.reactions.reaction(to: incoming(created), found: f.recording)
                == .apply(Report.stream(f.id), .learn(f.report, f.recording)))
        #expect(Recording(recalledFrom: f.learned, of: created) == f.recording)
        #expect(Recording(recalledFrom: nil, of: created).timeZone == "UTC")
        #expect(f.recording.day.description == "2026-11-18")
    }

    @Test("count a logged session on its local day, and withdraw it there")
    func practice() throws {
        let session = SessionIdentity(sessionId: f.id, ownerId: f.owner, kind: .meditation)
        let counted = Reaction<ReportCommand>.apply(f.day.stream, .count(f.day, sessionId: f.id, f.time()))
        #expect(try Report.reactions.reaction(to: incoming(SessionLogged(session, time: f.time()))) == counted)
        #expect(try Report.reactions.reaction(to: incoming(SessionCorrected(session, time: f.time()))) == counted)
        for reason in [WithdrawalReason.deleted, .moved, .handedOver] {
            #expect(
                try Report.reactions.reaction(to: incoming(SessionWithdrawn(session, time: f.time(), reason: reason)))
                    == .apply(f.day.stream, .withdraw(f.day, sessionId: f.id)))
        }
        #expect(f.day.day.description == "2026-11-18" && PracticeDayIdentity(key: f.day.text) == f.day)
    }

    @Test("that miss a member are refused")
    func malformed() {
        let broken = Incoming(id: f.id, type: AnalysisCompleted.type, time: f.start, data: [:])
        #expect(throws: JSONError.self) { try Report.reactions.concerns(broken) }
    }

    /// The command that follows from an analysis that made the report itself.
    private func asked(by report: JSONObject?) throws -> ReportCommand? {
        let finding = AnalysisFinding(ready: report.map { ["report": .object($0)] })
        guard
            case .apply(Report.stream(f.id), let command) =
                try Report.reactions.reaction(to: incoming(f.completedReady), found: finding)
        else { return nil }
        return command
    }

    private static let document: JSONObject = [
        "confidenceScore": 82, "scoreCoverage": 65, "scoreRange": ["low": 80, "high": 84],
        "vocalAnalysis": ["paceWordsPerMin": 150], "gaze": ["eyeContactPct": 0.9],
        "fillerWords": ["like": 3, "so": 1], "durationSec": 28, "impressionTags": ["confident", "poised"],
        "feedback": "a secret text",
        "wording": ["language": "en", "variants": ["feedback.strong": 1, "strength.facesCamera": 0]],
    ]

    @Test("write the numbers of the document, and none of its texts")
    func write() throws {
        #expect(
            try asked(by: Self.document)
                == .write(f.report, document: f.document, f.summary, f.wording, nil, content: Self.document))
        #expect(!JSONValue.object(f.written.data).text.contains("secret"))
    }

    @Test("keep as nil what could not be assessed")
    func nulls() throws {
        let document: JSONObject = [
            "confidenceScore": .null, "vocalAnalysis": ["paceWordsPerMin": .null], "gaze": ["eyeContactPct": .null],
            "fillerWords": .null, "durationSec": 3, "impressionTags": [],
        ]
        #expect(
            try asked(by: document)
                == .write(f.report, document: f.document, f.emptySummary, nil, nil, content: document))
    }

    @Test("fail the report whose document is missing")
    func missing() throws {
        #expect(
            try asked(by: nil) == .fail(f.report, .reportMissing))
    }

    @Test(
        "fail the report whose document is out of range or holds text where a number or a tag belongs",
        arguments: [
            ("confidenceScore", 101), ("confidenceScore", 81.5), ("durationSec", "28"), ("durationSec", .null),
            ("gaze", ["eyeContactPct": 90]), ("impressionTags", ["mail me at a@b.c"]), ("fillerWords", ["um": "x"]),
            ("impressionTags", ["a", "b", "c", "d", "e", "f"]), ("vocalAnalysis", ["paceWordsPerMin": -1]),
            ("scoreCoverage", 101), ("scoreCoverage", "65"),
            ("scoreRange", ["low": 80]), ("scoreRange", ["low": 84, "high": 80]),
            ("scoreRange", ["low": 80, "high": 101]),
            ("wording", ["language": "en"]), ("wording", ["language": "a@b.c", "variants": [:]]),
            ("wording", ["language": "en", "variants": ["you said so": 1]]),
            ("wording", ["language": "en", "variants": ["feedback.strong": -1]]), ("wording", "en"),
        ] as [(String, JSONValue)])
    func unreadable(member: String, value: JSONValue) throws {
        var document = Self.document
        document[member] = value
        #expect(
            try asked(by: document) == .fail(f.report, .reportUnreadable))
    }
}

@Suite("The history of reports") struct ReportProjectionTests {
    private func row(after events: [ReportEvent]) -> ReportHistoryRow? {
        events.reduce(nil) { ReportProjection.evolve($0, $1, key: f.id, recordedAt: f.start) }
    }

    @Test("has a row from the writing of a report to its removal")
    func life() {
        #expect(
            row(after: [f.written])
                == ReportHistoryRow(
                    sessionId: f.id, reportId: f.report.reportId, ownerId: f.owner, createdAt: f.start,
                    summary: f.summary, wording: f.wording, basis: f.basis, recording: nil))
        #expect(row(after: [f.learned]) == nil)
        // Known before or learned after: the same row.
        #expect(row(after: [f.written, f.learned]) == row(after: [f.writtenPlaced]))
        #expect(row(after: [f.writtenPlaced])?.recording == f.recording)
        #expect(row(after: [f.written, .retentionLearned(f.report, until: f.start)])?.keptUntil == f.start)
        #expect(
            row(after: [
                f.written, .retentionLearned(f.report, until: f.start), .retentionLearned(f.report, until: nil),
            ]) == row(after: [f.written]))
        for end in [f.deleted, f.erased] { #expect(row(after: [f.written, end]) == nil) }
        #expect(row(after: [f.failed]) == nil)
        #expect(row(after: [f.deletedEarly]) == nil)
        #expect(ReportProjection.keys(of: f.written) == [f.id])
        #expect(ReportProjection.keys(of: f.subjectErased) == [])
    }
}
