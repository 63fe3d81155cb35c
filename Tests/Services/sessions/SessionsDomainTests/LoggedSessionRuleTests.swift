import Configuration
import Contracts
import EventSourcing
import EventSourcingTesting
import EventStore
import HTTPServer
import JSON
import Primitives
import Testing

@testable import sessions

/// One logged session and all that can be said of it.
enum Logged {
    static let f = Fixture.self
    static let session = SessionIdentity(sessionId: f.id, ownerId: f.owner, kind: .meditation)
    static let first = practice(at: 0)
    /// On the same day.
    static let longer = practice(at: 0, active: 900)
    /// The same as first, at another place.
    static var elsewhere: LoggedPractice {
        var practice = first
        practice.time.timeZone = "Asia/Tokyo"
        practice.time.utcOffsetSeconds = 32_400
        return practice
    }
    /// A day later.
    static let nextDay = practice(at: 86_400)

    static let logged = SessionEvent.logged(session, first)
    static let corrected = SessionEvent.corrected(session, longer)
    static let moved = SessionEvent.withdrawn(session, first.time, .moved)
    static let loggedThere = SessionEvent.logged(session, nextDay)
    static let withdrawn = SessionEvent.withdrawn(session, first.time, .deleted)
    static let dropped = SessionEvent.withdrawn(session, first.time, .repeated)

    static func practice(at seconds: Int64, active: Int64 = 600) -> LoggedPractice {
        let start = Fixture.start.adding(seconds: seconds)
        return LoggedPractice(
            PracticeTime(
                startedAt: start, endedAt: start.adding(seconds: 1_200), activeSeconds: active,
                timeZone: "Europe/Berlin", utcOffsetSeconds: 3_600),
            pauses: [.init(startedAt: start.adding(seconds: 60), endedAt: start.adding(seconds: 120))])
    }
}

/// The states of a logged session that rules tell apart.
enum LoggedState: CaseIterable {
    case absent, logged, corrected, moved, usedUp, deleted, repeated, erased

    var given: Specification<LoggedSession> {
        let l = Logged.self
        return switch self {
        case .absent: Specification([])
        case .logged: Specification([l.logged])
        case .corrected: Specification([l.logged, l.corrected])
        case .moved: Specification([l.logged, l.moved, l.loggedThere])
        case .usedUp:
            Specification([l.logged] + [SessionEvent](repeating: l.corrected, count: LoggedSession.mostCorrections))
        case .deleted: Specification([l.logged, l.withdrawn])
        case .repeated: Specification([l.logged, l.dropped])
        case .erased: Specification([l.logged, Fixture.erased])
        }
    }
}

@Suite("Every state of a logged session and every command") struct LoggedSessionRuleTests {
    private static let f = Fixture.self
    private static let l = Logged.self

