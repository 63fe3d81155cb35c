package import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
package import JSON
import ObjectStorage
package import Primitives
package import Runtime

/// What a service does when another one has written its part of an export. Goes through the gate, as a hand-over does.
package typealias ExportPartWork =
    @Loop @Sendable (ExportPartWritten, ReceivedMessage, any AppendGate) async throws -> Void

/// A service has written its part of an export; the only event of a stream `exportpart-<export id>`.
package struct ExportPartEvent: PrivateEvent, Equatable {
    private static let type = EventType("ExportPartWritten")

    package var exportId: UUID
    /// The user whose data it is.
    package var ownerId: UUID
    /// The document that names the part's files; nil when the service has nothing of the user.
    package var index: DocumentReference?

    package init(exportId: UUID, ownerId: UUID, index: DocumentReference?) {
        self.exportId = exportId
        self.ownerId = ownerId
        self.index = index
    }

    package var type: EventType { Self.type }

    package var data: JSONObject {
        let part: JSONObject = ["exportId": .uuid(exportId), "ownerId": .uuid(ownerId)]
        return part.adding(["index": index.map { .object($0.json) }])
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> ExportPartEvent {
        try reading(type, data) { (name, data) throws(JSONError) in
            guard name == Self.type.name else { return nil }
            return try ExportPartEvent(
                exportId: data.uuid("exportId"), ownerId: data.uuid("ownerId"),
                index: data.optionalObject("index").map(DocumentReference.init))
        }
    }

    /// Whether an event type is this one, which a service's own folds skip.
    package static func isOne(_ type: EventType) -> Bool { type == Self.type }

    /// The stream of the part of an export.
    package static func stream(_ exportId: UUID) -> StreamName { StreamName("exportpart", exportId) }

    /// What the service publishes of it.
    package func outgoing(from service: ServiceName) -> Outgoing {
        ExportPartWritten(exportId: exportId, ownerId: ownerId, service: service, index: index).outgoing(from: service)
    }
}

/// Writes and removes a service's part of exports. A death before the append leaves nothing but objects that the sweeper removes,
/// and the message comes again.
@Loop package struct ExportParts {
    private let context: ServiceContext
    private let objects: any ObjectStore
    private let service: ServiceName
    private let source: ExportSource

    init(
        _ context: ServiceContext, _ objects: any ObjectStore, _ service: ServiceName, source: @escaping ExportSource
    ) {
        self.context = context
        self.objects = objects
        self.service = service
        self.source = source
    }

    /// Writes the part; nothing when nobody waits for it any more, or when its owner was erased.
    func write(_ request: ExportRequested, _ message: ReceivedMessage, through gate: any AppendGate) async throws {
        guard request.deadline > .now() else { return }
        let writer = ExportWriter(context, objects, service, exportId: request.exportId, owner: request.ownerId)
        do {
            try await source(writer)
            let index = try await writer.finish()
            let part = ExportPartEvent(exportId: request.exportId, ownerId: request.ownerId, index: index)
            try await gate.append(
                Append(
                    id: message.appendID, requestHash: message.requestHash,
                    metadata: message.metadata(actor: service.rawValue),
                    writes: [
                        StreamWrite(
                            ExportPartEvent.stream(request.exportId), expectedVersion: 0, events: [NewEvent(part)])
                    ], calls: writer.keeping))
        } catch AppendError.erased {
            // Late for an erased user: the erasure removes what was written.
        } catch AppendError.guarded(.objectNotIntended) {
            throw RetriableFailure("export-part", "The part of an export took too long to write; it is written again.")
        } catch let error as ObjectStoreError {
            throw RetriableFailure("object-store", error.description)
        }
    }

    /// Gives up the files of an export that is over; the sweeper removes them.
    static func remove(
        _ closed: ExportClosed, _ message: ReceivedMessage, by service: ServiceName, through gate: any AppendGate
    ) async throws {
        try await gate.append(
            Append(
                id: message.appendID, requestHash: message.requestHash,
                metadata: message.metadata(actor: service.rawValue), writes: [],
                calls: [KitRows.discardPurpose(ExportWriter.purpose(closed.exportId))], thoughErased: true))
    }

    /// What removes a part that was asked for by an export which reporting does not know any more: nobody would say that it is over.
    ///
    /// - Throws: `EventDecodingError` if this build cannot read the event.
    static func takingBack(_ event: RecordedEvent, by service: ServiceName) throws -> Append {
        let part = try event.decoded(as: ExportPartEvent.self)
        let id = UUID.v5(namespace: event.id, name: "orphan")
        return Append(
            id: id, requestHash: id.bytes,
            metadata: EventMetadata(
                owner: nil, correlation: event.metadata.correlation, causation: event.id, actor: service.rawValue),
            writes: [], calls: [KitRows.discardPurpose(ExportWriter.purpose(part.exportId))], thoughErased: true)
    }
}
