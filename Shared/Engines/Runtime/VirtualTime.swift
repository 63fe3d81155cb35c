import CClock
import Glibc
import Synchronization

/// Time that passes only when nothing is left to do: while a test runs in it, the loop does not wait for its next timer, its
/// clock jumps there. What runs then is decided by the timers alone, so a run can be repeated exactly, and hours take no time.
///
/// Jobs keep their order, first come, first served; what the runtime would send through its thread pool, such as a task that
/// waited for another one's value, stays on the loop. The whole process must belong to the test: others would find their
/// deadlines passed.
package enum VirtualTime {
    /// The present moment in nanoseconds; negative while time is real.
    private static let now = Atomic<Int64>(-1)

    /// Runs a test in virtual time.
    ///
    /// - Throws: what the test throws.
    @Loop package static func run<T>(_ body: @Loop () async throws -> T) async rethrows -> T {
        precondition(!isOn, "One test at a time has the loop's time.")
        guard let hook else { preconditionFailure("This runtime does not let its thread pool be replaced.") }
        now.store(mm_monotonic_nanoseconds(), ordering: .relaxed)
        hook.pointee = { job, enqueue in
            if EventLoop.shared.isCurrent { EventLoop.shared.take(job) } else { enqueue(job) }
        }
        defer {
            hook.pointee = nil
            now.store(-1, ordering: .relaxed)
        }
        return try await body()
    }

    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void

    /// Where the runtime asks what to do with a job for its thread pool (ConcurrencyHooks.def in Swift's sources).
    nonisolated(unsafe) private static let hook = dlsym(nil, "swift_task_enqueueGlobal_hook")?
        .assumingMemoryBound(to: (@convention(thin) (UnownedJob, Enqueue) -> Void)?.self)

    /// Whether time is virtual now.
    package static var isOn: Bool { current != nil }

    /// The present moment; nil while time is real.
    static var current: Int64? {
        let moment = now.load(ordering: .relaxed)
        return moment < 0 ? nil : moment
    }

    /// Lets time pass up to a moment; false while time is real, and passes by itself.
    static func pass(to moment: Int64) -> Bool {
        guard let current else { return false }
        now.store(max(current, moment), ordering: .relaxed)
        return true
    }
}

/// The kernel's monotonic clock in nanoseconds, or a test's virtual one.
package func monotonicNanoseconds() -> Int64 { VirtualTime.current ?? mm_monotonic_nanoseconds() }
