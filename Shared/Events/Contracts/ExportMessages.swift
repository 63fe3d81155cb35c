package import JSON
package import Primitives

/// Somebody has asked for all that the platform has of them: every service that has something writes its part until the
/// deadline, and says so.
package struct ExportRequested: PublishedMessage {
    package static let type = MessageType(.reporting, "ExportRequested")

    /// The export.
    package var exportId: UUID
    /// The user whose data it is.
    package var ownerId: UUID
    /// Until when a part is waited for.
    package var deadline: Timestamp

    package init(exportId: UUID, ownerId: UUID, deadline: Timestamp) {
        self.exportId = exportId
        self.ownerId = ownerId
        self.deadline = deadline
    }

    package init(_ object: JSONObject) throws(JSONError) {
        exportId = try object.uuid("exportId")
        ownerId = try object.uuid("ownerId")
        deadline = try object.timestamp("deadline")
    }

    package var json: JSONObject {
        ["exportId": .uuid(exportId), "ownerId": .uuid(ownerId), "deadline": .time(deadline)]
    }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { exportId.description }
}

/// An export is over: every service removes its part of it.
package struct ExportClosed: PublishedMessage {
    package static let type = MessageType(.reporting, "ExportClosed")

    /// The export.
    package var exportId: UUID
    /// The user whose data it was.
    package var ownerId: UUID

    package init(exportId: UUID, ownerId: UUID) {
        self.exportId = exportId
        self.ownerId = ownerId
    }

    package init(_ object: JSONObject) throws(JSONError) {
        exportId = try object.uuid("exportId")
        ownerId = try object.uuid("ownerId")
    }

    package var json: JSONObject { ["exportId": .uuid(exportId), "ownerId": .uuid(ownerId)] }

    package var ownerKey: MessageKey { .owner(ownerId) }
    package var subject: String { exportId.description }
}

/// A service has written its part of an export; each that has one publishes it on its own topic, so its type depends on the
/// publisher.
package struct ExportPartWritten: Sendable, Equatable {
    /// The export.
    package var exportId: UUID
    /// The user whose data it is.
    package var ownerId: UUID
    /// The service whose part it is, ``ServiceName``'s text; may be one that this build does not know.
    package var service: String
    /// The document that names the part's files; nil when the service has nothing of the user.
    package var index: DocumentReference?

    package init(exportId: UUID, ownerId: UUID, service: ServiceName, index: DocumentReference?) {
        self.exportId = exportId
        self.ownerId = ownerId
        self.service = service.rawValue
        self.index = index
    }

    /// Reads the value of a record.
    ///
    /// - Throws: `JSONError` if a member is missing or malformed.
    package init(_ object: JSONObject) throws(JSONError) {
        exportId = try object.uuid("exportId")
        ownerId = try object.uuid("ownerId")
        service = try object.string("service")
        index = try object.optionalObject("index").map(DocumentReference.init)
    }

    /// The value of the record.
    package var json: JSONObject {
        let part: JSONObject = [
            "exportId": .uuid(exportId), "ownerId": .uuid(ownerId), "service": .string(service),
        ]
        return part.adding(["index": index.map { .object($0.json) }])
    }

    /// The type as one service publishes it.
    package static func type(of service: ServiceName) -> MessageType { MessageType(service, "ExportPartWritten") }

    /// The message as the service that wrote the part publishes it.
    package func outgoing(from service: ServiceName) -> Outgoing {
        Outgoing(type: Self.type(of: service), key: .owner(ownerId), subject: exportId.description, data: json)
    }
}
