package import Runtime

/// Writes a streamed body; every write waits for the client to accept it, as long as that keeps the demanded pace.
@Loop package final class ResponseWriter {
    private static let pieceBytes = 65_536

    enum Framing {
        case chunked
        case length(Int64)
        case untilClose
    }

    private let connection: Connection
    private var framing: Framing
    private var isOpen = true
    /// By how many nanoseconds the client is late at the demanded rate; what it was early is not saved up.
    private var behind: Int64 = 0
    private var bytesPerSecond: Int64
    private var end = Int64.max

    init(_ connection: Connection, framing: Framing) {
        self.connection = connection
        self.framing = framing
        bytesPerSecond = max(1, connection.limits.responseBytesPerSecond)
    }

    /// Demands more of the client than the server's limits do, from now on. One that does not keep up counts as gone.
    ///
    /// - Parameters:
    ///   - rate: the minimum rate in bytes per second of waiting, as ``ServerLimits/responseBytesPerSecond``; nil for that one.
    ///   - left: how long the rest may take in all.
    package func demand(bytesPerSecond rate: Int64? = nil, within left: Duration) {
        if let rate { bytesPerSecond = max(1, rate) }
        end = monotonicNanoseconds() + left.nanosecondsClamped
    }

    /// Whether the server is stopping, so that a long stream should end.
    package var isDraining: Bool { connection.isDraining }

    /// Sends bytes.
    ///
    /// - Throws: ``ClientGone`` if the client has gone or is too slow, `CancellationError` if the task is cancelled,
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
            try await send(chunk)
        case .length(let left):
            guard Int64(bytes.count) <= left else { throw StreamLengthError() }
            framing = .length(left - Int64(bytes.count))
            try await send(bytes)
        case .untilClose: try await send(bytes)
        }
    }

    /// Sends piece by piece, so that the pace is looked at in between.
    private func send(_ bytes: [UInt8]) async throws {
        var sent = 0
        while sent < bytes.count {
            let piece = Array(bytes[sent..<min(bytes.count, sent + Self.pieceBytes)])
            let start = monotonicNanoseconds()
            let patience = connection.limits.writeDeadline.nanosecondsClamped - behind
            guard start < end, patience > 0 else { throw ClientGone() }
            try await connection.send(piece, within: .nanoseconds(min(patience, end - start)))
            // Only this waits for the client, so a slow handler is not blamed on it.
            let taken = monotonicNanoseconds() - start
            behind = max(0, behind + taken - Int64(piece.count) * 1_000_000_000 / bytesPerSecond)
            sent += piece.count
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
        case .chunked: try await send(Array("0\r\n\r\n".utf8))
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
