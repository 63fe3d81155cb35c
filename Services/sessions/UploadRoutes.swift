import Contracts
import Crypto
import EventSourcing
import EventStore
import HTTPServer
import JSON
import ObjectStorage
import Observability
import Primitives
import Runtime
import ServiceKit

/// An upload on its way into the object store.
enum Upload {
    /// The append that announces an object before its bytes are written; refused for an erased owner.
    static func intent(_ key: String, owner: UUID, session: UUID, deadline: Timestamp) -> Append {
        Append(
            id: .v7(), requestHash: [],
            metadata: EventMetadata(owner: owner, correlation: .v7(), actor: owner.description), writes: [],
            calls: [
                RowCall(
                    "intend_object",
                    [
                        "key": .string(key), "subject": .uuid(owner), "purpose": .string("session \(session)"),
                        "deadline": .time(deadline),
                    ])
            ])
    }
}

/// Where clients put their files: streamed into the object store in constant memory, with size, type and hash checked.
@Loop final class UploadRoutes {
    private let context: ServiceContext
    private let settings: SessionsSettings
    private let objects: any ObjectStore
    private let address: UploadAddress

    init(_ context: ServiceContext, _ settings: SessionsSettings, _ objects: any ObjectStore) {
        self.context = context
        self.settings = settings
        self.objects = objects
        address = UploadAddress(
            key: settings.uploadKey, publicURL: context.settings.publicURL, lifetime: settings.addressLifetime)
    }

    func add(to router: Router) {
        router.on("PUT", "/v1/uploads/{id}", put)
    }

    private func put(_ request: Request) async throws -> Response {
        guard let id = request.parameters["id"].flatMap({ UUID($0) }) else { throw Problem.notFound }
        try address.check(request, id, now: .now())
        let commands = CommandHandler<Session>(context.store)
        let (session, creation) = try open(try await commands.load(Session.stream(id)).state)
        guard let length = request.body.length else {
            throw Problem(.lengthRequired)
        }
        guard length == creation.contentLength else { throw SessionRefusal.uploadMismatch }

        let key = "uploads/\(session.ownerId)/\(id)/\(UUID.v7())"
        try await context.store.append(
            Upload.intent(key, owner: session.ownerId, session: id, deadline: .now() + settings.sessionLifetime))
        let digest = try await store(request.body, at: key, creation)
        let media = MediaReference(
            key: key, sha256: Hex.encode(digest), sizeBytes: length, contentType: creation.contentType)
        var metadata = EventMetadata(owner: session.ownerId, correlation: .v7(), actor: session.ownerId.description)
        metadata.traceparent = request.trace.traceparent
        _ = try await commands.handle(
            .storeUpload(by: session.ownerId, media), on: Session.stream(id), id: .v7(), requestHash: [],
            metadata: metadata
        ) { state, events in
            if events.isEmpty { return [] }
            var calls = [RowCall("keep_object", ["key": .string(key)])]
            if case .open(_, _, let earlier?) = state {
                calls.append(RowCall("discard_object", ["key": .string(earlier.key)]))
            }
            return calls
        }
        return .json(["sha256": .string(media.sha256), "sizeBytes": .int(length)])
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

    /// Streams a body into an object and gives its SHA-256.
    private func store(_ body: RequestBody, at key: String, _ creation: SessionCreation) async throws -> [UInt8] {
        let writer = try await objects.makeWriter(key, size: creation.contentLength)
        do {
            var hash = SHA256()
            var prefix: [UInt8] = []
            var isRecognised = false
            while let chunk = try await body.next() {
                if !isRecognised {
                    prefix += chunk.prefix(MediaType.prefixLength - prefix.count)
                    if prefix.count == MediaType.prefixLength {
                        try recognise(prefix, creation)
                        isRecognised = true
                    }
                }
                hash.update(chunk)
                try await writer.write(chunk)
            }
            if !isRecognised { try recognise(prefix, creation) }
            let digest = hash.finalize()
            if let announced = creation.sha256, announced != Hex.encode(digest) { throw SessionRefusal.uploadMismatch }
            try await writer.commit()
            return digest
        } catch {
            await writer.abandon()
            throw error
        }
    }

    private func recognise(_ prefix: [UInt8], _ creation: SessionCreation) throws {
        let found = MediaType.recognise(prefix)
        guard let announced = MediaType(rawValue: creation.contentType), found.contains(announced) else {
            throw Problem(.mediaTypeMismatch)
        }
    }
}
