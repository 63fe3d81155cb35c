import Contracts
import EventSourcing
import EventStore
import HTTPServer
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
    func take(_ notice: some ShopNotice) async throws {
        var notice = notice
        if let customer = notice.customer, let named = notice.owner, let owner = try await owner(of: customer),
            named != owner
        {
            warnOfAnotherAccount(notice)
            // What is kept of one account names no other one, which may be erased.
            notice = notice.unnamed
        }
        try await append([keeping(notice)], of: nil, from: notice)
        try await apply(notice, isAgain: false)
    }

    /// Takes what somebody who is signed in hands in of an own purchase: bound to the account, unless it is bound to another one, then
    /// kept and applied.
    ///
    /// - Throws: the problem `purchase-of-another-account`, or `not-found` for somebody who is erased; `JSONError` for what this build cannot
    ///   read; `AppendError` or `PostgresError`, when it must be handed in again.
    func take(_ notice: some ShopNotice, by user: UUID) async throws {
        // Whoever hands in can hand in something better; a shop cannot, so of a shop it is kept.
        _ = try notice.subjects(terms)
        guard let customer = notice.customer else { return try await take(notice) }
        var notice = notice
        if let named = notice.owner, named != user {
            // Whoever was erased has nothing any more, and a shop goes on naming the account that bought.
            guard try await commands.load(Allowance.stream(named)).state.isErased else {
                throw Problem(.purchaseOfAnotherAccount)
            }
            notice = notice.unnamed
        }
        do {
            try await append([PurchaseRows.bind(customer, user)], of: user, from: notice)
            guard try await owner(of: customer) == user else { throw Problem(.purchaseOfAnotherAccount) }
            try await take(notice)
            try await applyWaiting(of: customer, user)
        } catch AppendError.erased {
            throw Problem.notFound
        }
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
    private func outcome(_ notice: some ShopNotice) -> NoticeOutcome {
        do throws(JSONError) {
            return try notice.subjects(terms).isEmpty || notice.customer == nil ? .ignored : .waiting
        } catch {
            log.warning(
                "a notification of a shop cannot be read; it is kept, and a later build may read it",
                ["notice": .string(notice.id), "type": .string(notice.type), "reason": .string(error.description)])
            return .unreadable
        }
    }

    private func apply(_ notice: some ShopNotice, isAgain: Bool) async throws {
        guard let customer = notice.customer, let subjects = try? notice.subjects(terms), !subjects.isEmpty else {
            return
        }
        do {
            var bound = try await owner(of: customer)
            // Of a customer that has an account no other one is asked for: it may be erased, and this is still the first one's.
            if bound == nil, let named = notice.owner {
                try await append([PurchaseRows.bind(customer, named)], of: named, from: notice)
                bound = try await owner(of: customer)
            }
            guard let owner = bound else {
                // What a build before this one could not read waits from now on, as all does that has no account yet.
                if isAgain {
                    let outcome = NoticeOutcome.waiting.rawValue
                    try await append([PurchaseRows.settle(notice.id, nil, outcome)], of: nil, from: notice)
                }
                return
            }
            // Bound to another one in the meantime, or kept by a build that left the name in.
            if let named = notice.owner, named != owner { warnOfAnotherAccount(notice) }
            try await decide(subjects, notice, of: owner, isAgain: isAgain)
            // What came before the account was known.
            if notice.owner != nil { try await applyWaiting(of: customer, owner) }
        } catch AppendError.erased {
            try await append([PurchaseRows.discard(notice.id)], of: nil, from: notice)
        }
    }

    private func warnOfAnotherAccount(_ notice: some ShopNotice) {
        log.warning(
            "a purchase names another account than its customer is bound to; it stays with the first",
            ["notice": .string(notice.id)])
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
            guard let subjects = try? notice.subjects(terms) else { continue }
            try await decide(subjects, notice, of: owner, isAgain: false)
        }
    }

    private func decide(
        _ subjects: [NoticeSubject], _ notice: some ShopNotice, of owner: UUID, isAgain: Bool
    ) async throws {
        for subject in subjects {
            let (command, name): (AllowanceCommand, String)
            switch subject {
            case .purchase(let state): (command, name) = (.notePurchase(ownerId: owner, state), notice.id)
            case .refund(let state):
                // Beside a purchase it is a decision of its own.
                (command, name) = (
                    .noteRefund(ownerId: owner, state), subjects.count == 1 ? notice.id : "\(notice.id)/refund"
                )
            case .customer:
                try await append(
                    [PurchaseRows.settle(notice.id, owner, NoticeOutcome.applied.rawValue)], of: owner, from: notice)
                continue
            }
            // Told again when its customer has another account, because the first is erased, it is that account's.
            let id = isAgain ? UUID.v7() : UUID.v5(namespace: Self.namespace, name: "\(name) \(owner)")
            _ = try await commands.handle(
                command, on: Allowance.stream(owner), id: id, requestHash: id.bytes, metadata: metadata(owner, notice)
            ) { _, events in
                [PurchaseRows.settle(notice.id, owner, (events.isEmpty ? NoticeOutcome.stale : .applied).rawValue)]
            }
        }
    }

    private func owner(of customer: String) async throws -> UUID? {
        try await store.pool.query(
            "select owner_id from purchase_customers where customer = $1", [.text(customer)]
        ).first?.uuid(0)
    }

    private func keeping(_ notice: some ShopNotice) -> RowCall {
        PurchaseRows.keep(
            notice.id, notice.type, notice.customer, notice.createdAt, .object(notice.content),
            outcome(notice).rawValue)
    }

    private func notice(_ row: PostgresRow) throws(JSONError) -> any ShopNotice {
        let (id, type, createdAt) = (row.text(0), row.text(1), row.time(2))
        let content = try JSONObject.parse(row.bytes(3))
        return switch Shop(of: id) {
        case .apple: AppleNotice(id: id, type: type, createdAt: createdAt, content: content)
        case .stripe, nil: StripeNotice(id: id, type: type, createdAt: createdAt, content: content)
        }
    }

    private func append(_ calls: [RowCall], of owner: UUID?, from notice: some ShopNotice) async throws {
        try await store.append(
            Append(id: .v7(), requestHash: [], metadata: metadata(owner, notice), writes: [], calls: calls))
    }

    private func metadata(_ owner: UUID?, _ notice: some ShopNotice) -> EventMetadata {
        EventMetadata(owner: owner, correlation: .v7(), actor: String(notice.id.prefix { $0 != "/" }))
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
