import Runtime
import ServiceKit
import Testing

@Suite struct `The wait for a service` {
    private let begin = ContinuousClock.now
    private let almost = ReadyWait.limit - .seconds(1)

    @Test func `takes as long as what it has to read becomes less`() {
        var wait = ReadyWait(at: begin)
        var now = begin
        for left in (1...100 as ClosedRange<Int64>).reversed() {
            now += almost
            #expect(wait.look(isReady: false, left: left, at: now) == .waits)
        }
        #expect(wait.look(isReady: true, left: 0, at: now + .seconds(3600)) == .isReady)
    }

    @Test func `ends where nothing comes closer`() {
        var wait = ReadyWait(at: begin)
        #expect(wait.look(isReady: false, left: 7, at: begin + almost) == .waits)
        // More and the same are not less.
        #expect(wait.look(isReady: false, left: 9, at: begin + almost + almost) == .waits)
        #expect(wait.look(isReady: false, left: 7, at: begin + almost + ReadyWait.limit) == .standsStill)
        var silent = ReadyWait(at: begin)
        #expect(silent.look(isReady: false, left: 0, at: begin + ReadyWait.limit) == .standsStill)
    }
}
