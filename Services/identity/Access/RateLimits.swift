import Crypto
package import HTTPServer
package import Postgres
import Primitives
package import Runtime
package import ServiceKit

/// Counts attempts for all instances together, in the table `attempts`.
@Loop package struct RateLimits {
    private let pool: PostgresPool
    /// Hashes who tries, so that the table names nobody.
    private let key: [UInt8]

    package init(_ pool: PostgresPool, _ settings: AccessSettings) {
        self.pool = pool
        key = settings.secrets.blind
    }

    /// Takes one attempt.
    ///
    /// - Throws: a problem 429 with the time to wait when none is left, or `PostgresError`.
    @discardableResult
    package func take(_ limit: RateLimit, _ who: String) async throws -> RateLimitStanding {
        let row = try await pool.query(
            "select waiting, remaining, resets from take_attempt($1, $2, $3 * interval '1 microsecond')",
            [.bytes(self.row(limit, who)), .int(limit.count), .double(limit.pace)]
        ).rows[0]
        let standing = RateLimitStanding(
            limit: limit, remaining: row.int(1), resetSeconds: Int64(row.double(2).rounded(.up)))
        guard let seconds = row.optional(0, PostgresRow.double) else { return standing }
        var problem = Problem.tooManyAttempts(seconds: max(1, Int64(seconds.rounded(.up))))
        standing.add(to: &problem.headers)
        throw problem
    }

    /// Takes one attempt of a client, in each of its networks.
    ///
    /// - Returns: what is left of the narrowest.
    /// - Throws: a problem 429 with the time to wait when one of them has none left, or `PostgresError`.
    @discardableResult
    package func take(_ limit: RateLimit, from networks: [ClientNetwork]) async throws -> RateLimitStanding {
        var narrowest: RateLimitStanding?
        var taken: [ClientNetwork] = []
        do {
            for network in networks {
                let standing = try await take(limit.times(network.weight), network.name)
                narrowest = narrowest ?? standing
                taken.append(network)
            }
        } catch {
            // Nothing was tried.
            try await giveBack(limit, from: taken)
            throw error
        }
        return narrowest ?? RateLimitStanding(limit: limit, remaining: limit.count, resetSeconds: 0)
    }

    /// Gives one attempt of a client back, which came to nothing that is limited.
    ///
    /// - Throws: `PostgresError`.
    package func giveBack(_ limit: RateLimit, from networks: [ClientNetwork]) async throws {
        for network in networks { try await giveBack(limit.times(network.weight), network.name) }
    }

    /// A handler that each client address may call only so often; every answer says how often it still may.
    package func perAddress(_ limit: RateLimit, _ handler: @escaping Handler) -> Handler {
        { request in
            try await answering(with: take(limit, from: request.clientNetworks)) { try await handler(request) }
        }
    }

    /// A handler that each login session may call only so often, from wherever, and all of a user's together so many times as
    /// often; every answer says how often this one still may. So whoever has a token of one uses up that one.
    ///
    /// - Parameter factor: how many login sessions of one user may use up theirs.
    package func perLogin(
        _ limit: RateLimit, ofUser factor: Int, _ answer: @escaping CallerRoutes.Answer
    ) -> CallerRoutes.Answer {
        { request, caller in
            let login = "login \(caller.session)"
            let standing = try await take(limit, login)
            do {
                try await take(limit.times(factor), "\(caller.user)")
            } catch {
                // Nothing was done.
                try await giveBack(limit, login)
                throw error
            }
            return try await answering(with: standing) { try await answer(request, caller) }
        }
    }

    /// Does what a user who has shown who they are may do only so often; the answer says how often they still may. It counts
    /// apart from what a token alone is enough for.
    ///
    /// - Throws: a problem 429 with the time to wait when none is left, `PostgresError`, or what `work` throws.
    package func counting(
        _ limit: RateLimit, provenBy caller: Caller, _ work: () async throws -> Response
    ) async throws -> Response {
        try await answering(with: take(limit, "proven \(caller.user)"), work)
    }

    private func answering(
        with standing: RateLimitStanding, _ work: () async throws -> Response
    ) async throws -> Response {
        do {
            var response = try await work()
            standing.add(to: &response.headers)
            return response
        } catch var problem as Problem {
            // The one that was broken says more than the one that was not.
            if problem.headers["RateLimit"] == nil { standing.add(to: &problem.headers) }
            throw problem
        }
    }

    /// Gives one attempt back, which came to nothing that is limited.
    ///
    /// - Throws: `PostgresError`.
    package func giveBack(_ limit: RateLimit, _ who: String) async throws {
        _ = try await pool.query(
            "update attempts set full_at = full_at - $2 * interval '1 microsecond' where key = $1",
            [.bytes(row(limit, who)), .double(limit.pace)])
    }

    /// Gives all attempts back, after a success.
    ///
    /// - Throws: `PostgresError`.
    package func clear(_ limit: RateLimit, _ who: String) async throws {
        _ = try await pool.query("delete from attempts where key = $1", [.bytes(row(limit, who))])
    }

    /// Forgets those whose allowance is full again.
    ///
    /// - Throws: `PostgresError`.
    package func sweep() async throws {
        _ = try await pool.query("delete from attempts where full_at < now()")
    }

    private func row(_ limit: RateLimit, _ who: String) -> [UInt8] {
        HMACSHA256.authenticate(Array("\(limit.name):\(who)".utf8), key: key)
    }
}

/// What is left of a limit after an attempt.
package struct RateLimitStanding: Sendable {
    let limit: RateLimit
    let remaining: Int64
    /// When all attempts are there again.
    let resetSeconds: Int64

    /// The fields of draft-ietf-httpapi-ratelimit-headers-11.
    func add(to headers: inout Headers) {
        let name = limit.name.lowercased().replacing("_", with: "-")
        let window = max(1, limit.window.milliseconds / 1_000)
        headers["RateLimit-Policy"] = "\"\(name)\";q=\(limit.count);w=\(window)"
        headers["RateLimit"] = "\"\(name)\";r=\(remaining);t=\(resetSeconds)"
    }
}
