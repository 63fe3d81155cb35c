package import Runtime

/// A request whose body is handed over piece by piece while it is being sent, in constant memory.
@Loop package final class HTTPClientUpload {
    private let transfer: Transfer

    init(_ transfer: Transfer) { self.transfer = transfer }

    deinit {
        let transfer = transfer
        Loop.task { transfer.cancel() }
    }

    /// Hands over the next bytes and waits until they are being sent. If the server has already answered, they are dropped
    /// and ``finish(deadline:)`` returns its response.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func write(_ bytes: [UInt8]) async throws { try await transfer.give(bytes) }

    /// Waits for the response, after all announced bytes were handed over.
    ///
    /// - Throws: ``HTTPClientError``; `DeadlineExceeded` if the server does not answer in time.
    package func finish(deadline: Duration = .seconds(60)) async throws -> HTTPClientResponse {
        let transfer = transfer
        try await Loop.withDeadline(deadline) { try await transfer.done.wait() }
        return HTTPClientResponse(status: transfer.status, headers: transfer.headers, body: transfer.takeAll())
    }

    /// Ends the transfer; servers discard an incomplete body.
    package func cancel() { transfer.cancel() }
}
