package import Configuration
import Crypto
package import EventStore
import HTTPServer
package import Postgres
import Primitives
package import Runtime

/// So many attempts at once, and so many again after a window.
package struct RateLimit: Sendable, Equatable {
    /// What is limited; limits of different names count apart.
    package let name: String
    package let count: Int64
    package let window: Duration

    /// Reads a limit such as `10/10m` from the variable `LIMIT_` and the name; problems stay in `environment`.
    package init(_ name: String, _ environment: Environment, default standard: String) {
        let variable = "LIMIT_\(name)"
        self.name = name
        let parts = environment.string(variable, default: standard).split(
            separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let count = Int64(parts[0]), (1...1_000_000).contains(count),
            let window = Duration(configuration: parts[1]), window > .zero
        {
            self.count = count
            self.window = window
        } else {
            environment.refuse(variable, "must be a number of attempts and a span of time, such as 10/10m.")
            count = 1
            window = .seconds(1)
        }
    }
}

/// Counts attempts for all instances together, in the table `attempts`.
@Loop package struct RateLimits {
    private let pool: PostgresPool
    private let key: [UInt8]

    /// - Parameter key: hashes who tries, so that the table names nobody.
    package init(_ pool: PostgresPool, key: [UInt8]) {
        self.pool = pool
        self.key = key
    }

    /// Takes one attempt.
    ///
    /// - Throws: a problem 429 with the time to wait when none is left, or `PostgresError`.
    package func take(_ limit: RateLimit, _ who: String) async throws {
        let pace = Double(limit.window.microseconds) / Double(limit.count)
        let result = try await pool.query(
            "select take_attempt($1, $2, $3 * interval '1 microsecond')",
            [.bytes(row(limit, who)), .int(limit.count), .double(pace)])
        guard let seconds = result.rows[0].optional(0, PostgresRow.double) else { return }
        throw Problem.tooManyAttempts(seconds: max(1, Int64(seconds.rounded(.up))))
    }

    /// Gives all attempts back, after a success.
    package func clear(_ limit: RateLimit, _ who: String) async throws {
        _ = try await pool.query("delete from attempts where key = $1", [.bytes(row(limit, who))])
    }

    /// Forgets those whose allowance is full again.
    package func sweep() async throws {
        _ = try await pool.query("delete from attempts where full_at < now()")
    }

    private func row(_ limit: RateLimit, _ who: String) -> [UInt8] {
        HMACSHA256.authenticate(Array("\(limit.name):\(who)".utf8), key: key)
    }
}

extension Migration {
    /// The rate limits' objects.
    package static let access = [Migration("attempts", PackageResources.attempts_sql)]
}
