import Contracts
import EventConsumer
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Brings the messages of other services to allowances.
@Loop struct QuotaInbox {
    private let store: EventStore
    private let days: LocalDays
    private let plans: PlansInForce

    init(_ context: ServiceContext, _ plans: PlansInForce) {
        self.plans = plans
        store = context.store
        days = LocalDays(context.store.pool, log: context.log)
    }

    var handler: ReactionHandler<Allowance> {
        ReactionHandler(
            Allowance.self, store: store, service: .quota, react: { try await reaction(to: $0) },
            takeBack: { try takingBack($0) },
            erase: { subject, message, calls in try await erase(subject, message, calls) })
    }

    /// The reaction, with the plans in force and the end of the local day found before: the decision itself asks nobody.
    private func reaction(to message: ReceivedMessage) async throws -> Reaction<QuotaCommand> {
        var dayEnd = message.incoming.time
        if message.incoming.type == SessionCreated.type {
            let created: SessionCreated = try message.incoming.read()
            dayEnd = try await days.end(of: created.createdAt, in: created.timeZone)
        }
        let end = dayEnd
        return try QuotaReactions.reaction(to: message.incoming, plans: plans.now) { _, _ in end }
    }

    private func takingBack(_ event: RecordedEvent) throws -> Reaction<QuotaCommand> {
        if KeyEvent.isOne(event.type) { return .ignore }
        return QuotaReactions.reaction(toOrphaned: try event.decoded(as: QuotaEvent.self))
    }

    /// All that this service has of a user is numbers in one stream and the rows folded from it, so one append does it:
    /// nothing more is accepted for the user, the fold drops the rows, the receipt goes out.
    private func erase(_ subject: UUID, _ message: ReceivedMessage, _ calls: [RowCall]) async throws {
        let rows = try await store.pool.query("select count(*) from allowances where owner_id = $1", [.uuid(subject)])
        let removed = SubjectErased.Removed(rows: rows.first?.int(0) ?? 0, objects: 0)
        _ = try await CommandHandler<Allowance>(store).handle(
            .erase(subject: subject, removed: removed), on: Allowance.stream(subject), id: message.appendID,
            requestHash: message.incoming.id.bytes, metadata: message.metadata(actor: ServiceName.quota.rawValue),
            thoughErased: true
        ) { _, _ in [RowCall("erase_subject", ["subject": .uuid(subject)])] + calls }
    }
}