    static let rules: [CommandRule<LoggedState, LoggedSession>] = [
        .init(
            "log", .log(l.session, l.first), .gives("SessionLogged", in: .absent), .refuses(.deleted, in: .deleted),
            .refuses(.exists, in: .repeated, .erased), .nothing()),
        .init(
            "log without a place", .log(l.session, l.elsewhere, isZoneTold: false),
            .gives("SessionLogged", in: .absent), .refuses(.deleted, in: .deleted),
            .refuses(.exists, in: .repeated, .erased),
            .nothing()),
        .init(
            "log at another place", .log(l.session, l.elsewhere), .gives("SessionLogged", in: .absent),
            .refuses(.exists)),
        .init(
            "log what it is after a correction", .log(l.session, l.longer), .gives("SessionLogged", in: .absent),
            .nothing(in: .corrected, .usedUp), .refuses(.exists)),
        .init(
            "log what it is on another day", .log(l.session, l.nextDay), .gives("SessionLogged", in: .absent),
            .nothing(in: .moved), .refuses(.exists)),
        .init(
            "log something else", .log(l.session, l.practice(at: 7)), .gives("SessionLogged", in: .absent),
            .refuses(.exists)),
        .init(
            "a stranger logs under its id",
            .log(SessionIdentity(sessionId: f.id, ownerId: f.other, kind: .meditation), l.first),
            .gives("SessionLogged", in: .absent), .refuses(.exists)),
        .init(
            "correct, same day", .correct(by: f.owner, l.longer),
            .gives("SessionCorrected", in: .logged), .nothing(in: .corrected, .usedUp),
            .gives("SessionWithdrawn", "SessionLogged", in: .moved), .refuses(.unknown)),
        .init(
            "correct, another day", .correct(by: f.owner, l.nextDay),
            .gives("SessionWithdrawn", "SessionLogged", in: .logged, .corrected), .nothing(in: .moved),
            .refuses(.correctionsUsedUp, in: .usedUp), .refuses(.unknown)),
        .init("a stranger corrects", .correct(by: f.other, l.longer), .refuses(.unknown)),
        .init(
            "delete", .delete(by: f.owner),
            .gives("SessionWithdrawn", in: .logged, .corrected, .moved, .usedUp), .refuses(.unknown)),
        .init(
            "drop as a repeat", .dropRepeat(by: f.owner),
            .gives("SessionWithdrawn", in: .logged, .corrected, .moved, .usedUp), .refuses(.unknown)),
        .init("a stranger's is dropped as a repeat", .dropRepeat(by: f.other), .refuses(.unknown)),
        .init("a stranger deletes", .delete(by: f.other), .refuses(.unknown)),
        .init(
            "hand over", .handOver(from: f.owner, to: f.other),
            .gives("SessionWithdrawn", "SessionLogged", in: .logged, .corrected, .moved, .usedUp), .nothing()),
        .init("hand over what is another one's", .handOver(from: f.other, to: f.owner), .nothing()),
        .init("erase", .erase, .nothing(in: .absent, .deleted, .repeated, .erased), .gives("SessionErased")),
    ]

    @Test("has the stated outcome", arguments: rules)
    func outcome(rule: CommandRule<LoggedState, LoggedSession>) { #expect(rule.violations(given: \.given) == []) }

    @Test("answers a repetition of what changed something with nothing or a refusal")
    func repeated() {
        for rule in Self.rules {
            for state in LoggedState.allCases {
                guard case .events(let events) = state.given.when(rule.command), !events.isEmpty else { continue }
                if case .events(let again) = state.given.after(rule.command).when(rule.command) {
                    #expect(again.isEmpty, "\(rule) twice when \(state)")
                }
            }
        }
    }

    @Test("tells others each day of it once, and withdraws it from the day before it comes to another one")
    func days() {
        for first in Self.rules {
            for second in Self.rules {
                for third in Self.rules {
                    let commands = [first.command, second.command, third.command]
                    let history = LoggedState.logged.given.after(commands).history
                    var days: [LocalDay] = []
                    for event in history {
                        switch event {
                        case .logged(_, let practice):
                            days.append(practice.time.day)
                            #expect(days.count == 1, "\(first), then \(second), then \(third)")
                        case .corrected(_, let practice): #expect(days == [practice.time.day])
                        case .withdrawn(_, let time, _):
                            #expect(days == [time.day])
                            days = []
                        default: break
                        }
                    }
                }
            }
        }
    }

    @Test("is forgotten with its owner, as a session that has ended", arguments: LoggedState.allCases)
    func erasure(state: LoggedState) {
        let there = [.logged, .corrected, .moved, .usedUp].contains(state)
        #expect(
            Given(state.given.history).when(.erase)
                == .events(there ? [.erased(Logged.session)] : []), "\(state)")
    }

