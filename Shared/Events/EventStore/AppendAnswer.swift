package import Runtime

/// The outcome of one append.
package typealias AppendResult = Result<AppendReceipt, AppendError>

/// The answer that one caller waits for; not cancelled with the caller, because the append happens all the same.
@Loop final class AppendAnswer {
    private var results: [AppendResult]?
    private var continuation: UnsafeContinuation<Void, Never>?

    /// Whether the caller has its answer.
    var isGiven: Bool { results != nil }

    /// Answers; does nothing after another answer.
    func give(_ results: [AppendResult]) {
        guard self.results == nil else { return }
        self.results = results
        continuation?.resume()
        continuation = nil
    }

    /// Suspends until there is an answer.
    func value() async -> [AppendResult] {
        while true {
            if let results { return results }
            await withUnsafeContinuation { continuation = $0 }
        }
    }
}

extension LoopWait {
    /// Suspends for a duration, whether or not the task is cancelled.
    @Loop package static func pause(_ duration: Duration) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            _ = EventLoop.shared.schedule(after: duration) { continuation.resume() }
        }
    }
}
