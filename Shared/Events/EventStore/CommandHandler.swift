package import EventSourcing
package import Primitives
package import Runtime

/// Runs commands against aggregates: (1) read the stream, (2) fold it, (3) decide, (4) append at the version that was read,
/// with the aggregate's row writes, (5) on a version conflict start over.
@Loop package struct CommandHandler<A: Aggregate> {
    private let store: EventStore
    private let gate: any AppendGate
    /// How often a command is tried again after a conflict. A conflict means that another append succeeded, so the log grows.
    private let attempts: Int

    /// - Parameter gate: where appends go instead of straight to the store.
    package init(_ store: EventStore, through gate: (any AppendGate)? = nil, attempts: Int = 16) {
        self.store = store
        self.gate = gate ?? store
        self.attempts = attempts
    }

    /// An aggregate as its stream has it at one moment.
    package struct Loaded {
        /// The events of the stream, each decoded once, for callers that also fold them in another way.
        package let history: [DatedEvent<A.Event>]
        package let state: A.State
        /// 0 when the stream does not exist.
        package let version: Int64
        fileprivate let stream: StreamName

        fileprivate init(_ stream: StreamName, _ recorded: [RecordedEvent]) throws(EventDecodingError) {
            var history: [DatedEvent<A.Event>] = []
            history.reserveCapacity(recorded.count)
            var state = A.initial
            for event in recorded {
                let decoded = try event.decoded(as: A.Event.self)
                history.append(DatedEvent(decoded, recordedAt: event.recordedAt))
                state = A.evolve(state, decoded)
            }
            self.init(stream, history, state, recorded.last?.version ?? 0)
        }

        private init(_ stream: StreamName, _ history: [DatedEvent<A.Event>], _ state: A.State, _ version: Int64) {
            self.stream = stream
            self.history = history
            self.state = state
            self.version = version
        }

        /// What a command decides on this state, with the aggregate's row writes.
        ///
        /// - Throws: the domain's refusal.
        package func decide(_ command: A.Command) throws(A.Refusal) -> Decision {
            let events = try A.decide(command, state)
            return Decision(
                write: StreamWrite(stream, after: version, events), calls: A.rowCalls(for: command, state, events))
        }

        fileprivate func adding(_ events: [A.Event], _ recordedAt: Timestamp) -> Loaded {
            Loaded(
                stream, history + events.map { DatedEvent($0, recordedAt: recordedAt) },
                A.fold(events, from: state), version + Int64(events.count))
        }
    }

    /// The outcome of a command.
    package struct Outcome {
        /// The aggregate after the command.
        package let loaded: Loaded
        /// The new events; empty when nothing was left to do or the command was a repeat.
        package let events: [A.Event]
        /// Where they were recorded; nil when there were none.
        package let receipt: AppendReceipt?

        package var state: A.State { loaded.state }
        package var version: Int64 { loaded.version }
    }

    /// Reads and folds an aggregate.
    ///
    /// - Throws: `PostgresError`, or `EventDecodingError` when this build cannot read the history.
    package func load(_ stream: StreamName) async throws -> Loaded {
        try Loaded(stream, try await store.read(stream))
    }

    /// Reads and folds an aggregate, again whenever its stream may have grown, until it is as wanted or the time is up.
    ///
    /// - Throws: as ``load(_:)``, or `CancellationError`.
    package func load(
        _ stream: StreamName, waiting: Duration, until isWanted: (Loaded) -> Bool
    ) async throws -> Loaded {
        let deadline = monotonicNanoseconds() + waiting.nanosecondsClamped
        while true {
            let mark = store.head.position
            let loaded = try await load(stream)
            let left = deadline - monotonicNanoseconds()
            if isWanted(loaded) || left <= 0 { return loaded }
            try await store.head.wait(for: stream, since: mark, atMost: .nanoseconds(left))
        }
    }

    /// Handles a command.
    ///
    /// - Parameters:
    ///   - loaded: the aggregate, when the caller has just read it: it is read again only after a conflict.
    ///   - id: the command's or message's id; a repeat with the same hash changes nothing and returns the current state.
    ///   - calls: guards and row writes besides the aggregate's own; called in each round, and also when there are no
    ///     events.
    /// - Throws: the domain's refusal (`A.Refusal`), ``AppendError`` or `PostgresError`.
    package func handle(
        _ command: A.Command, on stream: StreamName, from loaded: Loaded? = nil, id: UUID, requestHash: [UInt8],
        metadata: EventMetadata, thoughErased: Bool = false,
        calls: (A.State, [A.Event]) -> [RowCall] = { _, _ in [] }
    ) async throws -> Outcome {
        var known = loaded
        for round in 1... {
            let loaded: Loaded
            if let read = known { loaded = read } else { loaded = try await load(stream) }
            known = nil
            let events: [A.Event]
            do throws(A.Refusal) {
                events = try A.decide(command, loaded.state)
            } catch {
                // What was accepted once is answered as accepted, even if the rules would refuse a repeat of it now.
                guard let receipt = try await store.receipt(id: id, requestHash: requestHash) else { throw error }
                return Outcome(loaded: loaded, events: [], receipt: receipt)
            }
            let calls = A.rowCalls(for: command, loaded.state, events) + calls(loaded.state, events)
            if events.isEmpty && calls.isEmpty { return Outcome(loaded: loaded, events: [], receipt: nil) }
            let append = Append(
                id: id, requestHash: requestHash, metadata: metadata,
                writes: [StreamWrite(stream, after: loaded.version, events)], calls: calls,
                thoughErased: thoughErased)
            do {
                let receipt = try await gate.append(append)
                if receipt.isRepeat { return Outcome(loaded: try await load(stream), events: [], receipt: receipt) }
                return Outcome(loaded: loaded.adding(events, receipt.recordedAt), events: events, receipt: receipt)
            } catch AppendError.conflict where round < attempts {
                continue
            }
        }
        preconditionFailure("The loop above ends by returning or throwing.")
    }
}
