import Contracts
import EventSourcingTesting
import Primitives
import Testing

@testable import quota

/// What a dance is answered with that is asked for after a history.
private struct Case: CustomTestStringConvertible, Sendable {
    enum Answer: Equatable, Sendable {
        case admitted
        case refused(QuotaRefusalCode, WindowCode, until: Timestamp, heldBy: UInt64?)
    }

    let testDescription: String
    let plans: Plans
    let history: [QuotaCommand]
    /// When the dance begins, in minutes after noon.
    let asked: Int64
    let answer: Answer

    init(
        _ description: String, _ plans: Plans = Fixture.dances, _ history: [QuotaCommand] = [], asked: Int64,
        _ answer: Answer
    ) {
        testDescription = description
        self.plans = plans
        self.history = history
        self.asked = asked
        self.answer = answer
    }
}

@Suite("An allowance with several limits") struct SeveralLimitsTests {
    private static let f = Fixture.self
    private static let day = f.midnight
    /// An hour after the first use, at noon.
    private static let hour = f.minutes(60)

    private static let twoAnHour = [f.dance(1, 0), f.danced(1), f.dance(2, 20), f.danced(2)]
    private static let threeADay = twoAnHour + [f.dance(3, 60), f.danced(3)]

    private static let windows = [
        Case("gives the first", asked: 0, .admitted),
        Case("gives what both windows have", f.dances, [f.dance(1, 0), f.danced(1)], asked: 20, .admitted),
        Case(
            "names the hour when that is used up", f.dances, twoAnHour, asked: 59,
            .refused(.quotaExceeded, .hour, until: hour, heldBy: nil)),
        Case("admits again when the hour is over, to the minute", f.dances, twoAnHour, asked: 60, .admitted),
        Case(
            "names the day when that is used up, also while the hour has room", f.dances, threeADay, asked: 61,
            .refused(.quotaExceeded, .localDay, until: day, heldBy: nil)),
        Case(
            "names the one that ends last when both are used up", f.dances,
            threeADay + [f.dance(4, 61)], asked: 62, .refused(.quotaExceeded, .localDay, until: day, heldBy: nil)),
        Case(
            "names the open session when its ending would make room in the hour", f.dances,
            [f.dance(1, 0), f.danced(1), f.dance(2, 20)], asked: 30,
            .refused(.sessionOpen, .hour, until: hour, heldBy: 2)),
        Case(
            "names no session whose ending would leave another window full",
            f.dancing(.init(.hour, 1), .init(.localDay, 2)),
            [
                f.dance(1, 0, in: f.dancing(.init(.hour, 1), .init(.localDay, 2))),
                f.dance(2, 60, in: f.dancing(.init(.hour, 1), .init(.localDay, 2))), f.danced(2),
            ], asked: 70, .refused(.quotaExceeded, .localDay, until: day, heldBy: nil)),
        Case(
            "gives back to both windows what failed", f.dances,
            [f.dance(1, 0), f.danced(1), f.dance(2, 20), f.danced(2, .failed)], asked: 30, .admitted),
        Case(
            "counts a unit in the hour in which it was reserved, however long the work takes", f.dances,
            [f.dance(1, 0), f.dance(2, 20), f.dance(3, 60), f.danced(1, .failed)], asked: 61, .admitted),
        Case(
            "lets a gift pass both windows", f.dances,
            threeADay + [.grant(ownerId: f.owner, kind: f.dance, units: 1)], asked: 61, .admitted),
        Case(
            "names the session that holds a gift: it would come back", f.dances,
            threeADay + [.grant(ownerId: f.owner, kind: f.dance, units: 1), f.dance(4, 61)], asked: 62,
            .refused(.sessionOpen, .localDay, until: day, heldBy: 4)),
        Case(
            "counts by the limits of the moment when these were changed",
            f.dancing(.init(.hour, 5), .init(.localDay, 4)), threeADay, asked: 61, .admitted),
        Case(
            "has nothing left under smaller limits", f.dancing(.init(.hour, 5), .init(.localDay, 2)), threeADay,
            asked: 61, .refused(.quotaExceeded, .localDay, until: day, heldBy: nil)),
    ]

    private static let atOnce = f.dancing(.init(.localDay, 9), atOnce: 2)
    private static let burst = f.dancing(.init(.localDay, 9), burst: .init(units: 2, seconds: 600))
    private static let both = f.dancing(.init(.localDay, nil), atOnce: 1, burst: .init(units: 3, seconds: 3_600))

    private static func open(_ numbers: ClosedRange<UInt64>, in plans: Plans, every minutes: Int64) -> [QuotaCommand] {
        numbers.map { f.dance($0, Int64($0 - 1) * minutes, in: plans) }
    }

