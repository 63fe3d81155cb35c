import Contracts
import EventSourcing
import EventSourcingTesting
import Primitives
import Progress
import Testing

@testable import reporting

/// The states of somebody's goals that rules tell apart.
enum GoalsState: CaseIterable {
    case none, open, full, met, missed, dropped

    var given: Specification<Goals> {
        let f = Fixture.self
        return switch self {
        case .none: Specification([])
        case .open: Specification([f.goalSet])
        case .full: Specification([f.goalSet] + GoalsRuleTests.others.map { .goalSet(ownerId: f.owner, $0) })
        case .met: Specification([f.goalSet, f.goalMet])
        case .missed: Specification([f.goalSet, f.goalMissed])
        case .dropped: Specification([f.goalSet, f.goalDropped])
        }
    }
}

@Suite("Every state of somebody's goals and every command") struct GoalsRuleTests {
    private static let f = Fixture.self

    private static func goal(
        _ number: UInt64, _ measure: String, atLeast: Double? = 0.5, atMost: Double? = nil, recordings: Int64 = 2,
        days: Int64 = 7
    ) -> Goal {
        Goal(
            goalId: UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0100 | number), kind: .mirrormate,
            measure: measure, atLeast: atLeast, atMost: atMost, recordings: recordings, days: days, setAt: f.start,
            endsAt: f.start.adding(seconds: 604_800), timeZone: "UTC")
    }

    /// As many as may be open beside the one of the fixture.
    static let others = ["eyeContactPct", "tonalVariety", "soundQuality", "pictureQuality"].enumerated().map {
        goal(UInt64($0), $1)
    }

    private static let end = f.goal.endsAt
    private static let over = end.adding(seconds: Goals.patience)
    private static func judge(_ hits: [GoalHit], at now: Timestamp) -> GoalsCommand {
        .judge(ownerId: f.owner, goalId: f.goal.goalId, hits: hits, at: now)
    }
    private static func set(_ goal: Goal) -> GoalsCommand { .set(ownerId: f.owner, goal) }

    static let rules: [CommandRule<GoalsState, Goals>] = [
        .init("set it", set(f.goal), .gives("GoalSet", in: .none, .dropped), .nothing()),
        .init(
            "set another one of its measure", set(goal(9, "paceWordsPerMin", atLeast: 100)),
            .refuses(.measureTaken, in: .open, .full), .gives("GoalSet")),
        .init(
            "set one of another measure", set(goal(9, "volumeConsistency")), .refuses(.usedUp, in: .full),
            .gives("GoalSet")),
        .init("set one of what nobody measures", set(goal(9, "charisma")), .refuses(.impossible)),
        .init("set one without a bound", set(goal(9, "tonalVariety", atLeast: nil)), .refuses(.impossible)),
        .init("set one beyond the range", set(goal(9, "eyeContactPct", atLeast: 1.1)), .refuses(.impossible)),
        .init(
            "set one that contradicts itself", set(goal(9, "eyeContactPct", atLeast: 0.9, atMost: 0.8)),
            .refuses(.impossible)),
        .init("set one of no recordings", set(goal(9, "tonalVariety", recordings: 0)), .refuses(.impossible)),
        .init("set one of a year", set(goal(9, "tonalVariety", days: 365)), .refuses(.impossible)),
        .init(
            "set one of as many recordings within as many days as may be",
            set(goal(9, "volumeConsistency", recordings: 50, days: 92)), .refuses(.usedUp, in: .full),
            .gives("GoalSet")),
        .init(
            "set one of a recording more", set(goal(9, "volumeConsistency", recordings: 51)), .refuses(.impossible)),
        .init("set one of a day more", set(goal(9, "volumeConsistency", days: 93)), .refuses(.impossible)),
        .init(
            "judge it with what it asks for", judge(f.hits, at: f.start), .gives("GoalMet", in: .open, .full),
            .nothing()),
        .init("judge it with less, in time", judge([f.hits[0]], at: end), .nothing()),
        .init(
            "judge it with less, late", judge([f.hits[0]], at: over), .gives("GoalMissed", in: .open, .full),
            .nothing()),
        .init(
            "judge it late with what it asks for", judge(f.hits, at: over), .gives("GoalMet", in: .open, .full),
            .nothing()),
        .init(
            "judge it with what it does not want",
            judge([f.hits[0], GoalHit(sessionId: f.owner, value: 161, rulesVersion: 4)], at: f.start), .nothing()),
        .init(
            "drop it", .drop(ownerId: f.owner, goalId: f.goal.goalId), .refuses(.unknown, in: .none, .dropped),
            .gives("GoalDropped")),
        .init("drop a stranger's", .drop(ownerId: f.owner, goalId: f.id), .refuses(.unknown)),
    ]

    @Test("has the stated outcome", arguments: rules)
    func outcome(rule: CommandRule<GoalsState, Goals>) { #expect(rule.violations(given: \.given) == []) }

    @Test("has room for so many goals a day, also of those that are dropped again") func aDay() {
        func goal(_ number: Int64, after seconds: Int64 = 0) -> Goal {
            var goal = Self.goal(UInt64(number), "tonalVariety")
            goal.setAt = goal.setAt.adding(seconds: number + seconds)
            return goal
        }
        let busy = Specification<Goals>([]).after(
            (0..<Goals.dayLimit).flatMap { number -> [GoalsCommand] in
                let goal = goal(Int64(number))
                return [Self.set(goal), .drop(ownerId: Self.f.owner, goalId: goal.goalId)]
            })
        #expect(busy.history.count == 2 * Goals.dayLimit)
        let next = Int64(Goals.dayLimit)
        #expect(busy.when(Self.set(goal(next))) == .refusal(.usedUp))
        #expect(busy.after(Self.set(goal(next, after: 86_400 - next))).history.count == 2 * Goals.dayLimit + 1)
    }

    @Test("ends a goal once, whatever becomes of its reports later") func once() {
        let history = GoalsState.open.given.after([
            Self.judge([Self.f.hits[0]], at: Self.f.start), Self.judge(Self.f.hits, at: Self.f.start),
            Self.judge([], at: Self.over), Self.judge(Self.f.hits, at: Self.over),
        ]).history
        #expect(history.map(\.type.name) == ["GoalSet", "GoalMet"])
    }

    @Test("has a row with each goal and its outcome, until its owner is erased") func projection() throws {
        func row(_ events: [ReportEvent]) -> GoalsRow? {
            events.reduce(nil) { GoalsProjection.evolve($0, $1, key: Fixture.owner, recordedAt: Fixture.start) }
        }
        let open = try #require(row([Self.f.goalSet]))
        #expect(open.goals == [GoalsRow.Entry(goal: Self.f.goal)] && open.nextEnd == Self.end)
        let met = try #require(row([Self.f.goalSet, Self.f.goalMet]))
        #expect(met.goals.first?.standing == .met && met.goals.first?.hits == Self.f.hits && met.nextEnd == nil)
        #expect(row([Self.f.goalSet, Self.f.goalMissed])?.goals.first?.standing == .missed)
        for row in [open, met] { #expect(try GoalsRow(row.values) == row) }
        #expect(row([Self.f.goalSet, Self.f.goalMet, Self.f.goalDropped])?.goals == [])
        #expect(row([Self.f.goalSet, Self.f.subjectErased]) == nil)
        #expect(GoalsProjection.keys(of: Self.f.written) == [] && GoalsProjection.keys(of: Self.f.milestone) == [])
        #expect(GoalsProjection.keys(of: Self.f.subjectErased) == [Self.f.owner])
        #expect(
            PractitionerProjection.keys(of: Self.f.goalSet) == [] && ReportProjection.keys(of: Self.f.goalMet) == [])
    }
}

