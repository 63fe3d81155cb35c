import Contracts
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// What this service has of somebody, for an export: the plan, what is left of each kind, everything that was reserved, used and
/// given back, and what was bought.
@Loop struct QuotaExport {
    private static let allowances = ExportTable(
        "allowances", "The plan, and what it leaves of each kind of session at the moment of the export.",
        [
            ExportColumn("kind", .text, "The kind of session."), ExportColumn("plan", .text, "The plan."),
            ExportColumn("limit", .integer, "How many there are; empty for no limit."),
            ExportColumn("used", .integer, "How many were used."),
            ExportColumn("reserved", .integer, "How many sessions hold that have not ended."),
            ExportColumn("remaining", .integer, "How many are left; empty for no limit."),
            ExportColumn("resetsAt", .time, "When there are all of them again."),
            ExportColumn("windows", .structure, "The same by window, where there are several."),
            ExportColumn("caps", .structure, "What else is limited."),
        ])
    private static let history = ExportTable(
        "allowance-history", "Everything that happened to the allowance, the oldest first.",
        [
            ExportColumn("at", .time, "When it was recorded."), ExportColumn("what", .text, "What happened."),
            ExportColumn("sessionId", .id, "The session that it was about."),
            ExportColumn("details", .structure, "What was recorded of it."),
        ])

    private static let purchases = ExportTable(
        "purchases", "What was bought, and what it gives at the moment of the export.",
        [
            ExportColumn("purchase", .text, "The shop, and its name for the purchase."),
            ExportColumn("plan", .text, "The plan that it is for."),
            ExportColumn("status", .text, "What the shop calls its state."),
            ExportColumn("reason", .text, "Why it gives the plan, or not."),
            ExportColumn("isEntitling", .boolean, "Whether it gives the plan."),
            ExportColumn("endsAt", .time, "When it stops giving it."),
            ExportColumn("renews", .boolean, "Whether another period is to follow."),
            ExportColumn("periodStartsAt", .time, "When the period began that was invoiced last."),
            ExportColumn("periodEndsAt", .time, "When it ends."),
            ExportColumn("trialEndsAt", .time, "When the trial ends."),
            ExportColumn("cancelledAt", .time, "When it was said that it is not to go on."),
            ExportColumn("boughtAt", .time, "When it was bought."),
            ExportColumn("amountMinor", .integer, "The price of a period, in the smallest unit of the currency."),
            ExportColumn("currency", .text, "The currency."), ExportColumn("quantity", .integer, "How many."),
        ])
    private static let notices = ExportTable(
        "purchase-notices", "What shops told of purchases, as much as is kept of it, the oldest first.",
        [
            ExportColumn("notice", .text, "The shop, and its name for the notification."),
            ExportColumn("type", .text, "What kind it is."),
            ExportColumn("customer", .text, "The shop, and its name for who pays."),
            ExportColumn("createdAt", .time, "When the shop made it."),
            ExportColumn("receivedAt", .time, "When it came."), ExportColumn("outcome", .text, "What became of it."),
            ExportColumn("content", .structure, "What it said."),
        ])

    private let commands: CommandHandler<Allowance>
    private let owners: OwnerReads
    private let plans: PlansInForce

    init(_ context: ServiceContext, _ plans: PlansInForce) {
        commands = CommandHandler(context.store)
        owners = context.owners
        self.plans = plans
    }

    func write(_ writer: ExportWriter) async throws {
        let loaded = try await commands.load(Allowance.stream(writer.owner))
        if loaded.state.isErased { return }
        let now = Timestamp.now()
        try await writer.write(
            Self.allowances,
            rows: plans.now.kinds.map { loaded.state.standing(of: $0, in: plans.now, at: now).json(kind: $0) })
        try await writer.write(
            Self.history,
            rows: loaded.history.map { dated in
                let data = dated.event.data
                return [
                    "at": .time(dated.recordedAt), "what": .string(dated.event.type.name),
                    "sessionId": data["sessionId"] ?? .null, "details": .object(data),
                ]
            })
        try await writer.write(
            Self.purchases, rows: loaded.state.entitlement(at: now).purchases.map(\.json))
        let notices = try await owners.query(
            of: writer.owner,
            """
            select notice, type, customer, created_at, received_at, outcome, content from purchase_notices
            where owner_id = $1 order by created_at, notice
            """, [.uuid(writer.owner)]
        ).rows
        try await writer.write(
            Self.notices,
            rows: try notices.map { row in
                [
                    "notice": .string(row.text(0)), "type": .string(row.text(1)),
                    "customer": .optional(row.optional(2, PostgresRow.text)), "createdAt": .time(row.time(3)),
                    "receivedAt": .time(row.time(4)), "outcome": .string(row.text(5)),
                    "content": try JSONValue.parse(row.bytes(6)),
                ]
            })
    }
}
