import EventStore
import Postgres
import Primitives
import Runtime

/// The queue of what is to be sent: a row for each delivery, written by the append that decides it (``Notice``). Each endpoint's are
/// taken one after another, and those of one never wait for another's.
@Loop struct WebhookQueue {
    /// How many tests an owner can send within an hour: whoever runs a receiver has not asked for them.
    nonisolated static let testsPerHour: Int64 = 20
    /// For how long what was sent can be seen and sent once more.
    nonisolated static let kept = Duration.seconds(30 * 86_400)
    /// For how long an endpoint is kept from others, behind the longest attempt.
    private nonisolated static let margin = Duration.seconds(30)

    let pool: PostgresPool

    /// What is on its way.
    struct Taken: Sendable {
        let deliveryId: UUID
        let endpointId: UUID
        let ownerId: UUID
        let kind: String
        let body: String
        /// Counts from 1.
        let attempt: Int
        let sealed: SealedEndpoint
        /// The secret of before, while it counts.
        let earlierSecret: [UInt8]?
        /// Since when nothing arrives at the endpoint.
        let failingSince: Timestamp?
    }

    /// Takes what is due first of an endpoint to which nothing is on its way; nil when there is none, or what was due is no more.
    ///
    /// - Parameters:
    ///   - failing: whether of those endpoints where nothing arrives, or of the others.
    ///   - deadline: how long the attempt may last.
    /// - Throws: `PostgresError`.
    func take(failing: Bool, deadline: Duration) async throws -> Taken? {
        let rows = try await pool.query(
            """
            select delivery_id, endpoint_id, owner_id, kind, body, attempts::bigint, address, secret, earlier_secret, failing_since
            from take_webhook($1, $2 * interval '1 microsecond')
            """, [.bool(failing), .double(Double((deadline + Self.margin).microseconds))])
        guard let row = rows.first else { return nil }
        return Taken(
            deliveryId: row.uuid(0), endpointId: row.uuid(1), ownerId: row.uuid(2), kind: row.text(3),
            body: row.text(4),
            attempt: Int(row.int(5)) + 1, sealed: SealedEndpoint(address: row.bytes(6), secret: row.bytes(7)),
            earlierSecret: row.optional(8, PostgresRow.bytes), failingSince: row.optional(9, PostgresRow.time))
    }

    /// Notes what came of an attempt. Says nothing of what was removed meanwhile.
    ///
    /// - Throws: `PostgresError`.
    func settle(_ taken: Taken, _ answer: WebhookAnswer, _ verdict: WebhookVerdict) async throws {
        let (state, pause): (String, Duration?) =
            switch verdict {
            case .delivered: ("delivered", nil)
            case .again(let pause): ("waiting", pause)
            case .failed, .ended: ("failed", nil)
            }
        let (status, failure): (Int64?, String?) =
            switch answer {
            case .status(let status, _): (Int64(status), nil)
            case .silence(let why): (nil, why)
            }
        _ = try await pool.query(
            """
            select settle_webhook(
                $1, $2, $3, $4::bigint::integer, $5::text, $6::float8 * interval '1 microsecond')
            """,
            [
                .uuid(taken.deliveryId), .uuid(taken.endpointId), .text(state),
                .optional(status, PostgresValue.int), .optional(failure, PostgresValue.text),
                .optional(pause.map { Double($0.microseconds) }, PostgresValue.double),
            ])
    }

    /// The endpoints of an owner that are told.
    ///
    /// - Throws: `PostgresError`.
    func endpoints(of owner: UUID) async throws -> [WebhookEndpoint] {
        try await pool.query(
            "select endpoint_id, array_to_string(kinds, ','), added_at from webhook_endpoints where owner_id = $1 and ended is null",
            [.uuid(owner)]
        ).rows.map { row in
            WebhookEndpoint(
                endpointId: row.uuid(0),
                // One that a newer build knows is told by that build alone.
                kinds: Set(row.text(1).split(separator: ",").compactMap { NoticeKind(rawValue: String($0)) }),
                addedAt: row.time(2))
        }
    }

    /// How many tests an owner has sent within an hour.
    ///
    /// - Throws: `PostgresError`.
    func tests(of owner: UUID) async throws -> Int64 {
        try await pool.query(
            """
            select count(*) from webhook_deliveries
            where owner_id = $1 and kind = $2 and queued_at > clock_timestamp() - interval '1 hour'
            """, [.uuid(owner), .text(NoticeKind.test.rawValue)]
        ).rows[0].int(0)
    }

    /// Makes a delivery due once more, unless it waits anyway.
    ///
    /// - Returns: whether there is one of the owner's, to an endpoint that is told.
    /// - Throws: `PostgresError`.
    func replay(_ delivery: UUID, of owner: UUID) async throws -> Bool {
        try await pool.query("select replay_webhook($1, $2)", [.uuid(owner), .uuid(delivery)]).rows[0].bool(0)
    }

    /// Removes what is over for long, and secrets that count no more.
    ///
    /// - Throws: `PostgresError`.
    func sweep() async throws {
        _ = try await pool.query(
            """
            delete from webhook_deliveries
            where due_at is null and tried_at < clock_timestamp() - $1 * interval '1 microsecond'
            """, [.double(Double(Self.kept.microseconds))])
        _ = try await pool.query(
            """
            update webhook_endpoints set earlier_secret = null, earlier_until = null
            where earlier_until < clock_timestamp()
            """)
    }
}
