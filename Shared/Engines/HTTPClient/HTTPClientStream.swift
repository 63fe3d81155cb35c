package import Runtime

/// A response whose body is pulled piece by piece, with back-pressure on the server.
@Loop package final class HTTPClientStream {
    package let status: Int
    package let headers: [(name: String, value: String)]

    private let transfer: Transfer

    init(_ transfer: Transfer) {
        self.transfer = transfer
        status = transfer.status
        headers = transfer.headers
    }

    deinit {
        let transfer = transfer
        Loop.task { transfer.cancel() }
    }

    /// The next bytes; nil at the end.
    ///
    /// - Throws: ``HTTPClientError`` if the transfer fails; `CancellationError` if the task is cancelled.
    package func next() async throws -> [UInt8]? { try await transfer.next() }

    /// Ends the transfer; happens automatically when the stream is released.
    package func cancel() { transfer.cancel() }
}
