import Configuration
import Contracts
import EventConsumer
import EventSourcing
import EventStore
import JSON
import ObjectStorage
import Observability
import Primitives
import Projections
import Runtime
import ServiceKit

/// Puts the service together.
enum SessionsService: Service {
    static let name = ServiceName.sessions
    static let reads: [ServiceName] = [.identity, .quota, .analysis, .reporting]
    static let migrations = [
        Migration("session_list", PackageResources.session_list_sql),
        Migration("session_objects", PackageResources.session_objects_sql),
    ]

    static func check(_ environment: Environment) { _ = SessionsSettings(environment) }

    @Loop static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let settings = SessionsSettings(context.environment)
        let objects = settings.objects.makeStore()
        let store = context.store
        let routes = SessionRoutes(context, settings, objects)
        let uploads = UploadRoutes(context, settings, objects)
        let sweeper = ObjectSweeper(store, objects, log: Logger(label: "sweeper"))
        let erasure = SessionErasure(store, sweeper)
        let handler = ReactionHandler(
            Session.self, store: store, service: name,
            react: { message in try SessionReactions.reaction(to: message.incoming) },
            rows: { _, events in Self.rows(events) },
            takeBack: { _ in .ignore },
            erase: { subject, message, calls in try await erasure.erase(subject, message, calls) })
        let list = Projector(
            SessionList.self, store: store, log: Logger(label: "session_list"), foreign: KeyEvent.isOne)
        let clock = SessionClock(store, Logger(label: "clock"))
        return ServiceParts(
            routes: { router in
                routes.add(to: router)
                uploads.add(to: router)
            },
            publication: ServiceParts.publishing { (event: SessionEvent) in SessionMessages.outgoing(for: event) },
            handler: handler, objects: objects,
            background: [{ await list.run() }, { await clock.run() }, { await sweeper.run() }])
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
}
