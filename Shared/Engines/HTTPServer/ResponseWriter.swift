package import Runtime

/// Writes a streamed body; every write waits for the client to accept it.
@Loop package final class ResponseWriter {
    enum Framing {
        case chunked
        case length(Int64)
        case untilClose
    }

    private let connection: Connection
    private var framing: Framing
    private var isOpen = true

    init(_ connection: Connection, framing: Framing) {
        self.connection = connection
        self.framing = framing
    }

    /// Whether the server is stopping, so that a long stream should end.
    package var isDraining: Bool { connection.isDraining }

    /// Sends bytes.
    ///
    /// - Throws: ``ClientGone`` if the client has gone or accepts nothing, `CancellationError` if the task is cancelled,
    ///   ``StreamLengthError`` beyond the announced length.
    package func write(_ bytes: [UInt8]) async throws {
        guard isOpen else { throw ClientGone() }
        if bytes.isEmpty { return }
        switch framing {
        case .chunked:
            var chunk = Array(String(bytes.count, radix: 16).utf8)
            chunk.reserveCapacity(bytes.count + 16)
            chunk += [0x0D, 0x0A]
            chunk += bytes
            chunk += [0x0D, 0x0A]
            try await connection.send(chunk)
        case .length(let left):
            guard Int64(bytes.count) <= left else { throw StreamLengthError() }
            framing = .length(left - Int64(bytes.count))
            try await connection.send(bytes)
        case .untilClose: try await connection.send(bytes)
        }
    }

    /// Sends a string in UTF-8.
    ///
    /// - Throws: as ``write(_:)`` of bytes.
    package func write(_ text: String) async throws { try await write(Array(text.utf8)) }

    /// Sends one server-sent event; each line of the data becomes a `data:` line.
    ///
    /// - Throws: as ``write(_:)``.
    package func event(id: String? = nil, name: String? = nil, data: String) async throws {
        var text = ""
        // A line break would start another field.
        if let id, !id.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) { text += "id: \(id)\n" }
        if let name, !name.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) { text += "event: \(name)\n" }
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            text += "data: \(line)\n"
        }
        try await write(text + "\n")
    }

    /// Sends an event-stream comment, which keeps proxies from closing a quiet connection.
    ///
    /// - Throws: as ``write(_:)``.
    package func heartbeat() async throws { try await write(": \n\n") }

    func finish() async throws {
        isOpen = false
        switch framing {
        case .chunked: try await connection.send(Array("0\r\n\r\n".utf8))
        case .length(let left): if left > 0 { throw StreamLengthError() }
        case .untilClose: break
        }
    }

    func abandon() { isOpen = false }
}

/// A stream wrote a different number of bytes than its response announced.
package struct StreamLengthError: Error, Sendable, CustomStringConvertible {
    package var description: String { "The stream's length differs from the announced one; correct the handler." }
}
