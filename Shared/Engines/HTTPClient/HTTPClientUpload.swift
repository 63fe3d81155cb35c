package import Runtime

/// A request whose body is handed over piece by piece while it is sent, so that memory stays constant whatever its size.
@Loop package final class HTTPClientUpload {
    private let transfer: Transfer

    init(_ transfer: Transfer) { self.transfer = transfer }

    deinit {
        let transfer = transfer
        Loop.task { transfer.cancel() }
    }

    /// Gives the next bytes and waits until they are on their way. When the server has answered already, they are dropped
    /// and ``finish(deadline:)`` says what it answered.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func write(_ bytes: [UInt8]) async throws { try await transfer.give(bytes) }

    /// Waits for the answer, after all announced bytes were given.
    ///
    /// - Throws: ``HTTPClientError``; `DeadlineExceeded` when the server does not answer in time.
    package func finish(deadline: Duration = .seconds(60)) async throws -> HTTPClientResponse {
        let transfer = transfer
        try await Loop.withDeadline(deadline) { try await transfer.done.wait() }
        return HTTPClientResponse(status: transfer.status, headers: transfer.headers, body: transfer.takeAll())
    }

    /// Ends the exchange; a server throws away what it has of an incomplete body.
    package func cancel() { transfer.cancel() }
}
