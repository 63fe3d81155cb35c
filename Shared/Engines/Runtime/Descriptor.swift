import Glibc

/// A non-blocking file descriptor on the loop; waiting for readiness suspends the task.
///
/// One task may wait for reading and one for writing at a time. The loop retains this object until ``close()``, which
/// every owner must call.
@Loop package final class Descriptor: DescriptorHandler {
    /// The descriptor's number; -1 after closing.
    package private(set) var number: Int32
    /// Whether the peer has closed its side or the descriptor has failed.
    package private(set) var hungUp = false
    /// Called once when the peer hangs up, to cancel the work done for it.
    package var onHangUp: (@Loop () -> Void)?

    private var readWait: LoopWait?
    private var writeWait: LoopWait?
    // Edges that arrived while no task was waiting.
    private var mayRead = false
    private var mayWrite = false

    /// Takes ownership of an open descriptor and makes it non-blocking.
    package init(owning number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        EventLoop.shared.register(number, handler: self)
    }

    package func ready(_ readiness: Readiness) {
        if readiness.readable {
            mayRead = true
            readWait?.resume()
        }
        if readiness.writable {
            mayWrite = true
            writeWait?.resume()
        }
        if readiness.hungUp, !hungUp {
            hungUp = true
            onHangUp?()
        }
    }

    /// Suspends until a read may succeed. Call it only after a read would have blocked.
    ///
    /// - Throws: `CancellationError` when the task is cancelled or the descriptor is closed meanwhile.
    package func readable() async throws {
        guard number >= 0 else { throw CancellationError() }
        if !mayRead {
            let wait = LoopWait()
            readWait = wait
            defer { readWait = nil }
            try await wait.wait()
        }
        mayRead = false
    }

    /// Suspends until a write may succeed. Call it only after a write would have blocked.
    ///
    /// - Throws: `CancellationError` when the task is cancelled or the descriptor is closed meanwhile.
    package func writable() async throws {
        guard number >= 0 else { throw CancellationError() }
        if !mayWrite {
            let wait = LoopWait()
            writeWait = wait
            defer { writeWait = nil }
            try await wait.wait()
        }
        mayWrite = false
    }

    /// Closes the descriptor and wakes waiters with `CancellationError`; a second call does nothing.
    package func close() {
        guard number >= 0 else { return }
        EventLoop.shared.unregister(number)
        _ = Glibc.close(number)
        number = -1
        readWait?.fail(CancellationError())
        writeWait?.fail(CancellationError())
        onHangUp = nil
    }
}
