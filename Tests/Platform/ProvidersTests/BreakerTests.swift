import Primitives
import Testing

@testable import Providers

@Suite struct `A circuit breaker` {
    private let start = Timestamp(seconds: 1_795_000_000)

    private func at(_ seconds: Int64) -> Timestamp { start.adding(seconds: seconds) }

    private func after(_ outcomes: [(Bool, Int64)]) -> Breaker {
        var breaker = Breaker()
        for (succeeded, seconds) in outcomes { breaker.note(succeeded: succeeded, at: at(seconds)) }
        return breaker
    }

    private let open: [(Bool, Int64)] = [(false, 0), (false, 10), (false, 20), (false, 30), (false, 60)]

    @Test func `lets all calls pass until five have failed within a minute`() {
        #expect(after(Array(open.prefix(4))).verdict(at: at(60)) == .pass)
        #expect(after(open).verdict(at: at(60)) == .refuse(until: at(90)))
        // The first is too old by then.
        #expect(after(Array(open.prefix(4)) + [(false, 61)]).verdict(at: at(61)) == .pass)
        #expect(
            after(Array(open.prefix(4)) + [(false, 61), (false, 62)]).verdict(at: at(62)) == .refuse(until: at(92)))
        // Successes between them change nothing: half of all calls failing is bad enough.
        let mixed = open.flatMap { [$0, (true, $0.1)] }
        #expect(after(mixed).verdict(at: at(60)) == .refuse(until: at(90)))
    }

    @Test func `is tried after half a minute, and closed by three successes`() {
        #expect(after(open).verdict(at: at(89)) == .refuse(until: at(90)))
        #expect(after(open).verdict(at: at(90)) == .trial)
        #expect(after(open + [(true, 90), (true, 91)]).verdict(at: at(92)) == .trial)
        let closed = after(open + [(true, 90), (true, 91), (true, 92)])
        #expect(closed.verdict(at: at(92)) == .pass)
        #expect(closed == Breaker(), "Nothing of before counts.")
    }

    @Test func `opens again by one failure while it is tried`() {
        let again = after(open + [(true, 90), (true, 91), (false, 95)])
        #expect(again.verdict(at: at(95)) == .refuse(until: at(125)))
        #expect(again.verdict(at: at(125)) == .trial)
        #expect(after(open + [(true, 90), (true, 91), (false, 95), (true, 125)]).verdict(at: at(126)) == .trial)
    }

    @Test func `leaves nobody alone for longer because the clock was set back`() {
        let hour: Int64 = 3_600
        #expect(after(open).verdict(at: at(60 - hour)) == .trial)
        #expect(after(open).verdict(at: at(31)) == .refuse(until: at(90)), "Some seconds are no step.")
        let closed = after(open + [(true, 60 - hour), (true, 61 - hour), (true, 62 - hour)])
        #expect(closed == Breaker())
        // Failures of a time that has not come yet are none of the last minute.
        let ahead = Array(open.prefix(4)).map { ($0.0, $0.1 + hour) }
        #expect(after(ahead + [(false, 0)]).verdict(at: at(0)) == .pass)
    }

    @Test func `hears nothing of calls that began before it opened`() {
        let late = after(open + [(false, 80), (true, 81), (true, 82), (true, 83)])
        #expect(late == after(open))
    }
}
