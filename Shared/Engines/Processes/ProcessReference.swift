import CSystem
import Glibc
package import Runtime

/// A process that somebody else started, such as an earlier run of this program: it can be signalled and its end
/// awaited.
@Loop package final class ProcessReference {
    /// Which process it is.
    package let identity: ProcessIdentity
    private let descriptor: Descriptor

    /// Takes hold of a process; nil when it does not run any more.
    package init?(_ identity: ProcessIdentity) {
        let number = mm_pidfd_open(identity.id)
        guard number >= 0 else { return nil }
        // The descriptor names whoever had the number just now; if that was the right one, it stays the right one.
        guard identity.isRunning else {
            close(number)
            return nil
        }
        self.identity = identity
        descriptor = Descriptor(owning: number)
    }

    /// Signals exactly this process; does nothing when it has ended.
    package func kill(_ signal: Int32) {
        _ = mm_pidfd_signal(descriptor.number, signal)
    }

    /// Waits for the end of the process.
    ///
    /// - Throws: ``DeadlineExceeded`` when it still runs after `limit`, `CancellationError` when the task is cancelled.
    package func ended(within limit: Duration) async throws {
        try await Loop.withDeadline(limit) { [self] in
            while identity.isRunning { try await descriptor.readable() }
        }
    }

    /// Asks the process to end with `signal` and kills it when it has not after `patience`.
    ///
    /// - Returns: whether it ended by itself.
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
