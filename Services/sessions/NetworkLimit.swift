import Crypto
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import Uploads

/// How many analyses one client network may begin in a day, whoever asks: accounts and anonymous devices cost nothing, so
/// their own quotas do not stop somebody who makes many. Counted for all instances together in the table
/// `network_analyses`, by keyed hashes; no event has them.
@Loop struct NetworkLimit {
    private static let day = Duration.seconds(86_400)

    private let pool: PostgresPool
    private let key: [UInt8]
    private let count: Int
    /// After how long one analysis is there again.
    private var pace: Double { Double(Self.day.microseconds) / Double(count) }

    init(_ pool: PostgresPool, _ settings: SessionsSettings) {
        self.pool = pool
        key = HMACSHA256.authenticate(Array("mirrormate/networks".utf8), key: settings.uploads.key)
        count = settings.networkAnalyses
    }

    /// Takes one analysis.
    ///
    /// - Parameter network: what the gateway says of the client, an IPv4 address or the /64 of an IPv6 one.
    /// - Throws: a problem 429 with the time to wait when none is left, or `PostgresError`.
    func take(_ network: String) async throws {
        let row = try await pool.query(
            "select take_analysis($1, $2, $3 * interval '1 microsecond')",
            [.bytes(hash(network)), .int(Int64(count)), .double(pace)]
        ).rows[0]
        guard let wait = row.optional(0, PostgresRow.double) else { return }
        let seconds = max(1, Int64(wait.rounded(.up)))
        throw Problem(
            .tooManyAnalyses, members: [("retryAfterSeconds", .int(seconds))],
            headers: ["Retry-After": String(seconds)])
    }

    /// Gives back what came to nothing.
    ///
    /// - Throws: `PostgresError`.
    func giveBack(_ network: String) async throws {
        _ = try await pool.query(
            "update network_analyses set full_at = full_at - $2 * interval '1 microsecond' where network = $1",
            [.bytes(hash(network)), .double(pace)])
    }

    /// Forgets networks whose allowance is full again, every few minutes until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            // What could not be removed this time is removed the next.
            _ = try? await pool.query("delete from network_analyses where full_at < now()")
            try? await Loop.sleep(for: .seconds(300))
        }
    }

    private func hash(_ network: String) -> [UInt8] { HMACSHA256.authenticate(Array(network.utf8), key: key) }
}
