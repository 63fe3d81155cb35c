package import EventSourcing
import Primitives
package import Runtime

/// The states of aggregates, for routes that only read, as often as somebody likes. A history stays for ever and grows, so what a long one
/// comes to is kept, and only what came since is folded on: nobody makes reading dear by what they did before.
///
/// A decision reads the whole stream (``CommandHandler``). A stream that a restore has set back, or made to go on in another way, is
/// known by its event of the version that is kept, which is read again each time.
@Loop package final class KeptStates<A: Aggregate> {
    /// Reads a stream's events after a version.
    package typealias Read = @Loop (_ stream: StreamName, _ version: Int64) async throws -> [RecordedEvent]

    private struct Kept {
        let state: A.State
        let version: Int64
        /// The event of that version.
        let last: UUID
        /// When it was read last.
        var turn: Int64
    }

    /// From how many events on a history is long. Those of nearly everybody are not, and take no place.
    package nonisolated static var long: Int64 { 64 }

    private let store: EventStore
    private let read: Read
    private let most: Int
    private var kept: [StreamName: Kept] = [:]
    private var turn: Int64 = 0

    /// - Parameters:
    ///   - most: how many are kept: those that were read last.
    ///   - read: what reads the store.
    package init(_ store: EventStore, most: Int = 256, reading read: @escaping Read) {
        self.store = store
        self.most = most
        self.read = read
    }

    package convenience init(_ store: EventStore) { self.init(store) { try await store.read($0, after: $1) } }

    /// The state as the stream has it now.
    ///
    /// - Throws: `PostgresError`, or `EventDecodingError` when this build cannot read the history.
    package func state(of stream: StreamName) async throws -> A.State {
        if let known = kept[stream] {
            let recorded = try await read(stream, known.version - 1)
            if recorded.first?.id == known.last {
                turn += 1
                kept[stream]?.turn = turn
                return try fold(recorded.dropFirst(), onto: known.state, after: known.version, of: stream)
            }
            kept[stream] = nil
        }
        return try fold(try await read(stream, 0)[...], onto: A.initial, after: 0, of: stream)
    }

    private func fold(
        _ recorded: ArraySlice<RecordedEvent>, onto known: A.State, after version: Int64, of stream: StreamName
    ) throws(EventDecodingError) -> A.State {
        var state = known
        for event in recorded { state = A.evolve(state, try event.decoded(as: A.Event.self)) }
        if let last = recorded.last { keep(state, last, of: stream) }
        return state
    }

    /// The state, again whenever the stream may have grown, until it is as wanted or the time is up.
    ///
    /// - Throws: as ``state(of:)``, or `CancellationError`.
    package func state(
        of stream: StreamName, waiting: Duration, until isWanted: (A.State) -> Bool
    ) async throws -> A.State {
        let deadline = monotonicNanoseconds() + waiting.nanosecondsClamped
        while true {
            let mark = store.head.position
            let state = try await state(of: stream)
            let left = deadline - monotonicNanoseconds()
            if isWanted(state) || left <= 0 { return state }
            try await store.head.wait(for: stream, since: mark, atMost: .nanoseconds(left))
        }
    }

    /// Keeps a state, unless another reader has kept a newer one meanwhile.
    private func keep(_ state: A.State, _ last: RecordedEvent, of stream: StreamName) {
        guard last.version >= Self.long, last.version >= kept[stream]?.version ?? 0 else { return }
        turn += 1
        kept[stream] = Kept(state: state, version: last.version, last: last.id, turn: turn)
        guard kept.count > most, let oldest = kept.min(by: { $0.value.turn < $1.value.turn }) else { return }
        kept[oldest.key] = nil
    }
}
