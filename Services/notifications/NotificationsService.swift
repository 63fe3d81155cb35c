package import Configuration
package import Contracts
package import EventSourcing
package import EventStore
package import HTTPServer
package import History
import Observability
package import Postgres
import Runtime
package import ServiceKit

/// Who is told what, where: raises notices from what other services tell, and sends them to the endpoints that owners have named.
package enum NotificationsService: Service {
    package typealias Root = Notice
    package typealias Resources = EndpointsInForce

    package static let name = ServiceName.notifications
    package static let migrations: [Migration] = [
        Migration("webhooks", PackageResources.webhooks_sql),
        Migration("webhooks_reader", PackageResources.webhooks_reader_sql),
    ]
    package static let rowFunctions: [RowDeclaration] = WebhookRows.all
    package static let problems: [ProblemCode] = ProblemCode.notifications
    package static let reactions = Notice.reactions
    package static let publication = publishing(PublishedByNotifications.outgoing)
    /// What is shown are rows that are committed with the events.
    package static let readModels: [ReadModelHistory] = []
    package static let aggregates = [
        AggregateHistory(
            Notice.self, categories: [Notice.category, StreamName.subjectCategory],
            owners: [StreamName.subjectCategory], reactions: Notice.reactions, command: NoticeCommand.recalled),
        AggregateHistory(
            Webhooks.self, categories: [Webhooks.category], owners: [Webhooks.category],
            command: WebhooksCommand.recalled),
    ]

    /// All that this service has of a user are endpoints and what is sent to them, which the receipt counts.
    package static let erasure: Erasure<Notice>? = Erasure(
        belongings: { subject, store in
            let rows = try await store.pool.query(
                """
                select (select count(*) from webhook_endpoints where owner_id = $1)
                    + (select count(*) from webhook_deliveries where owner_id = $1)
                """, [.uuid(subject)])
            return .init(streams: [], rows: rows.first?.int(0) ?? 0)
        }, forget: nil, record: NoticeCommand.recordErasure, last: { [WebhookRows.forget($0)] })

    /// What was told stays told: whoever heard it cannot be made to forget it.
    package static func compensation(for _: NotificationEvent) -> Reaction<NoticeCommand> { .ignore }

    package static func words(_ event: RecordedEvent) throws(EventDecodingError) -> String? {
        try event.decoded(as: NotificationEvent.self).words
    }

    package static func check(_ environment: Environment) { _ = NotificationsSettings(environment) }

    @Loop package static func findings(_ pool: PostgresPool) async throws -> [ServiceFinding] {
        try await WebhookFindings.count(pool).findings
    }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts<EndpointsInForce> {
        let settings = NotificationsSettings(context.environment)
        let store = context.store
        let queue = WebhookQueue(pool: store.pool)
        let log = Logger(label: "webhooks")
        let sender = WebhookSender(store, settings, log: log)
        let sealing = WebhookSealing(keys: settings.sealing)
        let sweeper = ExpirySweeper([("webhooks", { try await queue.sweep() })])
        let routes = WebhookRoutes(context, settings)
        return ServiceParts(
            resources: EndpointsInForce { try await queue.endpoints(of: $0) }, routes: { routes.add(to: $0) },
            background: [
                { await sender.run() }, { await sealing.keepSealed(store.pool, log) }, { await sweeper.run() },
            ])
    }
}
