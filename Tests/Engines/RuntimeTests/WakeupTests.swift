import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `A wakeup` {
    @Test func `ends a wait`() async throws {
        let wakeup = Wakeup()
        var isBegun = false
        let waiting = Loop.task {
            isBegun = true
            try await wakeup.wait(atMost: .seconds(3_600))
        }
        // All run on one loop: whoever has begun goes on until it waits.
        while !isBegun { try await Loop.sleep(for: .milliseconds(1)) }
        wakeup.wake()
        // The time limit of the suite ends a wait that nobody does.
        try await waiting.value
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
