package import Contracts
package import EventSourcing
package import JSON
package import Primitives

/// What a service's log has of its part of an export; the events of a stream `exportpart-<export id>`.
package enum ExportPartEvent: PrivateEvent, Equatable {
    /// The part is asked for. It is written beside the messages.
    case asked(ExportRequested)
    /// The part was written.
    ///
    /// - Parameter index: the document that names the part's files; nil when the service has nothing of the user.
    case written(exportId: UUID, ownerId: UUID, index: DocumentReference?)

    private static let askedType = EventType("ExportPartAsked")
    private static let writtenType = EventType("ExportPartWritten")

    package var type: EventType {
        switch self {
        case .asked: Self.askedType
        case .written: Self.writtenType
        }
    }

    /// The export that it is about.
    package var exportId: UUID {
        switch self {
        case .asked(let request): request.exportId
        case .written(let exportId, _, _): exportId
        }
    }

    package var data: JSONObject {
        switch self {
        case .asked(let request):
            [
                "exportId": .uuid(request.exportId), "ownerId": .uuid(request.ownerId),
                "deadline": .time(request.deadline),
            ]
        case .written(let exportId, let ownerId, let index):
            (["exportId": .uuid(exportId), "ownerId": .uuid(ownerId)] as JSONObject)
                .adding(["index": index.map { .object($0.json) }])
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> ExportPartEvent {
        try reading(type, data) { (name, data) throws(JSONError) in
            switch name {
            case askedType.name:
                try .asked(
                    ExportRequested(
                        exportId: data.uuid("exportId"), ownerId: data.uuid("ownerId"),
                        deadline: data.timestamp("deadline")))
            case writtenType.name:
                try .written(
                    exportId: data.uuid("exportId"), ownerId: data.uuid("ownerId"),
                    index: data.optionalObject("index").map(DocumentReference.init))
            default: nil
            }
        }
    }

    /// Whether an event type is one of these, which a service's own folds skip.
    package static func isOne(_ type: EventType) -> Bool { type == askedType || type == writtenType }

    /// The stream of the part of an export.
    package static func stream(_ exportId: UUID) -> StreamName { StreamName("exportpart", exportId) }

    /// What the service publishes of it; nil for what concerns nobody else.
    package func outgoing(from service: ServiceName) -> Outgoing? {
        switch self {
        case .asked: nil
        case .written(let exportId, let ownerId, let index):
            ExportPartWritten(exportId: exportId, ownerId: ownerId, service: service, index: index)
                .outgoing(from: service)
        }
    }
}