@Suite("What counts towards a goal") struct GoalHitTests {
    private static let f = Fixture.self

    private func row(
        _ number: UInt64, begun: Int64?, written: Int64 = 0, pace: Double? = 150, fillers: Int64? = 3,
        seconds: Int64 = 60,
        kind: SessionKind = .mirrormate
    ) -> ReportHistoryRow {
        let session = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0000 | number)
        let report = ReportIdentity(sessionId: session, ownerId: Self.f.owner)
        return ReportHistoryRow(
            sessionId: session, reportId: report.reportId, ownerId: Self.f.owner,
            createdAt: Self.f.start.adding(seconds: written),
            summary: ReportSummary(
                confidenceScore: nil, paceWordsPerMin: nil, eyeContactPct: nil, fillerCount: fillers,
                durationSec: seconds, tags: []),
            wording: nil, basis: ReportBasis(rulesVersion: 4, measures: ["paceWordsPerMin": .init(pace)]),
            recording: begun.map {
                Recording(
                    kind: kind, timeZone: "UTC", utcOffsetSeconds: 0, begunAt: Self.f.start.adding(seconds: $0))
            })
    }

    @Test("is what was begun in its time, is of its kind, and has a valid value within the bounds")
    func counted() {
        let rows = [
            row(0, begun: -1), row(1, begun: 604_800), row(2, begun: 50, pace: 161), row(3, begun: 40, pace: nil),
            row(4, begun: 30, kind: SessionKind(rawValue: "skinlab")), row(5, begun: 604_799, pace: 130),
            row(6, begun: 0, pace: 160), row(7, begun: nil, written: 20),
        ]
        let hits = Self.f.goal.hits(among: rows)
        #expect(hits.map(\.sessionId) == [rows[6], rows[7], rows[5]].map(\.sessionId))
        #expect(hits.map(\.value) == [160, 150, 130] && hits.allSatisfy { $0.rulesVersion == 4 })
        let explained = GoalExplanation(GoalsRow.Entry(goal: Self.f.goal), rows)
        #expect(explained.headline.hasSuffix("in 2 recordings within 7 days: open, 3 of 2"))
        #expect(explained.lines.count { $0.counts } == 3 && explained.lines.count == 5)
    }

    @Test("is told of a minute for fillers, and of nothing where they could not be counted")
    func fillers() {
        let measure = GoalTarget.fillersPerMinute
        #expect(row(0, begun: 0, fillers: 3, seconds: 60).value(of: measure) == 3)
        #expect(row(0, begun: 0, fillers: 3, seconds: 120).value(of: measure) == 1.5)
        #expect(row(0, begun: 0, fillers: nil).value(of: measure) == nil)
        #expect(row(0, begun: 0, seconds: 0).value(of: measure) == nil)
    }
}
