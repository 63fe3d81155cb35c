import Runtime

/// Places for what only so many attempts of this instance do at a time.
@Loop final class Places {
    let count: Int
    private var taken = 0
    private let freed = Signal()

    /// - Parameter count: at least one.
    init(_ count: Int) { self.count = count }

    /// Does something in a place, if there is a free one now; nil when there is none.
    func ifFree<Result>(_ work: @Loop () async throws -> Result) async throws -> Result? {
        guard taken < count else { return nil }
        return try await holding(work)
    }

    /// Does something in a place, and waits for one as long as somebody wants that; nil when nobody does any more.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; what `work` throws.
    func waiting<Result>(
        while isWanted: @Loop () -> Bool, _ work: @Loop () async throws -> Result
    ) async throws -> Result? {
        while isWanted() {
            if taken < count { return try await holding(work) }
            // Whoever stops wanting it says nothing here.
            try await freed.wait(atMost: .milliseconds(250))
        }
        return nil
    }

    private func holding<Result>(_ work: @Loop () async throws -> Result) async throws -> Result {
        taken += 1
        defer {
            taken -= 1
            freed.raise()
        }
        return try await work()
    }
}
