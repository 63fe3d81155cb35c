import Runtime
import Testing

@Suite(.timeLimit(.minutes(1))) @Loop struct `A wakeup` {
    @Test func `ends a wait`() async throws {
        let wakeup = Wakeup()
        var hasEnded = false
        let waiting = Loop.task {
            try await wakeup.wait(atMost: .seconds(3_600))
            hasEnded = true
        }
        // Whichever of both is first.
        wakeup.wake()
        try await waiting.value
        #expect(hasEnded)
    }

    @Test func `that comes while nobody waits ends the next wait, and no other`() async throws {
        let wakeup = Wakeup()
        wakeup.wake()
        try await wakeup.wait(atMost: .seconds(3_600))
        let start = monotonicNanoseconds()
        try await wakeup.wait(atMost: .milliseconds(20))
        // Timers have their own grain.
        #expect(monotonicNanoseconds() - start > 10_000_000)
    }
}
