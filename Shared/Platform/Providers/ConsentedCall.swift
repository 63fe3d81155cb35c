package import Contracts
package import EventStore
package import Primitives
package import Runtime

/// One call to a provider that is under way: it ends when its owner withdraws the consent meanwhile.
@Loop package final class ConsentedCall<Answer: Sendable> {
    private let scope: ConsentScope
    private let owner: UUID
    private let store: EventStore
    private let task: Task<Provider.Outcome<Answer>, any Error>
    private var isWithdrawn = false
    private var isCancelled = false

    /// Begins it at once.
    package init(
        _ scope: ConsentScope, of owner: UUID, _ store: EventStore,
        _ send: @escaping @Loop () async throws -> Provider.Outcome<Answer>
    ) {
        self.scope = scope
        self.owner = owner
        self.store = store
        task = Loop.task { try await send() }
    }

    /// Ends it; what it came to nobody knows.
    package func cancel() {
        isCancelled = true
        task.cancel()
    }

    /// What it came to. One that was withdrawn may be charged in full.
    ///
    /// - Parameter most: what it costs at most, in millionths.
    /// - Throws: `CancellationError` after ``cancel()``.
    package func outcome(most: Int64) async throws -> (Provider.Outcome<Answer>, isWithdrawn: Bool) {
        let watching = Loop.task {
            while true {
                try await Loop.sleep(for: .seconds(1))
                // A database that does not answer says nothing of the owner's will.
                guard let isAllowed = try? await Consented.isAllowed(self.scope, self.owner, self.store), !isAllowed
                else { continue }
                self.isWithdrawn = true
                self.task.cancel()
                return
            }
        }
        defer { watching.cancel() }
        do {
            return (try await task.value, false)
        } catch is CancellationError where isWithdrawn && !isCancelled {
            let outcome = Provider.Outcome<Answer>(
                result: .failure(.cut), costMicros: most, attempts: 1, took: .zero)
            return (outcome, true)
        }
    }
}
