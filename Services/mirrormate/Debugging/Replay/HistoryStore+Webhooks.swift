import Postgres
package import Primitives
import Runtime

/// Where an owner is told something, without the address.
package struct ToldEndpoint: Sendable, Equatable {
    package let id: UUID
    /// What it is told of, such as `report.ready`.
    package let kinds: [String]
    package let addedAt: Timestamp
    /// Why nothing more is sent; nil while it is told.
    package let ended: String?
    /// Since when nothing arrives; nil after something did.
    package let failingSince: Timestamp?
    /// The newest first.
    package var deliveries: [ToldDelivery] = []

    package init(id: UUID, kinds: [String], addedAt: Timestamp, ended: String?, failingSince: Timestamp?) {
        self.id = id
        self.kinds = kinds
        self.addedAt = addedAt
        self.ended = ended
        self.failingSince = failingSince
    }
}

/// What was, or is to be, sent to an endpoint.
package struct ToldDelivery: Sendable, Equatable {
    package let id: UUID
    package let kind: String
    package let queuedAt: Timestamp
    /// `waiting`, `delivered`, `failed` or `dropped`.
    package let state: String
    package let attempts: Int64
    /// When it is sent next; nil once it is over.
    package let dueAt: Timestamp?
    /// The status of the last answer, or why there was none; nil before the first attempt.
    package let answer: String?

    package init(
        id: UUID, kind: String, queuedAt: Timestamp, state: String, attempts: Int64, dueAt: Timestamp?, answer: String?
    ) {
        self.id = id
        self.kind = kind
        self.queuedAt = queuedAt
        self.state = state
        self.attempts = attempts
        self.dueAt = dueAt
        self.answer = answer
    }
}

extension HistoryStore {
    /// The endpoints of an owner, the first first, each with what was sent to it last; of the service notifications alone.
    ///
    /// - Parameter limit: how many deliveries of each.
    /// - Throws: `PostgresError`.
    package func endpoints(of owner: UUID, limit: Int = 20) async throws -> [ToldEndpoint] {
        var endpoints = try await pool.query(
            """
            select endpoint_id, array_to_string(kinds, ','), added_at, ended, failing_since from webhook_endpoints
            where owner_id = $1 order by added_at, endpoint_id
            """, [.uuid(owner)]
        ).rows.map { row in
            ToldEndpoint(
                id: row.uuid(0), kinds: row.text(1).split(separator: ",").map(String.init), addedAt: row.time(2),
                ended: row.optional(3, PostgresRow.text), failingSince: row.optional(4, PostgresRow.time))
        }
        for index in endpoints.indices {
            endpoints[index].deliveries = try await pool.query(
                """
                select delivery_id, kind, queued_at, state, attempts::bigint, due_at, coalesce(status::text, failure)
                from webhook_deliveries where endpoint_id = $1 order by queued_at desc, delivery_id desc limit \(limit)
                """, [.uuid(endpoints[index].id)]
            ).rows.map { row in
                ToldDelivery(
                    id: row.uuid(0), kind: row.text(1), queuedAt: row.time(2), state: row.text(3), attempts: row.int(4),
                    dueAt: row.optional(5, PostgresRow.time), answer: row.optional(6, PostgresRow.text))
            }
        }
        return endpoints
    }

    /// How long something has been due to be sent to an endpoint that answers, and to which nothing is on its way; zero for nothing.
    ///
    /// - Throws: `PostgresError`.
    func webhooksLate() async throws -> Duration {
        let row = try await pool.query(
            """
            select coalesce(extract(epoch from clock_timestamp() - min(next_due))::float8, 0) from webhook_endpoints
            where next_due <= clock_timestamp() and busy_until <= clock_timestamp() and failing_since is null
            """
        ).rows[0]
        return .seconds(row.double(0))
    }
}
