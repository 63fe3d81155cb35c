import CSystem
import Glibc
package import Runtime

/// A process that this one did not start, such as an earlier run of this program; it can be signalled and awaited.
@Loop package final class ProcessReference {
    /// Which process it is.
    package let identity: ProcessIdentity
    private let descriptor: Descriptor

    /// Refers to a process; nil if it is no longer running.
    package init?(_ identity: ProcessIdentity) {
        let number = mm_pidfd_open(identity.id)
        guard number >= 0 else { return nil }
        // The pidfd refers to whichever process had the id just now; if that is the right one, it remains so.
        guard identity.isRunning else {
            close(number)
            return nil
        }
        self.identity = identity
        descriptor = Descriptor(owning: number)
    }

    /// Signals exactly this process; does nothing if it has ended.
    package func kill(_ signal: Int32) {
        _ = mm_pidfd_signal(descriptor.number, signal)
    }

    /// Waits for the end of the process.
    ///
    /// - Throws: ``DeadlineExceeded`` if it still runs after `limit`, `CancellationError` if the task is cancelled.
    package func ended(within limit: Duration) async throws {
        try await Loop.withDeadline(limit) { [self] in
            while identity.isRunning { try await descriptor.readable() }
        }
    }

    /// Asks the process to end with `signal`, and kills it if it has not ended after `patience`.
    ///
    /// - Returns: whether it ended without being killed.
    /// - Throws: ``DeadlineExceeded`` if it still runs ten seconds after it was killed, `CancellationError` if the task
    ///   is cancelled.
    package func stop(with signal: Int32 = SIGTERM, patience: Duration) async throws -> Bool {
        kill(signal)
        do {
            try await ended(within: patience)
            return true
        } catch is DeadlineExceeded {
            kill(SIGKILL)
            try await ended(within: .seconds(10))
            return false
        }
    }
}