    private static let caps = [
        Case(
            "holds as many at once as it says", atOnce, open(1...2, in: atOnce, every: 1), asked: 2,
            .refused(.sessionOpen, .atOnce, until: f.minutes(15), heldBy: 1)),
        Case(
            "has room again when one ends", atOnce, open(1...2, in: atOnce, every: 1) + [f.danced(2)], asked: 2,
            .admitted),
        Case(
            "names no session when more are open than one ending could help",
            f.dancing(.init(.localDay, 9), atOnce: 1), open(1...2, in: atOnce, every: 1), asked: 2,
            .refused(.quotaExceeded, .atOnce, until: f.minutes(16), heldBy: nil)),
        Case(
            "says a moment to come for what outlasted its time for uploading", atOnce,
            open(1...2, in: atOnce, every: 1), asked: 100,
            .refused(.sessionOpen, .atOnce, until: f.minutes(100).adding(seconds: 1), heldBy: 1)),
        Case(
            "lets no more begin in any stretch than it says", burst,
            open(1...2, in: burst, every: 4) + [f.danced(1), f.danced(2)], asked: 9,
            .refused(.quotaExceeded, .burst, until: f.minutes(10), heldBy: nil)),
        Case(
            "forgets one after the other", burst, open(1...2, in: burst, every: 4) + [f.danced(1), f.danced(2)],
            asked: 10, .admitted),
        Case(
            "gives back to a burst what was cancelled", burst,
            open(1...2, in: burst, every: 4) + [f.danced(1), f.danced(2, Fixture.early)], asked: 9, .admitted),
        Case(
            "holds for gifts too", burst,
            open(1...2, in: burst, every: 4) + [.grant(ownerId: f.owner, kind: f.dance, units: 1)], asked: 9,
            .refused(.sessionOpen, .burst, until: f.minutes(10), heldBy: 1)),
        Case(
            "holds without a limit of the window", both, open(1...1, in: both, every: 1), asked: 2,
            .refused(.sessionOpen, .atOnce, until: f.minutes(15), heldBy: 1)),
    ]

    @Test("of the hour and the local day", arguments: windows)
    private func ofWindows(example: Case) { expect(example) }

    @Test("caps what is done at once", arguments: caps)
    private func ofCaps(example: Case) { expect(example) }

    private func expect(_ example: Case) {
        let f = Fixture.self
        let story = f.fresh.after(example.history)
        let request = f.dance(99, example.asked, in: example.plans)
        let standing = story.state.standing(of: f.dance, in: example.plans, at: f.minutes(example.asked))
        switch example.answer {
        case .admitted:
            #expect(story.admits(request))
            #expect(standing.remaining ?? 1 > 0)
        case .refused(let code, let window, let until, let heldBy):
            let denial = story.refuses(request)
            #expect(denial?.code == code)
            #expect(denial?.window == window)
            #expect(denial?.resetsAt == until)
            #expect(denial?.heldBy?.sessionId == heldBy.map { f.id($0) })
            #expect(standing.remaining == 0)
        }
    }

    @Test("records which definition was in force, and what of it counted")
    func basis() {
        let f = Fixture.self
        let plans = Plans([PlanVersion(f.danceTerms, number: 7)])
        let basis = TermsInForce(plan: .free, number: 7, terms: f.danceTerms.terms(for: f.dance))
        for case .reserved(_, _, let count, _, _) in f.fresh.after(f.dance(1, 0, in: plans)).history {
            #expect(count.basis == basis)
        }
        let full = f.fresh.after(Self.twoAnHour)
        guard case .events(let events) = full.when(f.dance(3, 30, in: plans)),
            case .refused(_, _, let recorded) = events.first
        else {
            Issue.record("The third dance of an hour was admitted.")
            return
        }
        #expect(recorded == basis)
    }

    @Test("forgives late cancellations by the terms of the reservation, in the longest window")
    func lateCancellations() {
        let f = Fixture.self
        let once = f.fresh.after([f.dance(1, 0), f.danced(1, f.late)])
        // An hour later, on the same day: one was forgiven already.
        let twice = once.after(f.dance(2, 70))
        guard case .events(let events) = twice.when(f.danced(2, f.late)), case .committed = events.first else {
            Issue.record("A second late cancellation was forgiven on one day.")
            return
        }
        #expect(once.state.standing(of: f.dance, in: f.dances, at: f.minutes(1)).remaining == 2)
    }

    @Test("shows each limit, and those of the tightest as its own")
    func standing() {
        let f = Fixture.self
        let standing = f.fresh.after([f.dance(1, 0), f.danced(1), f.dance(2, 60)]).state
            .standing(of: f.dance, in: f.dances, at: f.minutes(61))
        #expect(standing.windows.map(\.span) == [.hour, .localDay])
        #expect(standing.windows.map(\.limit) == [2, 3])
        #expect(standing.windows.map(\.used) == [0, 1])
        #expect(standing.windows.map(\.reserved) == [1, 1])
        #expect(standing.windows.map(\.resetsAt) == [f.minutes(120), f.midnight])
        #expect(standing.remaining == 1)
        #expect(standing.resetsAt == f.midnight)
    }
}
