package import Runtime

/// An answer whose body is pulled piece by piece; what is not pulled waits at the server.
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
    /// - Throws: ``HTTPClientError`` when the exchange breaks; `CancellationError` when the task is cancelled.
    package func next() async throws -> [UInt8]? { try await transfer.next() }

    /// Ends the exchange; happens by itself when nobody holds the stream any more.
    package func cancel() { transfer.cancel() }
}
