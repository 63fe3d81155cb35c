package import EventSourcing
package import Primitives
package import Runtime

/// Runs commands against aggregates: (1) read the stream, (2) fold it, (3) decide, (4) append at the version that was read,
/// (5) on a version conflict begin again.
@Loop package struct CommandHandler<D: Decider> {
    private let store: EventStore
    /// How often a conflict is tried again. Each round another append has won, so the log moves on meanwhile.
    private let attempts: Int

    package init(_ store: EventStore, attempts: Int = 16) {
        self.store = store
        self.attempts = attempts
    }

    /// An aggregate as its stream tells it.
    package struct Loaded {
        package let state: D.State
        /// 0 when the stream does not exist.
        package let version: Int64
    }

    /// What a command came to.
    package struct Outcome {
        /// The state after the command.
        package let state: D.State
        package let version: Int64
        /// The new events; empty when nothing was left to do or the command was a repeat.
        package let events: [D.Event]
        /// Where they were recorded; nothing when there were none.
        package let receipt: AppendReceipt?
    }

    /// Reads and folds an aggregate.
    ///
    /// - Throws: `PostgresError`, or `EventDecodingError` when this build cannot read the history.
    package func load(_ stream: StreamName) async throws -> Loaded {
        let recorded = try await store.read(stream)
        var state = D.initial
        for event in recorded { state = D.evolve(state, try event.decoded(as: D.Event.self)) }
        return Loaded(state: state, version: recorded.last?.version ?? 0)
    }

    /// Reads and folds an aggregate, again whenever it has news, until it is as wanted or the time is up.
    ///
    /// - Throws: as ``load(_:)``, or `CancellationError`.
    package func load(
        _ stream: StreamName, waiting: Duration, until isWanted: (D.State) -> Bool
    ) async throws -> Loaded {
        let deadline = monotonicNanoseconds() + waiting.nanosecondsClamped
        while true {
            let mark = store.head.position
            let loaded = try await load(stream)
            let left = deadline - monotonicNanoseconds()
            if isWanted(loaded.state) || left <= 0 { return loaded }
            try await store.head.wait(for: stream, since: mark, atMost: .nanoseconds(left))
        }
    }

    /// Handles a command.
    ///
    /// - Parameters:
    ///   - id: the command's or message's id; a repeat with the same hash changes nothing and answers the state as it is.
    ///   - calls: guards and row writes for the new events; asked anew in each round, and also when there are no events.
    /// - Throws: the domain's refusal (`D.Refusal`), ``AppendError`` or `PostgresError`.
    package func handle(
        _ command: D.Command, on stream: StreamName, id: UUID, requestHash: [UInt8], metadata: EventMetadata,
        thoughErased: Bool = false, calls: (D.State, [D.Event]) -> [RowCall] = { _, _ in [] }
    ) async throws -> Outcome {
        for round in 1... {
            let loaded = try await load(stream)
            let events: [D.Event]
            do throws(D.Refusal) {
                events = try D.decide(command, loaded.state)
            } catch {
                // What was accepted once is answered as accepted, whatever a repeat of it would be told now.
                guard let receipt = try await store.receipt(id: id, requestHash: requestHash) else { throw error }
                return Outcome(state: loaded.state, version: loaded.version, events: [], receipt: receipt)
            }
            let calls = calls(loaded.state, events)
            if events.isEmpty && calls.isEmpty {
                return Outcome(state: loaded.state, version: loaded.version, events: [], receipt: nil)
            }
            let write = StreamWrite(stream, after: loaded.version, events)
            let append = Append(
                id: id, requestHash: requestHash, metadata: metadata, writes: [write], calls: calls,
                thoughErased: thoughErased)
            do {
                let receipt = try await store.append(append)
                if receipt.isRepeat {
                    let now = try await load(stream)
                    return Outcome(state: now.state, version: now.version, events: [], receipt: receipt)
                }
                return Outcome(
                    state: D.fold(events, from: loaded.state), version: loaded.version + Int64(events.count),
                    events: events, receipt: receipt)
            } catch AppendError.conflict where round < attempts {
                continue
            }
        }
        preconditionFailure("The loop above ends by returning or throwing.")
    }
}
