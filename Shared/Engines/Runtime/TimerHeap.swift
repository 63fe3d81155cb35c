/// Identifies a scheduled action, to cancel it.
package struct TimerToken: Hashable, Sendable {
    fileprivate let number: UInt64
}

/// The loop's timers: a binary heap by deadline; cancelled ones are skipped when due.
struct TimerHeap {
    private struct Entry {
        let deadline: Int64
        let token: TimerToken
    }

    private var heap: [Entry] = []
    private var actions: [TimerToken: @Loop () -> Void] = [:]
    private var lastNumber: UInt64 = 0

    mutating func insert(at deadline: Int64, _ action: @escaping @Loop () -> Void) -> TimerToken {
        lastNumber += 1
        let token = TimerToken(number: lastNumber)
        actions[token] = action
        heap.append(Entry(deadline: deadline, token: token))
        var child = heap.count - 1
        while child > 0, heap[child].deadline < heap[(child - 1) / 2].deadline {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
        return token
    }

    mutating func remove(_ token: TimerToken) {
        guard actions.removeValue(forKey: token) != nil else { return }
        // Cancelled entries stay in the heap until due; when there are many (deadlines that were met), all are removed.
        if heap.count > 64, heap.count > actions.count * 4 {
            heap = heap.filter { actions[$0.token] != nil }.sorted { $0.deadline < $1.deadline }
        }
    }

    /// The next deadline; behind ``millisecondsUntilNext(now:)`` it is that of a timer that was not cancelled.
    var next: Int64? { heap.first?.deadline }

    /// The milliseconds until the next deadline, rounded up; -1 if there is none.
    mutating func millisecondsUntilNext(now: Int64) -> Int32 {
        while let first = heap.first, actions[first.token] == nil { popFirst() }
        guard let first = heap.first else { return -1 }
        return Int32(clamping: max(0, (first.deadline - now + 999_999) / 1_000_000))
    }

    /// Removes and returns the first action that is due: one at a time, because an action may cancel the next one.
    mutating func popDue(now: Int64) -> (@Loop () -> Void)? {
        while let first = heap.first, first.deadline <= now {
            popFirst()
            if let action = actions.removeValue(forKey: first.token) { return action }
        }
        return nil
    }

    private mutating func popFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].deadline < heap[smallest].deadline { smallest = child }
            }
            if smallest == parent { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
