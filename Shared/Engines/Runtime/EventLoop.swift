import CEpoll
import Glibc
import Primitives

/// One thread that runs Swift tasks and waits for file descriptors and timers: the only thread on which a service works.
///
/// It is the executor of the global actor ``Loop``. Because database connections, sockets and Kafka queues live on it too,
/// an event goes from socket to commit without a thread switch, each of which measured 4 to 20 µs. Work that blocks or
/// computes for long goes to ``Offload``.
///
/// It is deliberately not a task executor: the runtime suspends a task at every call between functions of the loop if the
/// task's preferred executor is not the one that the running job was started with, and other tasks could then run between
/// a check and the wait that follows it.
package final class EventLoop: SerialExecutor, @unchecked Sendable {
    /// The process's event loop; its thread starts at first use and lives as long as the process.
    package static let shared = EventLoop()

    private let poller = Poller()
    private let remoteJobs = Locked<[UnownedJob]>([])
    // Written once, before `shared` is visible to anyone.
    private var thread = pthread_t()

    // Accessed on the loop's own thread only.
    private var localJobs: [UnownedJob] = []
    private var timers = TimerHeap()

    private init() {
        signal(SIGPIPE, SIG_IGN)
        let code = pthread_create(&thread, nil, runEventLoop, nil)
        precondition(code == 0, "The kernel gave no thread (error \(code)).")
    }

    // MARK: Executor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            localJobs.append(job)
            return
        }
        let isFirst = remoteJobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        if isFirst { poller.wake() }
    }

    /// Takes a job that was not meant for the loop; called on its thread.
    func take(_ job: UnownedJob) { localJobs.append(job) }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    package func checkIsolated() { precondition(isCurrent, "This must run on the event loop.") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Whether the caller runs on the loop's thread.
    package var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

    // MARK: Descriptors

    /// Watches an open descriptor until ``unregister(_:)``, or changes how a registered one is watched.
    @Loop package func register(_ descriptor: Int32, for interest: Interest = .changes, handler: any DescriptorHandler)
    {
        poller.register(descriptor, for: interest, handler: handler)
    }

    /// Stops watching a descriptor. Call it before closing the descriptor.
    @Loop package func unregister(_ descriptor: Int32) { poller.unregister(descriptor) }

    // MARK: Timers

    /// Calls `action` on the loop after `delay`; the returned token cancels it.
    @Loop package func schedule(after delay: Duration, _ action: @escaping @Loop () -> Void) -> TimerToken {
        timers.insert(at: monotonicNanoseconds() + delay.nanosecondsClamped, action)
    }

    /// Cancels a timer; does nothing if it has fired.
    @Loop package func cancel(_ timer: TimerToken) { timers.remove(timer) }

    // MARK: Running

    fileprivate func run() -> Never {
        while true {
            // Rounds of ready tasks are limited, so that a busy task cannot starve the sockets.
            var rounds = 0
            while runJobs(), rounds < 16 { rounds += 1 }
            var timeout = localJobs.isEmpty ? timers.millisecondsUntilNext(now: monotonicNanoseconds()) : 0
            if timeout > 0, let next = timers.next, VirtualTime.pass(to: next) { timeout = 0 }
            poller.wait(milliseconds: timeout)
            let now = monotonicNanoseconds()
            while let action = timers.popDue(now: now) { Loop.assumeIsolated(action) }
        }
    }

    private func runJobs() -> Bool {
        let remote = remoteJobs.withLock { jobs in
            let taken = jobs
            jobs = []
            return taken
        }
        let local = localJobs
        localJobs = []
        if remote.isEmpty && local.isEmpty { return false }
        for job in local { run(job) }
        for job in remote { run(job) }
        return true
    }

    private func run(_ job: UnownedJob) {
        job.runSynchronously(on: asUnownedSerialExecutor())
    }
}

private func runEventLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    // Waits until `shared` exists, and with it everything that its initializer wrote.
    EventLoop.shared.run()
}
