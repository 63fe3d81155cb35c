import Postgres
import Runtime
package import ServiceKit

/// How sending goes, counted over all endpoints, and what of that an operator has to know: one receiver that is dead is its owner's.
package struct WebhookFindings: Sendable, Equatable {
    /// For how long something may be due at an endpoint that is told and answers.
    private static let patienceSeconds: Int64 = 120
    /// Among so many endpoints somebody would have answered.
    private static let crowd: Int64 = 3

    /// How much is due at endpoints where nothing fails and to which nothing is on its way.
    package var due: Int64 = 0
    /// For how long the first of these is, seconds.
    package var dueSeconds: Int64 = 0
    /// The endpoints that no key of the service opens.
    package var sealed: Int64 = 0
    /// The endpoints at which the last attempt was within an hour.
    package var tried: Int64 = 0
    /// Those of them that gave any answer.
    package var answered: Int64 = 0

    package init() {}

    package var findings: [ServiceFinding] {
        var findings: [ServiceFinding] = []
        if due > 0, dueSeconds > Self.patienceSeconds {
            findings.append(
                ServiceFinding(
                    "webhooks-late",
                    "\(due) webhooks are to be sent, the first for \(dueSeconds) s, and nobody sends them.",
                    "See that notifications runs; its log says what it cannot look at or note. None is lost."))
        }
        if sealed > 0 {
            findings.append(
                ServiceFinding(
                    "webhooks-sealed", "No key of WEBHOOK_KEY opens the addresses of \(sealed) webhook endpoints.",
                    "Put the key that sealed them back, in a line of its own: docs/webhooks.md, 'Operating'."))
        }
        if tried - sealed >= Self.crowd, answered == 0 {
            findings.append(
                ServiceFinding(
                    "webhooks-unreachable",
                    "Of \(tried) webhook endpoints that were tried within an hour none has answered.",
                    "See that the way out leads to them: docs/webhooks.md, 'Operating'. All is sent again for three days."
                ))
        }
        return findings
    }

    /// Counts.
    ///
    /// - Throws: `PostgresError`.
    @Loop static func count(_ pool: PostgresPool) async throws -> WebhookFindings {
        let row = try await pool.query(
            """
            with last as (
                select distinct on (endpoint_id) endpoint_id, status, failure from webhook_deliveries
                where tried_at > clock_timestamp() - interval '1 hour' and attempts > 0
                order by endpoint_id, tried_at desc
            ), late as (
                select count(*) n, min(d.due_at) first from webhook_endpoints e join webhook_deliveries d using (endpoint_id)
                where e.next_due <= clock_timestamp() and e.busy_until <= clock_timestamp() and e.failing_since is null
                    and d.due_at <= clock_timestamp()
            )
            select late.n, coalesce(extract(epoch from clock_timestamp() - late.first)::bigint, 0),
                (select count(*) from last where failure = 'unsealable'), (select count(*) from last),
                (select count(*) from last where status is not null)
            from late
            """
        ).rows[0]
        var found = WebhookFindings()
        found.due = row.int(0)
        found.dueSeconds = row.int(1)
        found.sealed = row.int(2)
        found.tried = row.int(3)
        found.answered = row.int(4)
        return found
    }
}
