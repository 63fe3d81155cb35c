import Glibc
package import Runtime

/// A request's body, pulled by the handler: the client cannot send faster than it is read, and memory stays constant.
///
/// One reader at a time. The body is gone once the handler has responded.
@Loop package final class RequestBody {
    private static let pieceBytes = 65_536

    /// The announced number of bytes; nil for a chunked body.
    package nonisolated let length: Int64?

    private weak var connection: Connection?
    private var framing: RequestHead.Framing
    private var decoder: ChunkedDecoder
    private var owesContinue: Bool
    private var received: Int64 = 0
    /// By how many nanoseconds the client is late at the demanded rate; what it was early is not saved up.
    private var behind: Int64 = 0
    private var bytesPerSecond: Int64
    private var end = Int64.max
    private var late = HeadRefusal.late.problem
    private var failure: (any Error)?

    init(_ head: RequestHead, connection: Connection) {
        self.connection = connection
        framing = head.framing
        owesContinue = head.expectsContinue
        decoder = ChunkedDecoder(overheadLimit: connection.limits.headBytes)
        bytesPerSecond = max(1, connection.limits.bodyBytesPerSecond)
        length =
            switch head.framing {
            case .none: 0
            case .length(let count): count
            case .chunked: nil
            }
    }

    /// The next piece, at most 64 KiB; nil at the end.
    ///
    /// - Throws: a ``Problem`` for a body that is malformed, too large or too slow, ``ClientGone``, or
    ///   `CancellationError`.
    package func next() async throws -> [UInt8]? {
        if let failure { throw failure }
        do {
            if monotonicNanoseconds() >= end { throw late }
            let piece = try await readPiece()
            let count = Int64(piece?.count ?? 0)
            received += count
            behind = max(0, behind - count * 1_000_000_000 / bytesPerSecond)
            return piece
        } catch {
            switch error {
            case let refusal as HeadRefusal: failure = refusal.problem
            case is TransportTimeout:
                failure = monotonicNanoseconds() >= end ? late : HeadRefusal.late.problem
            default: failure = error
            }
            throw failure ?? error
        }
    }

    /// Demands more of the client than the server's limits do, from now on.
    ///
    /// - Parameters:
    ///   - rate: the minimum rate in bytes per second of waiting, as ``ServerLimits/bodyBytesPerSecond``.
    ///   - left: how long the rest may take in all.
    ///   - late: the problem when it takes longer.
    package func demand(bytesPerSecond rate: Int64, within left: Duration, orElse late: Problem) {
        bytesPerSecond = max(1, rate)
        end = monotonicNanoseconds() + left.nanosecondsClamped
        self.late = late
    }

    /// The complete body.
    ///
    /// - Throws: a problem with status 413 if it is longer than `limit` bytes, and what ``next()`` throws.
    package func collect(limit: Int) async throws -> [UInt8] {
        if let length, length > limit { throw Problem.bodyTooLarge(limit: Int64(limit)) }
        guard var all = try await next() else { return [] }
        while all.count <= limit, let piece = try await next() { all += piece }
        if all.count > limit { throw Problem.bodyTooLarge(limit: Int64(limit)) }
        return all
    }

    /// Whether the rest that the handler left unread can be skipped, so that the connection can serve another request.
    var canBeDrained: Bool {
        guard failure == nil, let connection else { return false }
        switch framing {
        case .none: return true
        // A client still waiting for "100 Continue" may or may not send the body: what follows would be ambiguous.
        case .length(let left): return !owesContinue && left <= connection.limits.drainedBytes
        case .chunked: return false
        }
    }

    /// Skips the rest and releases the connection.
    func drain() async throws {
        while try await next() != nil {}
        detach()
    }

    /// Releases the connection, because the response is written.
    func detach() {
        connection = nil
        if failure == nil { failure = ClientGone() }
    }

    private func readPiece() async throws -> [UInt8]? {
        guard let connection else { throw ClientGone() }
        if framing == .none { return nil }
        if owesContinue {
            owesContinue = false
            if connection.input.isEmpty { try await connection.sendContinue() }
        }
        switch framing {
        case .none: return nil
        case .length(let left):
            let most = Int(min(left, Int64(Self.pieceBytes)))
            let piece: [UInt8]
            if connection.input.isEmpty {
                piece = try await read(upTo: most, from: connection)
            } else {
                let count = min(most, connection.input.count)
                piece = connection.input.take(0..<count, consuming: count)
            }
            framing = left == Int64(piece.count) ? .none : .length(left - Int64(piece.count))
            return piece
        case .chunked: return try await readChunked(connection)
        }
    }

    private func readChunked(_ connection: Connection) async throws -> [UInt8]? {
        while true {
            if connection.input.isEmpty {
                let piece = try await read(upTo: Self.pieceBytes, from: connection)
                piece.withUnsafeBytes { connection.input.append($0) }
            }
            let (consumed, data) = try connection.input.withPrefix(connection.input.count) {
                (bytes) throws(HeadRefusal) in try decoder.next(bytes)
            }
            let piece = connection.input.take(data, consuming: consumed)
            if received + Int64(piece.count) > connection.limits.bodyBytes { throw HeadRefusal.bodyTooLarge }
            if !piece.isEmpty { return piece }
            if decoder.isDone {
                framing = .none
                return nil
            }
        }
    }

    private func read(upTo most: Int, from connection: Connection) async throws -> [UInt8] {
        while true {
            if let piece = connection.receive(upTo: most) {
                if piece.isEmpty { throw ClientGone() }
                return piece
            }
            // Only time spent waiting counts, so that a slow handler is not blamed on the client.
            let limits = connection.limits
            let idle = limits.bodyIdleDeadline.nanosecondsClamped
            let start = monotonicNanoseconds()
            try await connection.transport.readable(until: min(end, start + max(0, idle - behind)))
            behind += monotonicNanoseconds() - start
        }
    }
}
