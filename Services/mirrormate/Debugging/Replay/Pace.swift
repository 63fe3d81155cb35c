package import Postgres
import Primitives
package import Runtime

/// How a rebuild makes way for the service that goes on appending.
///
/// After each piece of work it rests. From how fast the log grows while it works and while it rests it knows what it costs,
/// and it rests so long that this is no more than a share of the appends. While nothing is appended, it goes on at full speed.
@Loop package final class Pace {
    /// The share of the appends that a rebuild may cost, unless somebody allows another.
    package static let cost = 0.05

    /// How much was appended in some stretches of time, of which old ones count less and less.
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
    ///   - connection: one that may read the log; it must be free whenever there may be a rest.
    ///   - cost: above 0; from 1 on there is no rest.
    package init(_ connection: PostgresConnection, cost: Double) {
        self.connection = connection
        self.cost = cost
    }

    /// Ends a piece of work: rests when the log has grown meanwhile.
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
    ///   - working: appends a second while the rebuild works.
    ///   - resting: appends a second while it rests; 0 when that is not known yet.
    package nonisolated static func rest(working: Double, resting: Double, cost: Double) -> Double {
        let harm = resting > 0 ? max(1 - working / resting, 0) : 0.5
        // Working a part p of the time costs p × harm.
        return min(max(harm / cost - 1, 1), 30)
    }

    /// What has been appended since the last look.
    private func look() async throws -> (events: Double, seconds: Double) {
        let head = try await connection.query("select coalesce(max(position), 0) from events").rows[0].int(0)
        let now = ContinuousClock.now
        defer { last = (head, now) }
        guard let last else { return (0, 0) }
        return (Double(head - last.head), (now - last.time) / .seconds(1))
    }
}
