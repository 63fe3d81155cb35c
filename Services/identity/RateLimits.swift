import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime

/// How often something may be tried, counted for all instances together.
@Loop struct RateLimits {
    /// What is limited, and by what: an address, or an account.
    enum Kind: String, CaseIterable, Sendable {
        case signUp, signIn, refresh, device, account

        /// The environment variable of its figure.
        var variable: String {
            switch self {
            case .signUp: "LIMIT_SIGN_UP"
            case .signIn: "LIMIT_SIGN_IN"
            case .refresh: "LIMIT_REFRESH"
            case .device: "LIMIT_DEVICE"
            case .account: "LIMIT_ACCOUNT"
            }
        }

        /// The figure without a variable.
        var standard: String {
            switch self {
            case .signUp: "100/1h"
            case .signIn: "100/10m"
            case .refresh: "1000/10m"
            case .device: "30/1h"
            case .account: "10/10m"
            }
        }
    }

    /// So many attempts at once, and so many again after a window.
    struct Limit: Sendable, Equatable {
        let count: Int64
        let window: Duration

        init(count: Int64, window: Duration) {
            self.count = count
            self.window = window
        }

        /// Reads `10/10m`.
        init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let count = Int64(parts[0]), (1...1_000_000).contains(count),
                let window = Duration(configuration: parts[1]), window > .zero
            else { return nil }
            self.init(count: count, window: window)
        }
    }

    private let pool: PostgresPool
    private let settings: IdentitySettings

    init(_ pool: PostgresPool, _ settings: IdentitySettings) {
        self.pool = pool
        self.settings = settings
    }

    /// Takes one attempt.
    ///
    /// - Throws: a problem 429 when none is left.
    func take(_ kind: Kind, _ who: String) async throws {
        guard let limit = settings.limits[kind] else { return }
        let result = try await pool.query(
            "select take_attempt($1, $2, $3 * interval '1 microsecond')",
            [
                .bytes(key(kind, who)), .int(limit.count),
                .double(Double(limit.window.microseconds) / Double(limit.count)),
            ])
        guard let seconds = result.rows[0].optional(0, PostgresRow.double) else { return }
        throw Problems.tooManyAttempts(seconds: max(1, Int64(seconds.rounded(.up))))
    }

    /// Gives all attempts back, after a success.
    func clear(_ kind: Kind, _ who: String) async throws {
        _ = try await pool.query("delete from attempts where key = $1", [.bytes(key(kind, who))])
    }

    private func key(_ kind: Kind, _ who: String) -> [UInt8] { settings.secrets.blinded("\(kind.rawValue):\(who)") }
}

/// Removes what is over: login sessions and counters.
@Loop struct Sweeper {
    private let pool: PostgresPool

    init(_ pool: PostgresPool) { self.pool = pool }

    /// Sweeps every few minutes until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            // What could not be removed this time is removed the next.
            try? await sweep()
            try? await Loop.sleep(for: .seconds(300))
        }
    }

    func sweep() async throws {
        _ = try await pool.query("delete from logins where expires_at < now()")
        _ = try await pool.query("delete from attempts where full_at < now()")
    }
}