    @Test(
        "is its next owner's from a hand-over on, as it was told, and nobody else's",
        arguments: [LoggedState.logged, .corrected, .moved, .usedUp])
    func handedOver(state: LoggedState) throws {
        let command = LoggedSessionCommand.handOver(from: Self.f.owner, to: Self.f.other)
        let after = state.given.after(command)
        let handed = SessionIdentity(sessionId: Self.f.id, ownerId: Self.f.other, kind: .meditation)
        guard case .logged(_, let before) = state.given.state else { throw Failed() }
        #expect(after.state == .logged(handed, before))
        // The next one, and nobody before.
        #expect(after.when(.delete(by: Self.f.owner)) == .refusal(.unknown))
        #expect(after.when(.log(Self.l.session, Self.l.first)) == .refusal(.exists))
        #expect(after.when(.log(handed, Self.l.first)) == .events([]))
        #expect(after.when(.delete(by: Self.f.other)) == .events([.withdrawn(handed, before.newest.time, .deleted)]))
        #expect(Given(after.history).when(.erase) == .events([.erased(handed)]))
        let record = after.history.suffix(2)
        let calls = LoggedSession.rowCalls(for: command, state.given.state, Array(record))
        #expect(calls.map(\.name) == ["count_logged", "hand_over_logged"])
        #expect(calls[0].arguments["ownerId"] == .uuid(Self.f.other))
    }

    private struct Failed: Error {}

    @Test("says why it no longer counts: its owner's wish, or that another session tells the same sitting")
    func reasons() {
        let given = LoggedState.corrected.given
        let time = Self.l.longer.time
        #expect(given.when(.delete(by: Self.f.owner)) == .events([.withdrawn(Self.l.session, time, .deleted)]))
        #expect(given.when(.dropRepeat(by: Self.f.owner)) == .events([.withdrawn(Self.l.session, time, .repeated)]))
    }

    @Test("counts every session that comes to a day against that day's limit")
    func counted() {
        let log = LoggedSession.rowCalls(for: .log(Self.l.session, Self.l.first), .absent, [Self.l.logged])
        #expect(log.map(\.name) == ["count_logged"])
        #expect(log.first?.arguments["day"]?.intValue == Self.l.first.time.day.number)
        let moved = LoggedSession.rowCalls(
            for: .correct(by: Self.f.owner, Self.l.nextDay), .absent, [Self.l.moved, Self.l.loggedThere])
        #expect(moved.map { $0.arguments["day"]?.intValue } == [Self.l.nextDay.time.day.number])
        #expect(LoggedSession.rowCalls(for: .delete(by: Self.f.owner), .absent, [Self.l.withdrawn]).isEmpty)
    }
}

@Suite("What a client tells of a session") struct PracticeTellingTests {
    private static let now = Fixture.start
    private static let good: JSONObject = [
        "id": .uuid(Fixture.id), "kind": "meditation", "startedAt": "2026-11-17T08:00:00+01:00",
        "endedAt": "2026-11-17T08:20:00+01:00", "activeSeconds": 1_140,
        "pauses": [["startedAt": "2026-11-17T07:05:00Z", "endedAt": "2026-11-17T07:06:00Z"]],
        "timeZone": "Europe/Berlin",
    ]

    private static func read(_ changes: [(String, JSONValue?)]) throws -> PracticeTelling {
        var body = good
        for (member, value) in changes { body[member] = value }
        return try PracticeTelling(body, .builtIn, PracticeSettings(.init([:])), at: now)
    }

