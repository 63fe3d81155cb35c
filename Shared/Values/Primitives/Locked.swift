import Glibc

/// A value that only one thread at a time can access.
///
/// Built on a pthread mutex, which Thread Sanitizer understands. Hold it briefly: never across a wait, a blocking system
/// call, or another lock.
package final class Locked<Value>: @unchecked Sendable {
    // Sendable: `value` is accessed only between lock and unlock.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// A lock around an initial value.
    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let outcome = pthread_mutex_init(mutex, nil)
        precondition(outcome == 0, "pthread_mutex_init with default attributes does not fail on Linux")
        self.value = value
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs a body with exclusive access to the value and returns its result. Not reentrant.
    ///
    /// - Throws: what the body throws.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
