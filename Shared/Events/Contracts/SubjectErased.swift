package import JSON
package import Primitives

/// A service has removed all that belonged to a user; every service but identity publishes it on its own topic, so its
/// type depends on the publisher.
package struct SubjectErased: Sendable, Equatable {
    /// What one service removed.
    package struct Removed: Sendable, Hashable {
        /// Rows of the database.
        package var rows: Int64
        /// Objects of the object storage.
        package var objects: Int64

        package init(rows: Int64, objects: Int64) {
            self.rows = rows
            self.objects = objects
        }

        package init(_ object: JSONObject) throws(JSONError) {
            rows = try object.int("rows")
            objects = try object.int("objects")
        }

        package var json: JSONObject { ["rows": .int(rows), "objects": .int(objects)] }
    }

    /// The erased user.
    package var subjectId: UUID
    /// The service that finished its part, ``ServiceName``'s text; may be one that this build does not know.
    package var service: String
    /// What it removed.
    package var removed: Removed

    package init(subjectId: UUID, service: ServiceName, removed: Removed) {
        self.subjectId = subjectId
        self.service = service.rawValue
        self.removed = removed
    }

    /// Reads the value of a record.
    ///
    /// - Throws: `JSONError` if a member is missing or malformed.
    package init(_ object: JSONObject) throws(JSONError) {
        subjectId = try object.uuid("subjectId")
        service = try object.string("service")
        removed = try Removed(object.object("removed"))
    }

    /// The value of the record.
    package var json: JSONObject {
        ["subjectId": .uuid(subjectId), "service": .string(service), "removed": .object(removed.json)]
    }

    /// The type as one service publishes it.
    package static func type(of service: ServiceName) -> MessageType { MessageType(service, "SubjectErased") }

    /// The message as the service that finished publishes it.
    package static func outgoing(_ subjectId: UUID, from service: ServiceName, removed: Removed) -> Outgoing {
        let message = SubjectErased(subjectId: subjectId, service: service, removed: removed)
        return Outgoing(
            type: type(of: service), key: .owner(subjectId), subject: subjectId.description, data: message.json)
    }
}

/// How the private event behind the message is stored: every service but identity has one, in a log that is its own.
extension SubjectErased {
    /// The data of the event.
    package static func stored(_ subject: UUID, _ removed: Removed) -> JSONObject {
        ["subjectId": .uuid(subject), "removed": .object(removed.json)]
    }

    /// Reads the data of the event.
    ///
    /// - Parameter event: makes the event of the erased user and of what was removed.
    ///
    /// - Throws: `JSONError` when a member is missing or of another type.
    package static func stored<Event>(
        _ data: JSONObject, as event: (UUID, Removed) throws(JSONError) -> Event
    ) throws(JSONError) -> Event {
        try event(data.uuid("subjectId"), Removed(data.object("removed")))
    }
}
