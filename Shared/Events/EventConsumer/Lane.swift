import EventSourcing
import EventStore
import Primitives
import Runtime

/// One partition's messages on their way into the log: handled side by side, committed in their order.
///
/// Messages of one key are handled one after another, those of different keys at the same time. As soon as the first ones
/// are decided and no commit is under way, all decided ones from the front go down as one group with one move of the
/// watermark: they are committed atomically, so effect and watermark never part. Who is refused decides again; the others
/// go again.
@Loop final class Lane {
    /// How many messages may have been taken up and not be covered by the stored watermark. After an unclean end so many are
    /// suspect.
    static let limit = 128

    /// What PostgreSQL holds.
    private(set) var stored: Watermark
    /// Behind all that is settled; further than ``stored`` by messages that needed nothing.
    private(set) var handled: Watermark { didSet { hasMoved = true } }
    /// Whether anything was settled here, wherever that has led.
    private(set) var hasMoved = false
    /// Behind all that was taken up.
    private(set) var planned: Watermark
    /// Why nothing goes on any more.
    private(set) var failure: (any Error)?
    private(set) var isStopping = false

    private let store: any ConsumerLog
    private let news: Signal
    // Not covered by the watermark yet, in order.
    private var pending: [PendingMessage] = []
    private var lastOfKey: [String: PendingMessage] = [:]
    private var running: [PendingMessage] = []
    /// Messages taken up since the stored watermark.
    private var taken = 0
    /// How many of the front go down one by one, because a group of them failed as a whole.
    private var apart = 0
    private var committing: Task<Void, any Error>?
    private var isWoken = false

    /// - Parameter news: raised whenever there is room, an end or a failure.
    init(_ store: any ConsumerLog, from watermark: Watermark, news: Signal) {
        self.store = store
        self.news = news
        stored = watermark
        handled = watermark
        planned = watermark
    }

    /// Whether another message may be taken up.
    var hasRoom: Bool { taken < Self.limit }
    /// Whether nothing is under way.
    var isEmpty: Bool { pending.isEmpty && running.isEmpty && committing == nil }
    /// Whether there is progress to be stored. In a topic that was made anew another record may stand at the same offset.
    var isAhead: Bool {
        handled.nextOffset != stored.nextOffset || handled.seen != stored.seen
            || handled.lastIdentity != stored.lastIdentity
    }

    // MARK: Taking up

    /// Takes a message up; what `work` appends goes through the pending message.
    func open(_ next: Watermark, key: String, _ work: @escaping @Loop (PendingMessage) async throws -> Void) {
        let message = PendingMessage(self, reach: next, key: key)
        let predecessor = lastOfKey.updateValue(message, forKey: key)?.task
        planned = next
        taken += 1
        pending.append(message)
        running.append(message)
        message.task = Loop.task {
            defer { self.ended(message) }
            _ = await predecessor?.result
            do {
                try Task.checkCancellation()
                try await work(message)
                message.finish()
            } catch {
                self.fail(error)
            }
        }
    }

    /// Takes note of a record that needs nothing.
    func note(_ next: Watermark) {
        planned = next
        if let last = pending.last { last.reach = next } else { handled = next }
    }

    /// Takes note of a relay's lease record while the watermark stands still before a gap: it still tells whose records
    /// count from here on.
    func noteLease(_ next: Watermark) {
        planned.sourceEpoch = next.sourceEpoch
        planned.incarnation = next.incarnation
    }

    private func ended(_ message: PendingMessage) {
        running.removeAll { $0 === message }
        if lastOfKey[message.key] === message { lastOfKey[message.key] = nil }
        commitSoon()
        news.raise()
    }

    private func fail(_ error: any Error) {
        if failure == nil, !isStopping { failure = error }
        news.raise()
    }

    // MARK: Committing

    /// Commits what is ready once the tasks that can run now have run, so that they share the commit.
    func commitSoon() {
        guard !isWoken, committing == nil else { return }
        isWoken = true
        Loop.task {
            self.isWoken = false
            self.commitReady()
        }
    }

    private func commitReady() {
        guard failure == nil, !isStopping, committing == nil else { return }
        var group = Array(pending.prefix(while: \.isReady))
        if apart > 0 {
            group = Array(group.prefix(1))
            apart -= group.count
        }
        if group.isEmpty { return }
        if group.allSatisfy({ $0.append == nil }), taken < Self.limit / 2 {
            leave(group)
        } else {
            committing = Loop.task { await self.commit(group) }
        }
    }

    private func commit(_ group: [PendingMessage]) async {
        let from = stored
        let target = group[group.count - 1].reach
        let move = Append(
            id: .v7(), requestHash: [], metadata: EventMetadata(owner: nil, correlation: .v7(), actor: "consumer"),
            writes: [], calls: [from.move(to: target)])
        let results = await store.append(together: [move] + group.compactMap(\.append))
        switch results[0] {
        case .success: settle(group, target, results.dropFirst())
        case .failure(.groupRefused): give(group, results.dropFirst())
        case .failure(.guarded(.watermark)):
            // A commit whose answer was lost has moved it, and the repeat has found it moved; or it is another owner's.
            if (try? await store.stands(target)) == true {
                settle(group, target, results.dropFirst())
            } else {
                fail(LostPartition())
            }
        case .failure(.data) where group.count > 1: apart = group.count
        case .failure(let error):
            for message in group { message.give(.failure(error)) }
            // Where nobody waits for an answer, nobody would pause before the next try.
            await LoopWait.pause(.milliseconds(50))
        }
        committing = nil
        if isStopping { endOffers() }
        commitSoon()
        news.raise()
    }

    /// The stored watermark covers the group.
    private func settle(_ group: [PendingMessage], _ target: Watermark, _ results: ArraySlice<AppendResult>) {
        stored = target
        taken = pending.count - group.count
        var results = results
        for message in group where message.append != nil {
            switch results.popFirst() {
            case .success(let receipt)?: message.give(.success(receipt))
            // Committed before, by a try whose answer was lost.
            case .failure?, nil: message.give(.success(AppendReceipt(position: 0, recordedAt: .now(), isRepeat: true)))
            }
        }
        leave(group)
    }

    private func leave(_ group: [PendingMessage]) {
        for message in group { message.settle() }
        handled = group[group.count - 1].reach
        pending.removeFirst(group.count)
        news.raise()
    }

    /// Those that were refused decide again; the others wait for the next group.
    private func give(_ group: [PendingMessage], _ results: ArraySlice<AppendResult>) {
        var results = results
        for message in group where message.append != nil {
            if let result = results.popFirst(), case .failure(let error) = result, error != .groupRefused {
                message.give(result)
            }
        }
    }

    // MARK: Coming to rest

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
        if try await !store.move(stored, to: next) { throw LostPartition() }
        stored = next
        handled = next
        planned = next
        taken = 0
    }

    /// Ends cleanly: a commit that is under way is waited for, everything else is left as if it had not been taken up.
    func stop() async {
        isStopping = true
        for message in running { message.task?.cancel() }
        if committing == nil { endOffers() }
        while let message = running.first { _ = await message.task?.result }
        while let committing { _ = await committing.result }
        if failure == nil { try? await flush() }
    }

    /// Tells whoever waits for a commit that it will not come.
    private func endOffers() {
        for message in pending { message.give(.failure(.unavailable)) }
    }
}
