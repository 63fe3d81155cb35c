import Glibc
package import Postgres
import Primitives
package import Runtime

/// How a rebuild makes way for the service that goes on appending.
///
/// As long as the log grows, it rests after each piece of work, so that its process takes no more than a share of one
/// processor; while nothing is appended it goes on at full speed. Processor time counts, not time: where others have the
/// machine, it makes way for them without resting.
@Loop package final class Pace {
    /// The share of one processor that a rebuild takes while there are appends, unless somebody asks for another.
    package static let share = 0.25

    private let connection: PostgresConnection
    private let share: Double
    private var head: Int64 = 0
    private var spent = Pace.processorNanoseconds()

    /// - Parameters:
    ///   - connection: one that may read the log; it must be free whenever there may be a rest.
    ///   - share: above 0; from 1 on there is no rest.
    package init(_ connection: PostgresConnection, share: Double) {
        self.connection = connection
        self.share = share
    }

    /// Ends a piece of work: rests when the log has grown since the last one.
    ///
    /// - Throws: `PostgresError`, or `CancellationError`.
    package func rest() async throws {
        let before = head
        head = try await connection.query("select coalesce(max(position), 0) from events").rows[0].int(0)
        let worked = Double(Self.processorNanoseconds() - spent)
        if head > before, before > 0, share < 1 {
            try await Loop.sleep(for: .nanoseconds(Int64(worked * (1 - share) / share)))
        }
        spent = Self.processorNanoseconds()
    }

    /// The processor time of this process, all threads together.
    private nonisolated static func processorNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
