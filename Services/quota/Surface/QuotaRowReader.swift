import Contracts
import EventSourcing
import EventStore
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Makes the rows of owners from their streams, so that they agree with what is admitted next.
@Loop struct QuotaRowReader {
    /// The most owners that the operator's own server sees at once.
    private static let mostOwners: Int64 = 1_000

    private let context: ServiceContext
    private let allowances: KeptStates<Allowance>

    init(_ context: ServiceContext) {
        self.context = context
        allowances = KeptStates(context.store)
    }

    /// The row of an owner; nil for somebody who is erased.
    ///
    /// - Throws: `PostgresError`, or `EventDecodingError`.
    func row(of owner: UUID) async throws -> QuotaRow? {
        let stream = Allowance.stream(owner)
        let allowance = try await allowances.state(of: stream)
        if allowance.isErased { return nil }
        let times = try await context.store.pool.query(
            """
            select (select recorded_at from events where stream = $1 order by version limit 1),
                (select recorded_at from events where stream = $1 order by version desc limit 1)
            """, [.text(stream.description)]
        ).rows[0]
        // Ids of users say when they were made; of others nothing is known before their first event.
        let createdAt = times.optional(0, PostgresRow.time) ?? owner.timestamp ?? .epoch
        let window = allowance.kinds[.unlessNamed]?.windows.last { $0.span == .localDay }
        var lastDay: LocalDay?
        if let window { lastDay = try await day(of: window) }
        return QuotaRow(
            owner: owner, entitlement: allowance.entitlement(at: .now()), lastDay: lastDay,
            count: window?.usage.charged ?? 0, createdAt: createdAt,
            updatedAt: times.optional(1, PostgresRow.time) ?? createdAt)
    }

    /// Owners of whom something is known.
    ///
    /// - Throws: `PostgresError`.
    func owners() async throws -> [UUID] {
        try await context.store.pool.query(
            """
            select distinct owner from stream_owners where stream like $2 || '-%' order by owner limit $1
            """, [.int(Self.mostOwners), .text(Allowance.category)]
        ).rows.map { $0.uuid(0) }
    }

    /// The local day that ends with a window.
    private func day(of window: Allowance.Window) async throws -> LocalDay {
        let last = window.endsAt - .microseconds(1)
        let zone = try await context.zones.isKnown(window.timeZone) ? window.timeZone : "UTC"
        let offset = try await context.zones.utcOffsetSeconds(of: zone, at: last)
        return LocalDay(of: last, utcOffsetSeconds: offset)
    }
}

extension Allowance.Usage {
    /// All units that were charged, and none that is only held: the app lets nobody record again who has one, and what
    /// holds it may be a session whose video never came, which the next one would have replaced.
    fileprivate var charged: Int64 { used + extraUsed }
}
