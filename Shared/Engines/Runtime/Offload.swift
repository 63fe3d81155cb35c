import Glibc
import Primitives

/// Threads for work that blocks or computes for long (password hashes, file copies, waiting for a child process), which
/// would hold up the event loop.
package final class Offload: @unchecked Sendable {
    /// The process's pool: two threads, because more would only compete for the machine's cores.
    package static let shared = Offload(threads: 2)

    // One pthread mutex and condition protect the queue and wake waiting threads.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var queue: [@Sendable () -> Void] = []

    /// Makes a pool that lives as long as the process.
    package init(threads: Int) {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        for _ in 0..<threads {
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, runOffload, Unmanaged.passRetained(self).toOpaque())
            precondition(code == 0, "The kernel gave no thread (error \(code)).")
            pthread_detach(thread)
        }
    }

    /// Runs work on one of the threads while the caller is suspended. Cancellation does not stop the work.
    ///
    /// - Throws: what `work` throws.
    package func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withUnsafeThrowingContinuation { continuation in
            pthread_mutex_lock(mutex)
            queue.append {
                let result = Result { try work() }
                // Resumes on the loop, where the caller is certain to be suspended by then: Thread Sanitizer cannot follow
                // how the runtime resumes a task that is about to suspend.
                Task { @Loop in continuation.resume(with: result) }
            }
            pthread_cond_signal(condition)
            pthread_mutex_unlock(mutex)
        }
    }

    /// Runs work on a thread of its own, which may never come back: nothing else waits behind it.
    package static func runApart(_ work: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, runOnce, Unmanaged.passRetained(Work(work)).toOpaque())
        precondition(code == 0, "The kernel gave no thread (error \(code)).")
        pthread_detach(thread)
    }

    fileprivate final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    fileprivate func serve() -> Never {
        while true {
            pthread_mutex_lock(mutex)
            while queue.isEmpty { pthread_cond_wait(condition, mutex) }
            let work = queue.removeFirst()
            pthread_mutex_unlock(mutex)
            work()
        }
    }
}

private func runOffload(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    Unmanaged<Offload>.fromOpaque(context!).takeRetainedValue().serve()
}

private func runOnce(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    Unmanaged<Offload.Work>.fromOpaque(context!).takeRetainedValue().run()
    return nil
}