    @Test("is taken with any offset, and to the second") func taken() throws {
        let telling = try Self.read([])
        #expect(telling.startedAt == Timestamp(rfc3339: "2026-11-17T07:00:00Z"))
        #expect(telling.pauses.count == 1)
        #expect(
            try Self.read([("activeSeconds", 1_140), ("endedAt", "2026-11-17T08:19:59.5+01:00")]).activeSeconds == 1_140
        )
    }

    private static let bad: [(String, JSONValue?, String)] = [
        ("kind", "dance", "kind-unknown"), ("kind", "mirrormate", "kind-unknown"), ("kind", nil, "invalid-json"),
        ("startedAt", "yesterday", "invalid-json"), ("endedAt", "2026-11-17T07:00:00Z", "invalid-request"),
        ("activeSeconds", 0, "invalid-request"), ("activeSeconds", 86_401, "invalid-request"),
        ("activeSeconds", 12.5, "invalid-json"), ("activeSeconds", 1_142, "invalid-request"),
        ("note", "I felt", "member-unknown"), ("pauses", "none", "invalid-json"), ("pauses", [7], "invalid-json"),
        ("pauses", [["startedAt": "2026-11-17T06:59:00Z", "endedAt": "2026-11-17T07:00:30Z"]], "invalid-request"),
        ("pauses", [["startedAt": "2026-11-17T07:19:00Z", "endedAt": "2026-11-17T07:21:00Z"]], "invalid-request"),
        ("pauses", [["startedAt": "2026-11-17T07:05:00Z", "endedAt": "2026-11-17T07:05:00Z"]], "invalid-request"),
        (
            "pauses",
            [
                ["startedAt": "2026-11-17T07:05:00Z", "endedAt": "2026-11-17T07:05:30Z"],
                ["startedAt": "2026-11-17T07:05:20Z", "endedAt": "2026-11-17T07:05:40Z"],
            ], "invalid-request"
        ),
        ("endedAt", "2026-11-18T20:00:00Z", "practice-in-future"),
        ("startedAt", "2025-11-17T08:00:00+01:00", "invalid-request"), ("id", "one", "invalid-json"),
    ]

    @Test("is refused with the reason", arguments: bad.indices) func refused(row: Int) {
        let (member, value, code) = Self.bad[row]
        let error = #expect(throws: (any Error).self) { try Self.read([(member, value)]) }
        #expect(error.flatMap { PracticeBatch.refusal($0) }?.code.description == code, "\(member)")
    }

    @Test("must be recent and over") func times() {
        let old = #expect(throws: Problem.self) {
            try Self.read([
                ("startedAt", "2025-11-17T07:00:00Z"), ("endedAt", "2025-11-17T07:30:00Z"), ("pauses", nil),
            ])
        }
        #expect(old?.code == .practiceTooOld)
        let ahead = #expect(throws: Problem.self) {
            try Self.read([
                ("endedAt", .time(Self.now.adding(seconds: 301))), ("startedAt", .time(Self.now)), ("pauses", nil),
                ("activeSeconds", 60),
            ])
        }
        #expect(ahead?.code == .practiceInFuture)
        #expect(throws: Never.self) {
            try Self.read([
                ("endedAt", .time(Self.now.adding(seconds: 299))), ("startedAt", .time(Self.now)), ("pauses", nil),
                ("activeSeconds", 60),
            ])
        }
    }
}

@Suite("The list of logged sessions") struct PracticeProjectionTests {
    private func row(_ given: Specification<LoggedSession>) -> PracticeRow? {
        given.history.enumerated().reduce(nil as PracticeRow?) { row, step in
            PracticeProjection.evolve(
                row, step.element, key: Fixture.id, recordedAt: Fixture.start.adding(seconds: Int64(step.offset)))
        }
    }

    @Test("shows a session as it was told last") func life() {
        #expect(row(LoggedState.absent.given) == nil)
        #expect(row(LoggedState.logged.given)?.practice == Logged.first)
        #expect(row(LoggedState.corrected.given)?.practice == Logged.longer)
        let moved = row(LoggedState.moved.given)
        #expect(moved?.practice == Logged.nextDay)
        #expect(moved?.loggedAt == Fixture.start && moved?.updatedAt == Fixture.start.adding(seconds: 2))
        #expect(row(LoggedState.deleted.given) == nil)
        #expect(row(LoggedState.repeated.given) == nil)
        #expect(row(LoggedState.erased.given) == nil)
    }

    @Test("comes back from its columns") func columns() throws {
        let found = try #require(row(LoggedState.corrected.given))
        #expect(try PracticeRow(found.values.adding(["key": .uuid(found.id)])) == found)
    }

    @Test("has nothing of other sessions, and their list nothing of these") func apart() {
        for event in [Logged.logged, Logged.corrected, Logged.withdrawn] {
            #expect(PracticeProjection.keys(of: event) == [Fixture.id])
            #expect(SessionProjection.keys(of: event) == [])
        }
        #expect(PracticeProjection.keys(of: Fixture.created) == [])
    }
}
