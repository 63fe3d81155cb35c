import Contracts
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime
import ServiceKit

/// What this service has of somebody, for an export: the plan, what is left of each kind, and everything that was reserved, used and
/// given back.
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

    private let commands: CommandHandler<Allowance>
    private let plans: PlansInForce

    init(_ context: ServiceContext, _ plans: PlansInForce) {
        commands = CommandHandler(context.store)
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
    }
}
