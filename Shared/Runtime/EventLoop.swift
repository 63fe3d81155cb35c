import Glibc
package import Primitives

/// One thread that runs Swift tasks and waits for file descriptors and timers: the only thread on which a service works.
///
/// It is the executor of the global actor ``Loop`` and, as task executor, of child tasks. Because database connections,
/// sockets and Kafka queues live on it too, an event goes from socket to commit without a thread switch, which measured
/// four to twenty microseconds each. Work that blocks or computes for long goes to ``Offload``.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// The process's loop; its thread starts at first use and ends with the process.
    package static let shared = EventLoop()

    private let epoll: Int32
    private let wakeDescriptor: Int32
    private let remoteJobs = Locked<[UnownedJob]>([])

    // Touched on the loop's own thread only.
    private var thread = pthread_t()
    private var localJobs: [UnownedJob] = []
    private var handlers: [Int32: any DescriptorHandler] = [:]
    private var timers = TimerHeap()

    private init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC.rawValue))
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC.rawValue | EFD_NONBLOCK.rawValue))
        precondition(epoll >= 0 && wakeDescriptor >= 0, "The kernel gave no epoll descriptor (errno \(errno)).")
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: wakeDescriptor))
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeDescriptor, &event)
        signal(SIGPIPE, SIG_IGN)
        let context = Unmanaged.passRetained(self).toOpaque()
        var created = pthread_t()
        let code = pthread_create(&created, nil, runEventLoop, context)
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
        if isFirst { wake() }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    package func checkIsolated() { precondition(isCurrent, "This must run on the event loop.") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Whether the caller runs on the loop's thread.
    package var isCurrent: Bool { onLoopThread }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }

    // MARK: Descriptors

    /// Registers a descriptor, edge-triggered for reading, writing and hang-up, until ``unregister(_:)``.
    ///
    /// The handler is called once at every change; it must then read or write until the kernel would block.
    @Loop package func register(_ descriptor: Int32, handler: any DescriptorHandler) {
        handlers[descriptor] = handler
        let events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        let code = epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
        precondition(code == 0, "The descriptor \(descriptor) cannot be watched (errno \(errno)).")
    }

    /// Ends a registration. Call it before the descriptor is closed.
    @Loop package func unregister(_ descriptor: Int32) {
        guard handlers.removeValue(forKey: descriptor) != nil else { return }
        var event = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event)
    }

    // MARK: Timers

    /// Calls `action` on the loop once `delay` has passed; the answer cancels it.
    @Loop package func schedule(after delay: Duration, _ action: @escaping @Loop () -> Void) -> TimerToken {
        timers.insert(at: monotonicNanoseconds() + delay.nanosecondsClamped, action)
    }

    /// Cancels a timer; does nothing when it has fired.
    @Loop package func cancel(_ timer: TimerToken) { timers.remove(timer) }

    // MARK: Running

    fileprivate func run() {
        thread = pthread_self()
        onLoopThread = true
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        while true {
            // Rounds of ready tasks are capped, so that a busy task cannot starve the sockets.
            var rounds = 0
            while runJobs(), rounds < 16 { rounds += 1 }
            let timeout = localJobs.isEmpty ? timers.millisecondsUntilNext(now: monotonicNanoseconds()) : 0
            let count = epoll_wait(epoll, &events, Int32(events.count), timeout)
            if count > 0 {
                for index in 0..<Int(count) { dispatch(events[index]) }
            }
            for action in timers.due(now: monotonicNanoseconds()) { runOnLoop(action) }
        }
    }

    private func dispatch(_ event: epoll_event) {
        let descriptor = event.data.fd
        if descriptor == wakeDescriptor {
            var count: UInt64 = 0
            _ = read(wakeDescriptor, &count, 8)
            return
        }
        // A handler earlier in this round may have closed this descriptor.
        guard let handler = handlers[descriptor] else { return }
        let readiness = Readiness(epollEvents: event.events)
        runOnLoop { handler.ready(readiness) }
    }

    private func runOnLoop(_ action: @Loop () -> Void) {
        withoutActuallyEscaping(action) { action in
            // The loop's thread is the actor's executor, so the isolation that the type asks for is given here.
            unsafeBitCast(action, to: (() -> Void).self)()
        }
    }

    private func runJobs() -> Bool {
        let remote = remoteJobs.withLock { jobs in
            let taken = jobs
            jobs.removeAll(keepingCapacity: true)
            return taken
        }
        let local = localJobs
        localJobs.removeAll(keepingCapacity: true)
        if remote.isEmpty && local.isEmpty { return false }
        for job in local { run(job) }
        for job in remote { run(job) }
        return true
    }

    private func run(_ job: UnownedJob) {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
}

/// Whether the current thread is the loop's.
@usableFromInline nonisolated(unsafe) var loopThread = pthread_t()

private var onLoopThread: Bool {
    get { pthread_equal(pthread_self(), loopThread) != 0 }
    set { if newValue { loopThread = pthread_self() } }
}

private func runEventLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    Unmanaged<EventLoop>.fromOpaque(context!).takeRetainedValue().run()
    return nil
}

/// The kernel's monotonic clock in nanoseconds.
package func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
