import Runtime

/// The answer that one caller waits for; deaf to cancellation, because the append happens all the same.
@Loop final class AppendAnswer {
    private var result: Result<AppendReceipt, AppendError>?
    private var continuation: UnsafeContinuation<Void, Never>?

    /// Whether the caller has its answer.
    var isGiven: Bool { result != nil }

    /// Answers; does nothing after another answer.
    func give(_ result: Result<AppendReceipt, AppendError>) {
        guard self.result == nil else { return }
        self.result = result
        continuation?.resume()
        continuation = nil
    }

    /// Suspends until there is an answer.
    func value() async throws(AppendError) -> AppendReceipt {
        while true {
            if let result { return try result.get() }
            await withUnsafeContinuation { continuation = $0 }
        }
    }
}

extension LoopWait {
    /// Suspends for a duration, whether or not the task is cancelled.
    @Loop static func pause(_ duration: Duration) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            _ = EventLoop.shared.schedule(after: duration) { continuation.resume() }
        }
    }
}
