import Contracts
import EventSourcing
import EventStore
import JSON
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Takes what shops tell: (1) keeps it, before anything else and before it is answered, (2) finds the account, (3) lets the
/// account's allowance decide. Each step can be repeated, so whatever fails is made good by the shop's next attempt.
@Loop struct PurchaseIntake {
    private static let namespace = UUID.v5(namespace: .urlNamespace, name: "mirrormate/purchases")
    /// How many notifications that are looked at again are read at a time.
    private static let page: Int64 = 500

    private let store: EventStore
    private let commands: CommandHandler<Allowance>
    private let terms: PurchaseTerms
    private let log: Logger

    init(_ store: EventStore, _ terms: PurchaseTerms, log: Logger) {
        self.store = store
        self.terms = terms
        self.log = log
        commands = CommandHandler(store)
    }

    /// Keeps a notification and applies it.
    ///
    /// - Throws: `AppendError` or `PostgresError`; the shop must send it again then.
    func take(_ notice: StripeNotice) async throws {
        try await append(
            [
                PurchaseRows.keep(
                    notice.id, notice.type, notice.customer, notice.createdAt, .object(notice.content),
                    outcome(notice).rawValue)
            ], of: nil)
        try await apply(notice, isAgain: false)
    }

    /// Applies again what is kept, the oldest first: under other settings than before, or by a build that reads more of it.
    ///
    /// - Parameter id: the one; nil for all that is kept.
    /// - Returns: how many there were.
    /// - Throws: `AppendError`, `PostgresError` or `JSONError`.
    func applyAgain(_ id: String?) async throws -> Int {
        var count = 0
        var last: (createdAt: Timestamp, id: String) = (.epoch, "")
        while true {
            let rows = try await store.pool.query(
                """
                select notice, type, created_at, content from purchase_notices
                where outcome <> 'ignored' and ($1::text is null or notice = $1) and (created_at, notice) > ($2, $3)
                order by created_at, notice limit $4
                """, [.optional(id, PostgresValue.text), .time(last.createdAt), .text(last.id), .int(Self.page)]
            ).rows
            for row in rows {
                let notice = try notice(row)
                try await apply(notice, isAgain: true)
                last = (notice.createdAt, notice.id)
            }
            count += rows.count
            if rows.count < Self.page { return count }
        }
    }

    /// What it is before anything is known of its customer.
    private func outcome(_ notice: StripeNotice) -> NoticeOutcome {
        do throws(JSONError) {
            guard try notice.subject(terms) != nil, notice.customer != nil else { return .ignored }
            return .waiting
        } catch {
            log.warning(
                "a notification of a shop cannot be read; it is kept, and a later build may read it",
                ["notice": .string(notice.id), "type": .string(notice.type), "reason": .string(error.description)])
            return .unreadable
        }
    }

    private func apply(_ notice: StripeNotice, isAgain: Bool) async throws {
        guard let customer = notice.customer, let subject = try? notice.subject(terms) else { return }
        do {
            var bound = try await owner(of: customer)
            // Of a customer that has an account no other one is asked for: it may be erased, and this is still the first one's.
            if bound == nil, let named = notice.owner {
                try await append([PurchaseRows.bind(customer, named)], of: named)
                bound = try await owner(of: customer)
            }
            guard let owner = bound else {
                // What a build before this one could not read waits from now on, as all does that has no account yet.
                if isAgain {
                    let outcome = NoticeOutcome.waiting.rawValue
                    try await append([PurchaseRows.settle(notice.id, nil, outcome)], of: nil)
                }
                return
            }
            if let named = notice.owner, named != owner {
                log.warning(
                    "a purchase names another account than its customer is bound to; it stays with the first",
                    ["notice": .string(notice.id)])
            }
            try await decide(subject, notice, of: owner, isAgain: isAgain)
            // What came before the account was known.
            if notice.owner != nil { try await applyWaiting(of: customer, owner) }
        } catch AppendError.erased {
            try await append([PurchaseRows.discard(notice.id)], of: nil)
        }
    }

    private func applyWaiting(of customer: String, _ owner: UUID) async throws {
        let rows = try await store.pool.query(
            """
            select notice, type, created_at, content from purchase_notices
            where customer = $1 and outcome = 'waiting' order by created_at, notice limit 1000
            """, [.text(customer)]
        ).rows
        for row in rows {
            let notice = try notice(row)
            guard let subject = try? notice.subject(terms) else { continue }
            try await decide(subject, notice, of: owner, isAgain: false)
        }
    }

    private func decide(
        _ subject: StripeNotice.Subject, _ notice: StripeNotice, of owner: UUID, isAgain: Bool
    ) async throws {
        let command: AllowanceCommand
        switch subject {
        case .purchase(let state): command = .notePurchase(ownerId: owner, state)
        case .refund(let state): command = .noteRefund(ownerId: owner, state)
        case .customer:
            return try await append(
                [PurchaseRows.settle(notice.id, owner, NoticeOutcome.applied.rawValue)], of: owner)
        }
        // Told again when its customer has another account, because the first is erased, it is that account's.
        let id = isAgain ? UUID.v7() : UUID.v5(namespace: Self.namespace, name: "\(notice.id) \(owner)")
        _ = try await commands.handle(
            command, on: Allowance.stream(owner), id: id, requestHash: id.bytes, metadata: metadata(owner)
        ) { _, events in
            [PurchaseRows.settle(notice.id, owner, (events.isEmpty ? NoticeOutcome.stale : .applied).rawValue)]
        }
    }

    private func owner(of customer: String) async throws -> UUID? {
        try await store.pool.query(
            "select owner_id from purchase_customers where customer = $1", [.text(customer)]
        ).first?.uuid(0)
    }

    private func notice(_ row: PostgresRow) throws(JSONError) -> StripeNotice {
        StripeNotice(
            id: row.text(0), type: row.text(1), createdAt: row.time(2), content: try JSONObject.parse(row.bytes(3)))
    }

    private func append(_ calls: [RowCall], of owner: UUID?) async throws {
        try await store.append(
            Append(id: .v7(), requestHash: [], metadata: metadata(owner), writes: [], calls: calls))
    }

    private func metadata(_ owner: UUID?) -> EventMetadata {
        EventMetadata(owner: owner, correlation: .v7(), actor: StripeNotice.shop)
    }

    /// Removes what is over: what became nothing after a month, what became an event after a year, when the event alone is enough.
    ///
    /// - Throws: `PostgresError`.
    static func sweep(_ store: EventStore) async throws {
        _ = try await store.pool.query(
            """
            delete from purchase_notices where received_at < now() - interval '30 days'
                and (outcome in ('waiting', 'ignored', 'unreadable') or received_at < now() - interval '366 days')
            """)
    }
}
