package import Contracts
package import JSON

/// A published message as declared by its publisher, for the generated documents.
///
/// The declaration is checked against the code: tests and `mirrormate contracts check` read and write every golden record
/// through ``rewrite`` and remove its members one at a time.
package struct DeclaredMessage: Sendable {
    package let service: ServiceName
    package let type: MessageType
    /// Its meaning, in one sentence.
    package let meaning: String
    /// The member whose value is the record's key; nil for the key `system`.
    package let keyField: String?
    /// The member that is the CloudEvents subject.
    package let subjectField: String
    package let fields: [FieldRule]
    /// Decodes a value with the message's own reader and encodes it again with its own writer.
    package let rewrite: @Sendable (JSONObject) throws(JSONError) -> JSONObject

    /// A message with a type of its own.
    init<Message: PublishedMessage>(
        _: Message.Type, _ service: ServiceName, _ meaning: String, key: String?, subject: String,
        _ fields: [FieldRule]
    ) {
        self.service = service
        type = Message.type
        self.meaning = meaning
        keyField = key
        subjectField = subject
        self.fields = fields
        rewrite = { (object) throws(JSONError) in try Message(object).json }
    }

    /// The answer to an erasure, which every service except identity publishes under its own name.
    init(subjectErasedBy service: ServiceName) {
        self.service = service
        type = SubjectErased.type(of: service)
        meaning = "A service has removed all of a user's data."
        keyField = "subjectId"
        subjectField = "subjectId"
        fields = [
            FieldRule("subjectId", .uuid, "The erased user."),
            FieldRule(
                "service", .code, "The service that is done; it speaks only for itself.", known: [service.rawValue]),
            FieldRule(
                "removed", .object, "What it removed.",
                fields: [
                    FieldRule("rows", .integer, "Rows of the database.", unit: .count, minimum: 0),
                    FieldRule("objects", .integer, "Objects of the object storage.", unit: .count, minimum: 0),
                ]),
        ]
        rewrite = { (object) throws(JSONError) in try SubjectErased(object).json }
    }

    /// That a service has written its part of an export, which each of several publishes under its own name.
    init(exportPartOf service: ServiceName) {
        self.service = service
        type = ExportPartWritten.type(of: service)
        meaning = "A service has written its part of an export."
        keyField = "ownerId"
        subjectField = "exportId"
        fields = [
            FieldRule("exportId", .uuid, "The export."), FieldRule("ownerId", .uuid, "The user whose data it is."),
            FieldRule(
                "service", .code, "The service whose part it is; it speaks only for itself.", known: [service.rawValue]),
            FieldRule(
                "index", .object,
                "The JSON document that names the part's files; missing when the service has nothing of the user.",
                isOptional: true,
                fields: [
                    FieldRule("key", .text, "The object's key in the store."),
                    FieldRule("sha256", .sha256, "SHA-256 of the bytes."),
                    FieldRule("sizeBytes", .integer, "The number of bytes.", unit: .bytes, minimum: 0),
                ]),
        ]
        rewrite = { (object) throws(JSONError) in try ExportPartWritten(object).json }
    }

    /// `SessionCreated.v1`: the name of the golden file, also used in findings.
    package var shortName: String { "\(type.name).v\(type.version)" }

    /// The JSON Schema of the value.
    package var schema: JSONObject {
        var schema = FieldRule.schema(of: fields)
        schema["title"] = .string(type.name)
        schema["description"] = .string(meaning)
        return schema
    }
}

extension MessageType {
    /// `SessionCreated.v1`.
    package var shortName: String { "\(name).v\(version)" }
}
