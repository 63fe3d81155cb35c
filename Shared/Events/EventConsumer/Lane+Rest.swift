import EventStore
import Runtime

/// How a lane comes to rest.
extension Lane {
    /// Waits until nothing is under way.
    func drain() async throws {
        while failure == nil, !isEmpty { try await news.wait(atMost: .seconds(1)) }
        if let failure { throw failure }
    }

    /// Stores progress over messages that needed nothing; nothing may be under way.
    ///
    /// - Throws: ``LostPartition`` when another owner has moved the watermark, or `PostgresError`.
    func flush() async throws {
        if isAhead { try await jump(to: handled) }
    }

    /// Moves the stored watermark without an effect; nothing may be under way.
    ///
    /// - Throws: ``LostPartition``, or `PostgresError`.
    func jump(to next: Watermark) async throws {
        if try await !stored.move(store.pool, to: next) { throw LostPartition() }
        stored = next
        handled = next
        planned = next
        taken = 0
    }

    /// Ends in order: a commit that is under way is waited for, everything else is left as if it had not been taken up.
    func stop() async {
        isStopping = true
        for slot in running.values { slot.task?.cancel() }
        if committing == nil { endOffers() }
        while let slot = running.values.first { _ = await slot.task?.result }
        while let committing { _ = await committing.result }
        if failure == nil { try? await flush() }
    }

    /// Whoever waits for a commit that will not come hears of it.
    func endOffers() {
        for slot in slots { slot.give(.failure(.unavailable)) }
    }
}
