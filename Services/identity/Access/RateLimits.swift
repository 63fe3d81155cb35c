import Crypto
package import HTTPServer
package import Postgres
import Primitives
package import Runtime
package import ServiceKit

/// Counts attempts for all instances together, in the table `attempts`.
@Loop package struct RateLimits {
    private let pool: PostgresPool
    private let buckets: TokenBuckets
    /// Hashes who tries, so that the table names nobody.
    private let keys: AuthenticationKeys

    package init(_ pool: PostgresPool, _ settings: AccessSettings) {
        self.pool = pool
        buckets = TokenBuckets("attempts", by: "key", pool)
        keys = settings.secrets.blind
    }

    /// Takes one attempt.
    ///
    /// - Throws: a problem 429 with the time to wait when none is left, or `PostgresError`.
    @discardableResult
    package func take(_ limit: RateLimit, _ who: String) async throws -> RateLimitStanding {
        let row = try await pool.query(
            "select waiting, remaining, resets from take_attempt($1, $2, $3 * interval '1 microsecond')",
            [bucket(limit, who), .int(limit.count), .double(limit.pace)]
        ).rows[0]
        let standing = limit.standing(remaining: row.int(1), resetsIn: Int64(row.double(2).rounded(.up)))
        guard let seconds = row.optional(0, PostgresRow.double) else { return standing }
        var problem = Problem.limited(.tooManyAttempts, wait: seconds)
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
        return narrowest ?? limit.standing(remaining: limit.count, resetsIn: 0)
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
        try await buckets.giveBack(to: bucket(limit, who), of: limit.bucket)
    }

    /// Gives all attempts back, after a success.
    ///
    /// - Throws: `PostgresError`.
    package func clear(_ limit: RateLimit, _ who: String) async throws {
        try await buckets.fill(bucket(limit, who))
    }

    /// Forgets those whose allowance is full again.
    ///
    /// - Throws: `PostgresError`.
    package func sweep() async throws { try await buckets.sweep() }

    private func bucket(_ limit: RateLimit, _ who: String) -> PostgresValue {
        .bytes(HMACSHA256.authenticate(Array("\(limit.name):\(who)".utf8), key: keys.present))
    }
}

extension RateLimit {
    fileprivate var bucket: TokenBuckets.Size { TokenBuckets.Size(tokens: count, pace: pace) }

    /// - Parameter resetsIn: seconds until all attempts are there again.
    fileprivate func standing(remaining: Int64, resetsIn: Int64) -> RateLimitStanding {
        RateLimitStanding(
            name.lowercased().replacing("_", with: "-"), limit: count, window: window, remaining: remaining,
            resetsIn: resetsIn)
    }
}
