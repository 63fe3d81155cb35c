/// One wait of one task for something on the loop; whichever comes first, event or cancellation, resumes it.
///
/// It may be resumed before the wait begins; further resumes do nothing.
@Loop package final class LoopWait {
    private enum State {
        case idle
        case waiting(UnsafeContinuation<Void, any Error>)
        case done(Result<Void, any Error>)
    }

    private var state = State.idle

    package init() {}

    /// Whether it has been resumed.
    package var isDone: Bool {
        if case .done = state { return true }
        return false
    }

    /// Ends the wait.
    package func resume() { finish(.success(())) }

    /// Ends the wait with an error.
    package func fail(_ error: any Error) { finish(.failure(error)) }

    /// Suspends until resumed.
    ///
    /// - Throws: the error of ``fail(_:)``, or `CancellationError` if the task is cancelled first.
    package func wait() async throws {
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
                switch state {
                case .idle:
                    if Task.isCancelled {
                        state = .done(.failure(CancellationError()))
                        continuation.resume(throwing: CancellationError())
                    } else {
                        state = .waiting(continuation)
                    }
                case .done(let result): continuation.resume(with: result)
                case .waiting: preconditionFailure("Only one task may wait on a LoopWait.")
                }
            }
        } onCancel: {
            Task { @Loop in self.finish(.failure(CancellationError())) }
        }
    }

    private func finish(_ result: Result<Void, any Error>) {
        switch state {
        case .idle: state = .done(result)
        case .waiting(let continuation):
            state = .done(result)
            continuation.resume(with: result)
        case .done: break
        }
    }
}
