import CClock
import CEpoll
import Glibc
import Primitives

/// One thread that runs Swift tasks and waits for file descriptors and timers: the only thread on which a service works.
///
/// It is the executor of the global actor ``Loop``. Because database connections, sockets and Kafka queues live on it too,
/// an event goes from socket to commit without a thread switch, which measured four to twenty microseconds each. Work that
/// blocks or computes for long goes to ``Offload``.
///
/// It is no task executor on purpose: the runtime suspends a task at every call between functions of the loop when the
/// task's preferred executor is not the one that the running job was started with. Then other tasks get in between a
/// check and the wait that follows it.
package final class EventLoop: SerialExecutor, @unchecked Sendable {
    /// The process's loop; its thread starts at first use and ends with the process.
    package static let shared = EventLoop()

    private let poller = Poller()
    private let remoteJobs = Locked<[UnownedJob]>([])
    // Written once before `shared` can be seen by anyone.
    private var thread = pthread_t()

    // Touched on the loop's own thread only.
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

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    package func checkIsolated() { precondition(isCurrent, "This must run on the event loop.") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Whether the caller runs on the loop's thread.
    package var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

    // MARK: Descriptors

    /// Registers an open descriptor until ``unregister(_:)``, or changes how a registered one is watched.
    @Loop package func register(_ descriptor: Int32, for interest: Interest = .changes, handler: any DescriptorHandler)
    {
        poller.register(descriptor, for: interest, handler: handler)
    }

    /// Ends a registration. Call it before the descriptor is closed.
    @Loop package func unregister(_ descriptor: Int32) { poller.unregister(descriptor) }

    // MARK: Timers

    /// Calls `action` on the loop once `delay` has passed; the answer cancels it.
    @Loop package func schedule(after delay: Duration, _ action: @escaping @Loop () -> Void) -> TimerToken {
        timers.insert(at: monotonicNanoseconds() + delay.nanosecondsClamped, action)
    }

    /// Cancels a timer; does nothing when it has fired.
    @Loop package func cancel(_ timer: TimerToken) { timers.remove(timer) }

    // MARK: Running

    fileprivate func run() -> Never {
        while true {
            // Rounds of ready tasks are capped, so that a busy task cannot starve the sockets.
            var rounds = 0
            while runJobs(), rounds < 16 { rounds += 1 }
            let timeout = localJobs.isEmpty ? timers.millisecondsUntilNext(now: monotonicNanoseconds()) : 0
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
    // Waits until `shared` is made, and with it everything that its initialiser wrote.
    EventLoop.shared.run()
}

/// The kernel's monotonic clock in nanoseconds.
package func monotonicNanoseconds() -> Int64 {
    mm_monotonic_nanoseconds()
}
