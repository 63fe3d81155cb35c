import Contracts
import EventSourcing
import EventSourcingTesting
import EventStore
import JSON
import Primitives
import Testing

@testable import reporting

/// The states of a practitioner that rules tell apart.
enum PractitionerState: CaseIterable {
    case fresh, choosing, frozen, full, seven, erased

    var given: Specification<Practitioner> {
        let f = Fixture.self
        return switch self {
        case .fresh: Specification([])
        case .choosing: Specification([f.grace])
        case .frozen: Specification([f.frozen])
        case .full: Specification([f.frozen, .dayFrozen(ownerId: f.owner, f.day.day - 29)])
        case .seven: Specification([f.milestone])
        case .erased: Specification([f.frozen, f.subjectErased])
        }
    }
}

@Suite("Every state of a practitioner and every command") struct PractitionerRuleTests {
    private static let f = Fixture.self
    private static let today = f.day.day

    static let rules: [CommandRule<PractitionerState, Practitioner>] = [
        .init(
            "the usual grace", .setGrace(ownerId: f.owner, minutes: 180), .gives("GraceChanged", in: .choosing),
            .nothing()),
        .init(
            "another grace", .setGrace(ownerId: f.owner, minutes: 60), .nothing(in: .choosing), .gives("GraceChanged")),
        .init("a grace of a whole morning", .setGrace(ownerId: f.owner, minutes: 361), .refuses(.graceOutOfRange)),
        .init("a grace of six hours", .setGrace(ownerId: f.owner, minutes: 360), .gives("GraceChanged")),
        .init("a negative grace", .setGrace(ownerId: f.owner, minutes: -1), .refuses(.graceOutOfRange)),
        .init(
            "freeze today", .freeze(ownerId: f.owner, today, today: today), .nothing(in: .frozen, .full, .erased),
            .gives("DayFrozen")),
        .init(
            "freeze tomorrow", .freeze(ownerId: f.owner, today + 1, today: today), .gives("DayFrozen"),
            // From 29 days ago to tomorrow are 31, but from today to tomorrow are two, which may be.
            .gives("DayFrozen", in: .full)),
        .init(
            "freeze yesterday", .freeze(ownerId: f.owner, today - 1, today: today), .refuses(.freezesUsedUp, in: .full),
            .gives("DayFrozen")),
        .init(
            "freeze the day of a week ago", .freeze(ownerId: f.owner, today - 7, today: today),
            .refuses(.freezesUsedUp, in: .full), .gives("DayFrozen")),
        .init(
            "freeze the last day that can be", .freeze(ownerId: f.owner, today + 60, today: today),
            .gives("DayFrozen")),
        .init(
            "freeze a day of last week but one", .freeze(ownerId: f.owner, today - 8, today: today),
            .refuses(.freezeOutOfRange)),
        .init(
            "freeze a day of next season", .freeze(ownerId: f.owner, today + 61, today: today),
            .refuses(.freezeOutOfRange)),
        .init(
            "adopt today and a day of next season", .adopt(ownerId: f.owner, [today, today + 90]),
            .gives("DayFrozen", in: .frozen, .full, .erased), .gives("DayFrozen", "DayFrozen")),
        .init(
            "adopt three days of one week", .adopt(ownerId: f.owner, [today - 3, today - 2, today - 1]),
            .gives("DayFrozen", in: .frozen, .erased), .nothing(in: .full), .gives("DayFrozen", "DayFrozen")),
        .init("adopt none", .adopt(ownerId: f.owner, []), .nothing()),
        .init(
            "thaw today", .thaw(ownerId: f.owner, today), .gives("DayThawed", in: .frozen, .full, .erased), .nothing()),
        .init("six days", .reach(ownerId: f.owner, .meditation, longestStreakDays: 6), .nothing()),
        .init(
            "seven days", .reach(ownerId: f.owner, .meditation, longestStreakDays: 7), .nothing(in: .seven),
            .gives("MilestoneReached")),
        .init(
            "seven days of another kind", .reach(ownerId: f.owner, .mirrormate, longestStreakDays: 8),
            .gives("MilestoneReached")),
        .init(
            "thirty days at once", .reach(ownerId: f.owner, .meditation, longestStreakDays: 59),
            .gives("MilestoneReached", "MilestoneReached", "MilestoneReached", "MilestoneReached", in: .seven),
            .gives(
                "MilestoneReached", "MilestoneReached", "MilestoneReached", "MilestoneReached", "MilestoneReached")),
    ]

    @Test("has the stated outcome", arguments: rules)
    func outcome(rule: CommandRule<PractitionerState, Practitioner>) { #expect(rule.violations(given: \.given) == []) }

    @Test("counts what somebody changes against the day's limit, and nothing that comes by itself")
    func counted() {
        let f = Self.f
        let changes: [(PractitionerCommand, ReportEvent, String?)] = [
            (.setGrace(ownerId: f.owner, minutes: 60), f.grace, "grace"),
            (.freeze(ownerId: f.owner, Self.today, today: Self.today), f.frozen, "freezes"),
            (.thaw(ownerId: f.owner, Self.today), .dayThawed(ownerId: f.owner, Self.today), "freezes"),
            (.adopt(ownerId: f.owner, [Self.today]), f.frozen, nil),
            (.reach(ownerId: f.owner, .meditation, longestStreakDays: 7), f.milestone, nil),
        ]
        for (command, event, what) in changes {
            let calls = Practitioner.rowCalls(for: command, Practitioner(), [event])
            #expect(calls.map(\.name) == (what == nil ? [] : ["count_practice_change"]))
            #expect(calls.first?.arguments["what"]?.stringValue == what)
            #expect(Practitioner.rowCalls(for: command, Practitioner(), []).isEmpty)
        }
    }

    @Test("tells a milestone once, whatever becomes of the days that led to it") func once() {
        let commands = [7, 3, 7, 14, 7, 365, 365].map {
            PractitionerCommand.reach(ownerId: Self.f.owner, .meditation, longestStreakDays: $0)
        }
        let days = PractitionerState.fresh.given.after(commands).history.compactMap { event in
            if case .milestoneReached(_, _, let days) = event { days } else { nil }
        }
        #expect(days == [7, 14, 21, 28, 30, 60, 90, 180, 365])
    }

    @Test("has a row with what counts, until its owner is erased") func projection() throws {
        func row(_ events: [ReportEvent]) -> PractitionerRow? {
            events.reduce(nil) { PractitionerProjection.evolve($0, $1, key: Fixture.owner, recordedAt: Fixture.start) }
        }
        let found = try #require(row([Self.f.grace, Self.f.frozen, Self.f.milestone]))
        #expect(found.graceMinutes == 60 && found.frozenDays == [Self.today])
        #expect(found.milestones == [.init(kind: .meditation, streakDays: 7, reachedAt: Self.f.start)])
        #expect(try PractitionerRow(found.values) == found)
        #expect(row([Self.f.frozen, Self.f.thawed])?.frozenDays == [])
        #expect(row([Self.f.frozen, Self.f.subjectErased]) == nil)
        #expect(PractitionerProjection.keys(of: Self.f.counted) == [])
        #expect(PractitionerProjection.keys(of: Self.f.subjectErased) == [Self.f.owner])
    }
}
