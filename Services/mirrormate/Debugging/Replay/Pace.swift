package import Postgres
import Primitives
package import Runtime

/// Throttles a rebuild in favor of the service that keeps appending.
///
/// After each piece of work it rests. By comparing how fast the log grows while it works and while it rests, it knows its
/// own cost, and rests long enough to stay below a share of the appends. While nothing is appended, it runs at full speed.
@Loop package final class Pace {
    /// The default share of the appends that a rebuild may cost.
    package static let cost = 0.05

    /// A growth rate over intervals, of which old ones count less and less.
    private struct Growth {
        private var events = 0.0
        private var seconds = 0.0
        var rate: Double { seconds > 0 ? events / seconds : 0 }

        mutating func add(_ stretch: (events: Double, seconds: Double)) {
            events = events * 0.9 + stretch.events
            seconds = seconds * 0.9 + stretch.seconds
        }
    }

    private let connection: PostgresConnection
    private let cost: Double
    private var last: (head: Int64, time: ContinuousClock.Instant)?
    private var working = Growth()
    private var resting = Growth()

    /// - Parameters:
    ///   - connection: may read the log; must not be in use when ``rest()`` is called.
    ///   - cost: the share of the appends that the rebuild may cost: above 0; from 1 on it never rests.
    package init(_ connection: PostgresConnection, cost: Double) {
        self.connection = connection
        self.cost = cost
    }

    /// Ends a piece of work: rests if the log has grown meanwhile.
    ///
    /// - Throws: `PostgresError`, or `CancellationError`.
    package func rest() async throws {
        let work = try await look()
        if work.events == 0 || cost >= 1 { return }
        working.add(work)
        let ratio = Self.rest(working: working.rate, resting: resting.rate, cost: cost)
        try await Loop.sleep(for: .milliseconds(Int64(work.seconds * ratio * 1_000)))
        resting.add(try await look())
    }

    /// How long to rest for each second of work.
    ///
    /// - Parameters:
    ///   - working: appends per second while the rebuild works.
    ///   - resting: appends per second while it rests; 0 if not yet known.
    package nonisolated static func rest(working: Double, resting: Double, cost: Double) -> Double {
        let harm = resting > 0 ? max(1 - working / resting, 0) : 0.5
        // Working for a share p of the time costs p × harm.
        return min(max(harm / cost - 1, 1), 30)
    }

    /// The number of events appended since the last call, and the seconds.
    private func look() async throws -> (events: Double, seconds: Double) {
        let head = try await connection.query("select coalesce(max(position), 0) from events").rows[0].int(0)
        let now = ContinuousClock.now
        defer { last = (head, now) }
        guard let last else { return (0, 0) }
        return (Double(head - last.head), (now - last.time) / .seconds(1))
    }
}
