/// The global actor of the event loop: all state of a service's infrastructure is isolated to it, so the compiler, not a
/// lock, keeps it free of races.
@globalActor package actor Loop {
    package static let shared = Loop()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.shared.asUnownedSerialExecutor() }

    /// Starts a task on the loop. A child task runs there when its closure says `@Loop in`.
    @discardableResult
    package static func task<T: Sendable>(
        _ operation: @escaping @Loop () async throws -> T
    ) -> Task<T, any Error> {
        Task(operation: operation)
    }

    /// Runs synchronous code of the loop from a place that the compiler does not know to be on it, such as a callback
    /// of a C library. It is a programming error to call it on another thread.
    package nonisolated static func assumeIsolated<T, Failure: Error>(
        _ body: @Loop () throws(Failure) -> T
    ) throws(Failure) -> T {
        EventLoop.shared.checkIsolated()
        return try withoutActuallyEscaping(body) { (body) throws(Failure) -> T in
            // The loop's thread is the actor's executor, so what the type asks for is given.
            try unsafeBitCast(body, to: (() throws(Failure) -> T).self)()
        }
    }
}
