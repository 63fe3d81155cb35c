import Glibc
import Runtime

/// The client has gone, or the connection to it broke.
package struct ClientGone: Error, Sendable, CustomStringConvertible {
    package var description: String { "The client closed the connection; there is nobody left to answer." }
}

/// A wait for the client exceeded its deadline.
struct TransportTimeout: Error {}

/// One accepted socket: reading and writing with deadlines.
///
/// Registered once, edge-triggered; whether the kernel would block is remembered between edges, which saves calls that
/// would only report that.
@Loop final class Transport: DescriptorHandler {
    private(set) var hungUp = false
    var onHangUp: (@Loop () -> Void)?

    private var number: Int32
    private var mayRead = true
    private var mayWrite = true
    private var readWait: LoopWait?
    private var writeWait: LoopWait?
    private var readDeadline = Int64.max
    private var writeDeadline = Int64.max

    init(accepted number: Int32) {
        self.number = number
        EventLoop.shared.register(number, handler: self)
    }

    func ready(_ readiness: Readiness) {
        // Sets the flag first: the task that is woken must know that the end can be read without another edge.
        let isNews = readiness.hungUp && !hungUp
        hungUp = hungUp || readiness.hungUp
        if readiness.readable {
            mayRead = true
            readWait?.resume()
        }
        if readiness.writable {
            mayWrite = true
            writeWait?.resume()
        }
        if isNews { onHangUp?() }
    }

    /// Reads what is available: the count, 0 at the end or after a failure, nil if the kernel would block.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard number >= 0 else { return 0 }
        while mayRead {
            let count = recv(number, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                // Less than requested means drained; but after a hang-up the end comes without another edge.
                if count < buffer.count, !hungUp { mayRead = false }
                return count
            }
            if count == 0 { return 0 }
            if errno == EAGAIN { mayRead = false } else if errno != EINTR { return 0 }
        }
        return nil
    }

    /// Suspends until a read may succeed.
    func readable(until deadline: Int64) async throws {
        guard number >= 0 else { throw ClientGone() }
        guard !mayRead else { return }
        let wait = LoopWait()
        readWait = wait
        readDeadline = deadline
        defer { readWait = nil }
        try await wait.wait()
    }

    /// Writes everything, waiting at most `limit` for each 64 KiB.
    func send(_ bytes: [UInt8], limit: Duration) async throws {
        var sent = 0
        var milestone = 0
        while sent < bytes.count {
            guard number >= 0 else { throw ClientGone() }
            if mayWrite {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(number, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
                }
                if count >= 0 {
                    sent += count
                    if sent < bytes.count { mayWrite = false }
                } else if errno == EAGAIN {
                    mayWrite = false
                } else if errno != EINTR {
                    throw ClientGone()
                }
                continue
            }
            if sent >= milestone {
                milestone = sent + 65_536
                writeDeadline = monotonicNanoseconds() + limit.nanosecondsClamped
            }
            let wait = LoopWait()
            writeWait = wait
            defer { writeWait = nil }
            try await wait.wait()
        }
    }

    /// Ends waits whose deadline has passed.
    func expire(now: Int64) {
        if now >= readDeadline { readWait?.fail(TransportTimeout()) }
        if now >= writeDeadline { writeWait?.fail(TransportTimeout()) }
    }

    /// Signals the end to the client; reading remains possible.
    func shutdownWriting() {
        if number >= 0 { shutdown(number, Int32(SHUT_WR)) }
    }

    /// Closes the socket and resumes all waits.
    func close() {
        guard number >= 0 else { return }
        EventLoop.shared.unregister(number)
        _ = Glibc.close(number)
        number = -1
        onHangUp = nil
        readWait?.fail(ClientGone())
        writeWait?.fail(ClientGone())
    }
}
