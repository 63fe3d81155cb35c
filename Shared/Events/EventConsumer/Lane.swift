import EventSourcing
import EventStore
import Primitives
import Runtime

/// One partition's messages on their way into the log: handled side by side, committed in their order.
///
/// Messages of one key are handled one after another, those of different keys at the same time. As soon as the first ones
/// are decided and no commit is under way, all decided ones from the front go down as one group with one move of the
/// watermark: they stand or fall together, so effect and watermark never part. Who is refused decides again; the others
/// go again.
@Loop final class Lane {
    /// How many messages may have been taken up and not be behind the stored watermark. After an unclean end so many are
    /// suspect.
    static let limit = 128

    /// What PostgreSQL holds.
    var stored: Watermark
    /// Behind all that is settled; further than ``stored`` by messages that needed nothing.
    var handled: Watermark
    /// Behind all that was taken up.
    var planned: Watermark
    /// Why nothing goes on any more.
    private(set) var failure: (any Error)?
    var isStopping = false

    let store: EventStore
    let news: Signal
    // Not behind the watermark, in order.
    var slots: [Slot] = []
    private var lastOfKey: [String: Slot] = [:]
    var running: [ObjectIdentifier: Slot] = [:]
    /// Messages taken up since the stored watermark.
    var taken = 0
    /// How many of the front go down one by one, because a group of them failed as a whole.
    private var apart = 0
    var committing: Task<Void, any Error>?
    private var isWoken = false

    /// - Parameter news: raised whenever there is room, an end or a failure.
    init(_ store: EventStore, from watermark: Watermark, news: Signal) {
        self.store = store
        self.news = news
        stored = watermark
        handled = watermark
        planned = watermark
    }

    /// Whether another message may be taken up.
    var hasRoom: Bool { taken < Self.limit }
    /// Whether nothing is under way.
    var isEmpty: Bool { slots.isEmpty && running.isEmpty && committing == nil }
    /// Whether there is progress to be stored.
    var isAhead: Bool { handled.nextOffset != stored.nextOffset || handled.seen != stored.seen }

    // MARK: Taking up

    /// Takes a message up; what `work` appends goes through the slot.
    func open(_ next: Watermark, key: String, _ work: @escaping @Loop (Slot) async throws -> Void) {
        let slot = Slot(self, reach: next, key: key)
        let predecessor = lastOfKey.updateValue(slot, forKey: key)?.task
        planned = next
        taken += 1
        slots.append(slot)
        running[ObjectIdentifier(slot)] = slot
        slot.task = Loop.task {
            defer { self.ended(slot) }
            _ = await predecessor?.result
            do {
                try Task.checkCancellation()
                try await work(slot)
                slot.finish()
            } catch {
                self.fail(error)
            }
        }
    }

    /// Takes note of a record that needs nothing.
    func note(_ next: Watermark) {
        planned = next
        if let last = slots.last { last.reach = next } else { handled = next }
    }

    private func ended(_ slot: Slot) {
        running[ObjectIdentifier(slot)] = nil
        if lastOfKey[slot.key] === slot { lastOfKey[slot.key] = nil }
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
        var group = Array(slots.prefix(while: \.isReady))
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

    private func commit(_ group: [Slot]) async {
        let from = stored
        let target = group[group.count - 1].reach
        let move = Append(
            id: .v7(), requestHash: [], metadata: EventMetadata(owner: nil, correlation: .v7(), actor: "consumer"),
            writes: [], calls: [from.move(to: target)])
        let results = await store.append(together: [move] + group.compactMap(\.append))
        switch results[0] {
        case .success: settle(group, target, results.dropFirst())
        case .failure(.groupRefused): give(group, results.dropFirst())
        case .failure(.guarded("watermark")):
            // A commit whose answer was lost has moved it, and the repeat has found it moved; or it is another owner's.
            if (try? await target.stands(store.pool)) == true {
                settle(group, target, results.dropFirst())
            } else {
                fail(LostPartition())
            }
        case .failure(.data) where group.count > 1: apart = group.count
        case .failure(let error):
            for slot in group { slot.give(.failure(error)) }
            // With nobody to hear of it, nobody would wait before the next try.
            await LoopWait.pause(.milliseconds(50))
        }
        committing = nil
        if isStopping { endOffers() }
        commitSoon()
        news.raise()
    }

    /// The group is behind the stored watermark.
    private func settle(_ group: [Slot], _ target: Watermark, _ results: ArraySlice<AppendResult>) {
        stored = target
        taken = slots.count - group.count
        var results = results
        for slot in group where slot.append != nil {
            switch results.popFirst() {
            case .success(let receipt)?: slot.give(.success(receipt))
            // Committed before, by a try whose answer was lost.
            case .failure?, nil: slot.give(.success(AppendReceipt(position: 0, recordedAt: .now(), isRepeat: true)))
            }
        }
        leave(group)
    }

    private func leave(_ group: [Slot]) {
        for slot in group { slot.settle() }
        handled = group[group.count - 1].reach
        slots.removeFirst(group.count)
        news.raise()
    }

    /// Those that were refused decide again; the others wait for the next group.
    private func give(_ group: [Slot], _ results: ArraySlice<AppendResult>) {
        var results = results
        for slot in group where slot.append != nil {
            if let result = results.popFirst(), case .failure(let error) = result, error != .groupRefused {
                slot.give(result)
            }
        }
    }
}
