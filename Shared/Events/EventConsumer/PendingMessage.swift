import EventStore
import Runtime

/// One message on its way through a lane. What its handler appends comes through here and waits for its turn.
@Loop final class PendingMessage: AppendGate {
    private enum State {
        case working
        /// Decided: may be committed with its neighbours.
        case offered(Append)
        /// The handler has ended without anything to append.
        case finished
        /// Behind the watermark.
        case settled
    }

    let key: String
    /// The watermark after the message, and after what came after it and needed nothing.
    var reach: Watermark
    var task: Task<Void, any Error>?

    private var state = State.working
    private var continuation: UnsafeContinuation<AppendResult, Never>?
    private weak var lane: Lane?

    init(_ lane: Lane, reach: Watermark, key: String) {
        self.lane = lane
        self.reach = reach
        self.key = key
    }

    /// Whether the watermark may pass.
    var isReady: Bool {
        if case .working = state { false } else { true }
    }

    /// What waits to be committed.
    var append: Append? {
        if case .offered(let append) = state { append } else { nil }
    }

    /// Offers an append for the group that moves the watermark past the message, and waits for what becomes of it.
    ///
    /// - Throws: `guarded("watermark")` when the watermark has passed already, or is another owner's.
    func append(_ append: Append) async throws(AppendError) -> AppendReceipt {
        guard case .working = state else { throw .guarded(.watermark) }
        guard let lane, !lane.isStopping else { throw .unavailable }
        state = .offered(append)
        lane.commitSoon()
        // Ignores cancellation, as the store does: the lane answers every offer, also when it stops.
        return try await withUnsafeContinuation { continuation = $0 }.get()
    }

    /// Answers the offer: accepted and covered by the watermark, or refused and the handler's turn again.
    func give(_ result: AppendResult) {
        guard case .offered = state else { return }
        if case .success = result { state = .settled } else { state = .working }
        continuation?.resume(returning: result)
        continuation = nil
    }

    /// The handler has ended.
    func finish() {
        if case .working = state { state = .finished }
    }

    /// The watermark has passed.
    func settle() { state = .settled }
}
