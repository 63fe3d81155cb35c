import Contracts
package import EventStore
import JSON
import Postgres
package import Primitives

/// How providers do, as all instances have seen it: the table `provider_outcomes`. What one has suffered, the others need not.
package enum ProviderHealth {
    /// What is older says nothing any more.
    package static let remembered: Duration = .seconds(600)

    private static let noteOutcome = RowFunction(
        "note_provider_outcome", .string("provider"), .string("model"), .time("endedAt"), .json("succeeded"))

    package static let all = [noteOutcome.declaration]

    /// Notes how a call has ended; nil for one that says nothing of the provider.
    package static func note(_ outcome: ProviderCallOutcome, of call: ProviderCall) -> RowCall? {
        let isTrouble = ProviderFailure.countsAgainstProvider(code: outcome.code)
        // A question that was never put, because the file to it could not be lent, tells of the provider, too.
        guard outcome.attempts > 0 || isTrouble, outcome.code != "withdrawn" else { return nil }
        return noteOutcome(
            call.scope.provider, call.model, call.begunAt.adding(milliseconds: outcome.durationMs), .bool(!isTrouble))
    }

    /// Notes how a call to a model has ended that is a part of another call; nil for one that says nothing of the provider.
    ///
    /// - Parameter failure: nil for a good answer.
    package static func note(
        _ failure: ProviderFailure?, attempts: Int, of model: String, by provider: String, at moment: Timestamp
    ) -> RowCall? {
        guard attempts > 0 else { return nil }
        return noteOutcome(provider, model, moment, .bool(!(failure?.countsAgainstProvider ?? false)))
    }
}

extension EventStore {
    /// What the circuit of a model says of a call that would begin now, after all calls that have ended lately.
    ///
    /// - Throws: `PostgresError`.
    package func verdict(
        of model: String, by provider: String, at now: Timestamp
    ) async throws -> Breaker.Verdict {
        var breaker = Breaker()
        let rows = try await pool.query(
            """
            select ended_at, succeeded from provider_outcomes
            where provider = $1 and model = $2 and ended_at > $3 and ended_at <= $4 order by ended_at, number
            """,
            [
                .text(provider), .text(model), .time(now - ProviderHealth.remembered),
                // What ended later than that was noted before the clock was set back.
                .time(now + breaker.rules.pause),
            ]
        ).rows
        for row in rows { breaker.note(succeeded: row.bool(1), at: row.time(0)) }
        return breaker.verdict(at: now)
    }

    /// Removes how calls ended so long ago that it says nothing any more.
    ///
    /// - Throws: `PostgresError`.
    package func sweepProviderHealth() async throws {
        _ = try await pool.query(
            "delete from provider_outcomes where ended_at < clock_timestamp() - interval '1 hour'")
    }
}
