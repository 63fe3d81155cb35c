import Runtime

/// A request that is sent a second time, beside the first, when no answer has come for a while. The first good answer counts, and
/// whichever has none by then is ended.
@Loop final class HedgedRequest {
    struct Outcome {
        /// The body of the good answer; without one the failure, and of two the one after which the provider may charge.
        let result: Result<[UInt8], ProviderFailure>
        /// How many were sent.
        let sent: Int
        /// How many may be charged besides the one that this is the result of.
        let alsoCharged: Int64
    }

    private let send: @Loop (_ left: Duration) async throws -> [UInt8]
    /// Nil for one that is under way.
    private var results: [Result<[UInt8], ProviderFailure>?] = []
    private var tasks: [Task<Void, any Error>] = []
    private let came = Signal()

    /// - Parameter send: sends one, with its own deadline; gives the body, or throws ``ProviderFailure`` or `CancellationError`.
    init(_ send: @escaping @Loop (_ left: Duration) async throws -> [UInt8]) { self.send = send }

    /// Sends it; called once.
    ///
    /// - Parameters:
    ///   - pause: how long to wait for an answer before the second is sent; nil for never.
    ///   - left: until when there must be an answer.
    /// - Throws: `CancellationError` when the task is cancelled; then both are ended.
    func run(pause: Duration?, within left: Duration) async throws -> Outcome {
        let deadline = ContinuousClock.now + left
        defer { for task in tasks { task.cancel() } }
        start(left)
        if let pause {
            let second = ContinuousClock.now + pause
            while !isDecided, .now < second { try await came.wait(atMost: second - .now) }
            if !isDecided, .now < deadline { start(deadline - .now) }
        }
        // Each has a deadline of its own.
        while !isDecided { try await came.wait(atMost: .seconds(3_600)) }
        return outcome
    }

    private func start(_ left: Duration) {
        let number = results.count
        results.append(nil)
        tasks.append(
            Loop.task {
                do {
                    self.results[number] = .success(try await self.send(left))
                } catch {
                    // Of one that was ended here nobody reads what it came to.
                    self.results[number] = .failure(error as? ProviderFailure ?? .cut)
                }
                self.came.raise()
            })
    }

    private var isDecided: Bool {
        results.allSatisfy { $0 != nil } || results.contains { if case .success = $0 { true } else { false } }
    }

    private var outcome: Outcome {
        let counts =
            results.firstIndex { if case .success = $0 { true } else { false } }
            ?? results.firstIndex(where: Self.mayBeCharged) ?? results.count - 1
        let also = results.indices.count { $0 != counts && Self.mayBeCharged(results[$0]) }
        return Outcome(result: results[counts] ?? .failure(.cut), sent: results.count, alsoCharged: Int64(also))
    }

    /// One that is under way is ended, and may have been done.
    private static func mayBeCharged(_ result: Result<[UInt8], ProviderFailure>?) -> Bool {
        if case .failure(let failure) = result { failure.mayBePaid } else { true }
    }
}
