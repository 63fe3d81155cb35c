package import JSON
package import Primitives

/// A file of an export as it lies in object storage until the export is over.
package struct ExportFile: Sendable, Hashable {
    /// Its path in the archive, such as `sessions/sessions.csv`; never anything of its owner.
    package var name: String
    /// The object's key in the store.
    package var key: String
    /// The number of bytes.
    package var sizeBytes: Int64
    /// SHA-256 of the bytes, 64 lower-case hexadecimal digits.
    package var sha256: String
    /// CRC-32 of the bytes (ISO 3309), which an archive names before the bytes come.
    package var crc32: Int64

    package init(name: String, key: String, sizeBytes: Int64, sha256: String, crc32: Int64) {
        self.name = name
        self.key = key
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
        self.crc32 = crc32
    }

    package init(_ object: JSONObject) throws(JSONError) {
        name = try object.string("name")
        key = try object.string("key")
        sizeBytes = try object.int("sizeBytes")
        sha256 = try object.string("sha256")
        crc32 = try object.int("crc32")
    }

    package var json: JSONObject {
        [
            "name": .string(name), "key": .string(key), "sizeBytes": .int(sizeBytes), "sha256": .string(sha256),
            "crc32": .int(crc32),
        ]
    }

    /// The files of a stored list.
    ///
    /// - Throws: `JSONError` if a member is missing or malformed.
    package static func list(_ name: String, of object: JSONObject) throws(JSONError) -> [ExportFile] {
        var files: [ExportFile] = []
        for value in try object.array(name) {
            guard let file = value.objectValue else { throw JSONError(.type, at: name, "must be a list of objects") }
            files.append(try ExportFile(file))
        }
        return files
    }

    /// A list as it is stored.
    package static func json(_ files: [ExportFile]) -> JSONValue { .array(files.map { .object($0.json) }) }
}

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
    /// What it consists of; empty when the service has nothing of the user.
    package var files: [ExportFile]

    package init(exportId: UUID, ownerId: UUID, service: ServiceName, files: [ExportFile]) {
        self.exportId = exportId
        self.ownerId = ownerId
        self.service = service.rawValue
        self.files = files
    }

    /// Reads the value of a record.
    ///
    /// - Throws: `JSONError` if a member is missing or malformed.
    package init(_ object: JSONObject) throws(JSONError) {
        exportId = try object.uuid("exportId")
        ownerId = try object.uuid("ownerId")
        service = try object.string("service")
        files = try ExportFile.list("files", of: object)
    }

    /// The value of the record.
    package var json: JSONObject {
        [
            "exportId": .uuid(exportId), "ownerId": .uuid(ownerId), "service": .string(service),
            "files": ExportFile.json(files),
        ]
    }

    /// The type as one service publishes it.
    package static func type(of service: ServiceName) -> MessageType { MessageType(service, "ExportPartWritten") }

    /// The message as the service that wrote the part publishes it.
    package func outgoing(from service: ServiceName) -> Outgoing {
        Outgoing(type: Self.type(of: service), key: .owner(ownerId), subject: exportId.description, data: json)
    }
}
