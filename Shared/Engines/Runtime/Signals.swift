import CEpoll
import Glibc

/// SIGTERM and SIGINT, for a task to wait for.
@Loop package final class TerminationSignals {
    private let descriptor: Descriptor

    /// Takes over both signals for the process.
    package init() {
        let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        terminationEvent = number
        descriptor = Descriptor(owning: number)
        signal(SIGTERM, noteTermination)
        signal(SIGINT, noteTermination)
    }

    /// Suspends until one of the signals arrives; a signal between two waits is not lost.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func next() async throws {
        while true {
            var count: UInt64 = 0
            if read(descriptor.number, &count, 8) == 8 { return }
            try await descriptor.readable()
        }
    }
}

// Written once before the handlers are installed; a handler may only read it and call write(2).
nonisolated(unsafe) private var terminationEvent: Int32 = -1

private func noteTermination(_ signal: Int32) {
    var one: UInt64 = 1
    _ = write(terminationEvent, &one, 8)
}
