package import Configuration
package import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
import History
import JSON
import ObjectStorage
import Observability
import Primitives
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
        Migration("session_objects", PackageResources.session_objects_sql),
    ]

    package static let publication = ServiceParts.publishing { (event: SessionEvent) in
        SessionMessages.outgoing(for: event)
    }

    package static func check(_ environment: Environment) { _ = SessionsSettings(environment) }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let settings = SessionsSettings(context.environment)
        let objects = settings.objects.makeStore()
        let store = context.store
        let links = SignedLinks(key: settings.uploadKey, publicURL: context.settings.publicURL)
        let routes = SessionRoutes(context, settings, objects, links)
        let uploads = UploadRoutes(
            context: context, settings: settings, links: links, receiver: UploadReceiver(objects))
        let sweeper = ObjectSweeper(store, objects, log: Logger(label: "sweeper"))
        let erasure = SessionErasure.make(store, sweeper)
        let handler = ReactionHandler(
            Session.self, store: store, service: name,
            react: { message in try SessionReactions.reaction(to: message.incoming) },
            rows: { _, events in Self.rows(events) },
            takeBack: { _ in .ignore },
            erase: { subject, message, calls in try await erasure.erase(subject, message, calls) })
        let list = Projector(
            SessionList.self, store: store, log: Logger(label: "session_list"), foreign: KeyEvent.isOne)
        let drift = DriftWatch(
            SessionHistory.history.readModels[0], store: store, log: Logger(label: "session_list"))
        let clock = SessionClock.make(store)
        return ServiceParts(
            routes: { router in
                routes.add(to: router)
                uploads.add(to: router)
            },
            publication: publication, handler: handler, objects: objects,
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
        let deleted: SessionDeleted = try message.incoming.read()
        var metadata = message.metadata(actor: "restore")
        metadata.origin = nil
        do {
            let outcome = try await CommandHandler<Session>(store).handle(
                .delete(by: deleted.ownerId), on: Session.stream(deleted.sessionId),
                id: .v5(namespace: message.incoming.id, name: "again"), requestHash: message.incoming.id.bytes,
                metadata: metadata
            ) { _, events in rows(events) }
            return !outcome.events.isEmpty
        } catch is SessionRefusal {
            // It was created after the backup, or is removed already.
            return false
        } catch AppendError.erased {
            return false
        }
    }
}
