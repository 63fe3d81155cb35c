import Testing

@testable import Runtime

@Suite("The event loop", .timeLimit(.minutes(10)))
struct LoopTests {
    @Loop @Test("A task of the loop and everything it awaits run on the loop's thread")
    func tasksStayOnTheLoop() async throws {
        func nonisolatedHelper() async -> Bool { EventLoop.shared.isCurrent }
        let onLoop = try await Loop.task {
            let before = EventLoop.shared.isCurrent
            try await Loop.sleep(for: .milliseconds(1))
            return before && EventLoop.shared.isCurrent
        }.value
        #expect(onLoop)
        #expect(await nonisolatedHelper())
        await #expect(Task.detached { EventLoop.shared.isCurrent }.value == false)
    }

    @Loop @Test("Child tasks of the loop run on its thread")
    func childrenStayOnTheLoop() async throws {
        let all = try await Loop.task {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 { group.addTask { @Loop in EventLoop.shared.isCurrent } }
                var all = true
                for await isCurrent in group { all = all && isCurrent }
                return all
            }
        }.value
        #expect(all)
    }

    @Loop @Test("A call from the loop to the loop does not let other tasks run in between")
    func callsDoNotSuspend() async throws {
        @Loop func callee() async -> [String] { order }
        var order: [String] = []
        for _ in 0..<10 {
            order = ["begin"]
            let other = Task { @Loop in order.append("other") }
            let seen = await callee()
            #expect(seen == ["begin"])
            await other.value
        }
    }

    @Loop @Test("A sleep does not end early")
    func sleepLasts() async throws {
        let start = monotonicNanoseconds()
        try await Loop.sleep(for: .milliseconds(20))
        #expect(monotonicNanoseconds() - start >= 20_000_000)
    }

    @Loop @Test("Sleeps end in the order of their deadlines")
    func sleepsAreOrdered() async throws {
        var ended: [Int64] = []
        let tasks = [900, 100, 500].map { milliseconds in
            Loop.task {
                // By the moment at which each begins: others may keep the loop busy between two of them.
                let deadline = monotonicNanoseconds() + Int64(milliseconds) * 1_000_000
                try await Loop.sleep(for: .milliseconds(milliseconds))
                ended.append(deadline)
            }
        }
        for task in tasks { try await task.value }
        #expect(ended.count == 3 && ended == ended.sorted())
    }

    @Loop @Test("Cancelling a task ends its sleep")
    func cancelledSleep() async throws {
        let task = Loop.task { try await Loop.sleep(for: .seconds(3_600)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Loop @Test("A task that is cancelled while it sleeps wakes with CancellationError")
    func cancelledWhileSleeping() async throws {
        let started = LoopWait()
        let task = Loop.task {
            started.resume()
            try await Loop.sleep(for: .seconds(3_600))
        }
        try await started.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Loop @Test("A turn lets others run, and is given by a cancelled task too")
    func turn() async throws {
        for isCancelled in [false, true] {
            var ran: [String] = []
            let task = Loop.task {
                _ = Loop.task { ran.append("other") }
                await Loop.turn()
                ran.append("self")
            }
            if isCancelled { task.cancel() }
            try await task.value
            #expect(ran == ["other", "self"])
        }
    }

    @Loop @Test("An operation that overruns its deadline is cancelled and reported as such")
    func deadline() async throws {
        await #expect(throws: DeadlineExceeded.self) {
            try await Loop.withDeadline(.milliseconds(5)) { try await Loop.sleep(for: .seconds(3_600)) }
        }
    }

    @Loop @Test("An operation within its deadline returns its result or throws its own error")
    func withinDeadline() async throws {
        #expect(try await Loop.withDeadline(.seconds(60)) { 7 } == 7)
        struct Own: Error {}
        await #expect(throws: Own.self) { try await Loop.withDeadline(.seconds(60)) { throw Own() } }
    }

    @Loop @Test("A cancelled timer does not fire, not even when another one that is due at once cancels it")
    func cancelledTimer() async throws {
        var fired: [String] = []
        let second = TokenBox()
        _ = EventLoop.shared.schedule(after: .zero) {
            fired.append("first")
            if let token = second.token { EventLoop.shared.cancel(token) }
        }
        second.token = EventLoop.shared.schedule(after: .zero) { fired.append("second") }
        try await Loop.sleep(for: .milliseconds(5))
        #expect(fired == ["first"])
    }

    @Loop @Test("A thousand timers, most of them cancelled, fire in the order of their deadlines")
    func manyTimers() async throws {
        var timers = TimerHeap()
        var fired: [Int] = []
        for index in 0..<1_000 {
            let deadline = (index * 7_919) % 1_000
            let token = timers.insert(at: Int64(deadline)) { fired.append(deadline) }
            if deadline % 10 != 0 { timers.remove(token) }
        }
        #expect(timers.millisecondsUntilNext(now: -1_500_000) == 2)
        while let action = timers.popDue(now: 499) { action() }
        #expect(fired == Array(stride(from: 0, to: 500, by: 10)))
        while let action = timers.popDue(now: .max) { action() }
        #expect(fired == Array(stride(from: 0, to: 1_000, by: 10)))
        #expect(timers.millisecondsUntilNext(now: 0) == -1)
    }
}

@Suite("Waiting", .timeLimit(.minutes(10)))
struct WaitTests {
    @Loop @Test("A wait that is resumed before it begins does not suspend forever")
    func resumedEarly() async throws {
        let wait = LoopWait()
        wait.resume()
        wait.fail(CancellationError())
        try await wait.wait()
        #expect(wait.isDone)
    }

    @Loop @Test("A raised signal wakes everyone who is waiting, and nobody who waits later")
    func signalWakesAll() async throws {
        let signal = Signal()
        var woken = 0
        var tasks: [Task<Void, any Error>] = []
        for _ in 0..<3 {
            tasks.append(
                Loop.task {
                    try await signal.wait(atMost: .seconds(3_600))
                    woken += 1
                })
        }
        try await Loop.sleep(for: .milliseconds(1))
        #expect(woken == 0)
        signal.raise()
        for task in tasks { try await task.value }
        #expect(woken == 3)

        let late = Loop.task { try await signal.wait(atMost: .seconds(3_600)) }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Loop @Test("A wait for a signal ends after its limit")
    func signalLimit() async throws { try await Signal().wait(atMost: .milliseconds(2)) }

    @Loop @Test("Offloaded work runs on another thread, and its error is rethrown")
    func offload() async throws {
        #expect(try await Offload.shared.run { EventLoop.shared.isCurrent } == false)
        #expect(EventLoop.shared.isCurrent)
        struct Own: Error {}
        await #expect(throws: Own.self) { try await Offload.shared.run { throw Own() } }
    }

    @Loop @Test("A lot of offloaded work completes while the loop stays responsive")
    func muchOffload() async throws {
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<200 { group.addTask { try await Offload.shared.run { index } } }
            var sum = 0
            for try await value in group { sum += value }
            return sum
        }
        #expect(sum == 19_900)
    }
}

@Loop private final class TokenBox {
    var token: TimerToken?
}
