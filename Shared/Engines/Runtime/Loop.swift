/// The global actor of the event loop. All state of a service's infrastructure is isolated to it, so the compiler, not a
/// lock, prevents data races.
@globalActor package actor Loop {
    package static let shared = Loop()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.shared.asUnownedSerialExecutor() }

    /// Starts a task on the loop. A child task runs there if its closure is marked `@Loop in`.
    @discardableResult
    package static func task<T: Sendable>(
        _ operation: @escaping @Loop () async throws -> T
    ) -> Task<T, any Error> {
        Task(operation: operation)
    }

    /// Runs synchronous loop code from where the compiler cannot know that it is on the loop, such as a callback of a C
    /// library. Calling it on another thread is a programming error.
    ///
    /// - Throws: what `body` throws.
    package nonisolated static func assumeIsolated<T, Failure: Error>(
        _ body: @Loop () throws(Failure) -> T
    ) throws(Failure) -> T {
        EventLoop.shared.checkIsolated()
        return try withoutActuallyEscaping(body) { (body) throws(Failure) -> T in
            // The loop's thread is the actor's executor, so the isolation that the type demands holds.
            try unsafeBitCast(body, to: (() throws(Failure) -> T).self)()
        }
    }
}
