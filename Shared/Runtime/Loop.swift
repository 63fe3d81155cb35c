/// The global actor of the event loop: all state of a service's infrastructure is isolated to it, so the compiler, not a
/// lock, keeps it free of races.
@globalActor package actor Loop {
    package static let shared = Loop()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.shared.asUnownedSerialExecutor() }

    /// Starts a task on the loop; its children run there too.
    @discardableResult
    package static func task<T: Sendable>(
        _ operation: sending @escaping @Loop () async throws -> T
    ) -> Task<T, any Error> {
        Task(executorPreference: EventLoop.shared) { @Loop in try await operation() }
    }
}
