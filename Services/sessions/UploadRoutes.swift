import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import ObjectStorage
import Observability
import Primitives
import Runtime
import ServiceKit
import Uploads

/// Where clients put their files.
@Loop struct UploadRoutes {
    let context: ServiceContext
    let settings: SessionsSettings
    let links: SignedLinks
    let receiver: UploadReceiver

    func add(to router: Router) { router.on("PUT", "/v1/uploads/{id}", put) }

    nonisolated static func path(_ session: UUID) -> String { "/v1/uploads/\(session)" }

    private func put(_ request: Request) async throws -> Response {
        guard let id = request.parameters["id"].flatMap({ UUID($0) }) else { throw Problem.notFound }
        try links.check(request, path: Self.path(id))
        let commands = CommandHandler<Session>(context.store)
        let (session, creation) = try open(try await commands.load(Session.stream(id)).state)
        // Creation let only known types in.
        guard let type = MediaType(rawValue: creation.contentType) else { throw Problem(.mediaTypeUnsupported) }

        let key = "uploads/\(session.ownerId)/\(id)/\(UUID.v7())"
        try await context.store.intendObject(
            key, of: session.ownerId, purpose: "session \(id)", until: .now() + settings.sessionLifetime)
        let expected = ExpectedUpload(size: creation.contentLength, type: type, sha256: creation.sha256)
        let media = MediaReference(
            key: key, sha256: try await receiver.receive(request.body, as: key, expected),
            sizeBytes: creation.contentLength, contentType: creation.contentType)
        var metadata = EventMetadata(owner: session.ownerId, correlation: .v7(), actor: session.ownerId.description)
        metadata.traceparent = request.trace.traceparent
        _ = try await commands.handle(
            .storeUpload(by: session.ownerId, media), on: Session.stream(id), id: .v7(), requestHash: [],
            metadata: metadata
        ) { state, events in
            if events.isEmpty { return [] }
            guard case .open(_, _, let earlier?) = state else { return [.keepObject(key)] }
            return [.keepObject(key), .discardObject(earlier.key)]
        }
        return .json(["sha256": .string(media.sha256), "sizeBytes": .int(media.sizeBytes)])
    }

    private func open(_ state: Session) throws -> (SessionIdentity, SessionCreation) {
        switch state {
        case .open(let session, let creation, _): return (session, creation)
        case .queued: throw SessionRefusal.notAdmitted
        case .processing: throw SessionRefusal.uploadSealed
        case .ended: throw SessionRefusal.ended
        case .absent, .gone, .subjectErased: throw Problem.notFound
        }
    }
}
