import EventSourcing
import EventSourcingTesting
import EventStore
import JSON
import Primitives
import Testing

@testable import sessions

/// One hand-over and all that can be said of it.
enum Handed {
    private static let f = Fixture.self

    static let terms = Handover.Terms(
        handoverId: f.report, deviceId: f.owner, accountId: f.other, handedOverAt: f.start)
    static let outcome = Handover.Outcome(moved: 3, deleted: 2, kept: 1)
    static let begun = SessionEvent.handoverBegun(terms)
    static let finished = SessionEvent.handoverFinished(terms, outcome)
}

/// The states of a hand-over that rules tell apart.
enum HandoverState: CaseIterable {
    case absent, underWay, finished

    var given: Specification<Handover> {
        switch self {
        case .absent: Specification([])
        case .underWay: Specification([Handed.begun])
        case .finished: Specification([Handed.begun, Handed.finished])
        }
    }
}

@Suite("Every state of a hand-over and every command") struct HandoverRuleTests {
    private static let h = Handed.self
    private static let finish = HandoverCommand.finish(h.outcome, after: "logged-x")

    static let rules: [CommandRule<HandoverState, Handover>] = [
        .init("begin", .begin(h.terms), .gives("PracticeHandoverBegun", in: .absent), .nothing()),
        .init("finish", finish, .gives("PracticeHandoverFinished", in: .underWay), .nothing()),
    ]

    @Test("has the stated outcome", arguments: rules)
    func outcome(rule: CommandRule<HandoverState, Handover>) { #expect(rule.violations(given: \.given) == []) }

    @Test("keeps what was handed over to whom, and what came of it")
    func states() {
        #expect(HandoverState.underWay.given.state == .underWay(Self.h.terms))
        #expect(HandoverState.finished.given.state == .finished(Self.h.terms, Self.h.outcome))
        #expect(HandoverState.underWay.given.when(Self.finish) == .events([Self.h.finished]))
    }

    @Test("has a row as long as it is under way")
    func rows() {
        let begin = Handover.rowCalls(for: .begin(Self.h.terms), .absent, [Self.h.begun])
        #expect(begin.map(\.name) == ["begin_handover"])
        #expect(begin.first?.arguments["handoverId"] == .uuid(Self.h.terms.handoverId))
        #expect(begin.first?.arguments["deviceId"] == .uuid(Self.h.terms.deviceId))
        let end = Handover.rowCalls(for: Self.finish, .underWay(Self.h.terms), [Self.h.finished])
        #expect(end.map(\.name) == ["finish_handover"])
        #expect(end.first?.arguments["afterStream"] == "logged-x")
        let over = Handover.finished(Self.h.terms, Self.h.outcome)
        for (command, state) in [(HandoverCommand.begin(Self.h.terms), over), (Self.finish, over)] {
            #expect(Handover.rowCalls(for: command, state, []).isEmpty)
        }
    }

    @Test("concerns what began before it, by the clock of a device that may be an hour ahead")
    func moments() {
        let terms = Self.h.terms
        let moments: [(Int64, Bool)] = [(-86_400, true), (0, true), (3_600, true), (3_601, false)]
        for (seconds, isConcerned) in moments {
            #expect(
                terms.concerns(begunAt: terms.handedOverAt.adding(seconds: seconds)) == isConcerned, "\(seconds)")
        }
    }

    @Test("has events that come back from their stored form, and are of no session")
    func events() throws {
        for event in [Self.h.begun, Self.h.finished] { #expect(try storedAndRead(event) == event) }
        #expect(Self.h.begun.session == nil && Self.h.finished.session == nil)
    }
}
