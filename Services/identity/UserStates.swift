import EventSourcing
import EventStore
import Primitives
import Runtime

/// The states of users for routes that only read, as often as somebody likes. A history stays for ever and grows by some hundred events a
/// day at most, so what a long one comes to is kept, and only what came since is folded on: nobody makes reading dear by what they
/// changed before.
@Loop final class UserStates {
    /// Reads a stream's events after a version.
    typealias Read = @Loop (_ stream: StreamName, _ version: Int64) async throws -> [RecordedEvent]

    private struct Kept {
        let state: User
        let version: Int64
        var turn: Int64
    }

    /// From how many events on a history is long. Those of nearly everybody are not, and take no place.
    nonisolated static let long: Int64 = 64
    private nonisolated static let most = 256

    private let store: EventStore
    private let read: Read
    private var kept: [UUID: Kept] = [:]
    private var turn: Int64 = 0

    /// - Parameter read: what reads the store.
    init(_ store: EventStore, reading read: @escaping Read) {
        self.store = store
        self.read = read
    }

    convenience init(_ store: EventStore) { self.init(store) { try await store.read($0, after: $1) } }

    /// A user as the stream has it now.
    ///
    /// - Throws: `PostgresError`, or `EventDecodingError` when this build cannot read the history.
    func state(of user: UUID) async throws -> User {
        let known = kept[user]
        let recorded = try await read(User.stream(user), known?.version ?? 0)
        var state = known?.state ?? .initial
        for event in recorded { state = User.evolve(state, try event.decoded(as: UserEvent.self)) }
        keep(state, recorded.last?.version ?? known?.version ?? 0, of: user)
        return state
    }

    /// A user, again whenever the stream may have grown, until it is as wanted or the time is up.
    ///
    /// - Throws: as ``state(of:)``, or `CancellationError`.
    func state(of user: UUID, waiting: Duration, until isWanted: (User) -> Bool) async throws -> User {
        let deadline = monotonicNanoseconds() + waiting.nanosecondsClamped
        while true {
            let mark = store.head.position
            let state = try await state(of: user)
            let left = deadline - monotonicNanoseconds()
            if isWanted(state) || left <= 0 { return state }
            try await store.head.wait(for: User.stream(user), since: mark, atMost: .nanoseconds(left))
        }
    }

    /// Keeps a state, if it is newer than what another reader has kept meanwhile.
    private func keep(_ state: User, _ version: Int64, of user: UUID) {
        guard version >= Self.long, version >= kept[user]?.version ?? 0 else { return }
        turn += 1
        kept[user] = Kept(state: state, version: version, turn: turn)
        guard kept.count > Self.most, let oldest = kept.min(by: { $0.value.turn < $1.value.turn }) else { return }
        kept[oldest.key] = nil
    }
}
