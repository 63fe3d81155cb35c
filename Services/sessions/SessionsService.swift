package import Configuration
package import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
import History
import JSON
import ObjectStorage
import Observability
import Projections
import Runtime
package import ServiceKit
import Uploads

/// Puts the service together.
package enum SessionsService: Service {
    package static let name = ServiceName.sessions
    package static let reads: [ServiceName] = [.identity, .quota, .analysis, .reporting]
    package static let migrations = [
        Migration("session_list", PackageResources.session_list_sql),
        Migration("overdue_sessions", PackageResources.overdue_sessions_sql),
        Migration("session_objects", PackageResources.session_objects_sql),
    ]
    package static let publication = ServiceParts.publishing(SessionMessages.outgoing)

    package static func check(_ environment: Environment) { _ = SessionsSettings(environment) }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let settings = SessionsSettings(context.environment)
        let objects = settings.objects.makeStore()
        let store = context.store
        let uploads = UploadStore(store, objects, patience: settings.sessionLifetime)
        let routes = SessionRoutes(context: context, settings: settings, uploads: uploads)
        let sweeper = ObjectSweeper(store, objects, log: Logger(label: "sweeper"))
        let handler = ReactionHandler(
            Session.self, store: store, service: name,
            react: { message in try Session.reactions.reaction(to: message.incoming) },
            rows: { _, events in rows(events) },
            // Another service was restored and forgot why: an admission or an ending was told to the client and stands,
            // and the other services settle on the ending.
            takeBack: { _ in .ignore }, erase: erasure(store, sweeper).erase)
        let list = Projector(
            SessionProjection.self, store: store, log: Logger(label: "session_list"), foreign: KeyEvent.isOne)
        let drift = DriftWatch(
            SessionHistory.history.readModels[0], store: store, log: Logger(label: "session_list"))
        let clock = clock(store)
        return ServiceParts(
            routes: { routes.add(to: $0) }, publication: publication, handler: handler, objects: objects,
            background: [
                { await list.run() }, { await drift.run() }, { await clock.run() }, { await sweeper.run() },
            ])
    }

    /// The bytes of a session go with its ending; only what the report says of them stays.
    static func rows(_ events: [SessionEvent]) -> [RowCall] {
        for event in events {
            switch event {
            case .completed(let session, _), .failed(let session, _, _), .cancelled(let session, _, _),
                .expired(let session), .deleted(let session, _):
                return [RowCall("discard_session_objects", ["sessionId": .uuid(session.sessionId)])]
            default: continue
            }
        }
        return []
    }

    /// After a restore: what its owner deleted stays deleted.
    @Loop package static func decideAgain(_ message: ReceivedMessage, _ store: EventStore) async throws -> Bool {
        guard message.incoming.type == SessionDeleted.type else { return false }
        let deleted = try message.incoming.read(SessionDeleted.self)
        return try await CommandHandler<Session>(store).decideAgain(
            .delete(by: deleted.ownerId), on: Session.stream(deleted.sessionId), because: message
        ) { _, events in rows(events) }
    }
}
