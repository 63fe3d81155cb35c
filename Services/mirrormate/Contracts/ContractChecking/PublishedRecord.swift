package import Contracts
package import JSON

/// A record as it was in a topic, in readable form: what the real relay wrote for one event of a story.
package struct PublishedRecord: Sendable {
    package let topic: String
    package let partition: Int32
    /// Nil on lease records.
    package let key: String?
    package let headers: [(name: String, value: String)]
    package let value: JSONObject

    package init(
        topic: String, partition: Int32, key: String?, headers: [(name: String, value: String)], value: JSONObject
    ) {
        self.topic = topic
        self.partition = partition
        self.key = key
        self.headers = headers
        self.value = value
    }

    /// Reads a record from a golden file.
    init(_ object: JSONObject) throws(JSONError) {
        topic = try object.string("topic")
        partition = Int32(clamping: try object.int("partition"))
        key = try object.optionalString("key")
        var headers: [(name: String, value: String)] = []
        let members = try object.object("headers")
        for name in members.keys { headers.append((name, try members.string(name))) }
        self.headers = headers
        value = try object.object("value")
    }

    /// The form in golden files.
    package var json: JSONObject {
        var object: JSONObject = ["topic": .string(topic), "partition": .int(Int64(partition))]
        if let key { object["key"] = .string(key) }
        object["headers"] = .object(JSONObject(headers.map { ($0.name, .string($0.value)) }))
        object["value"] = .object(value)
        return object
    }

    /// The value of a header; nil if it is missing.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The id of the event behind it.
    package var id: String { header(MessageHeaders.id) ?? "" }

    /// The type; nil if the header is missing or malformed.
    package var type: MessageType? { header(MessageHeaders.type).flatMap { MessageType($0) } }

    /// The position in the publisher's log; 0 if there is none.
    package var position: Int64 { header(MessageHeaders.position).flatMap { Int64($0) } ?? 0 }

    /// A member by its path, such as `media.sizeBytes`.
    package func member(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(JSONValue.object(value) as JSONValue?) { $0?[String($1)] }
    }
}

/// The records of one released type of message.
package struct GoldenMessage: Sendable {
    package let path: String
    package let type: MessageType
    package let records: [PublishedRecord]

    /// Reads `Services/<service>/Contracts/published/<Name>.v<N>.json`.
    ///
    /// - Throws: `JSONError` when the file is not such an object.
    package init(path: String, _ bytes: [UInt8]) throws(JSONError) {
        self.path = path
        let object = try JSONObject.parse(bytes)
        guard let type = MessageType(try object.string("type")) else {
            throw JSONError(.type, at: "type", "must be a message's type with its version")
        }
        self.type = type
        var records: [PublishedRecord] = []
        for value in try object.array("records") {
            records.append(try PublishedRecord(FieldRule.members(value, "records")))
        }
        self.records = records
    }

    package init(path: String, type: MessageType, records: [PublishedRecord]) {
        self.path = path
        self.type = type
        self.records = records
    }

    /// The file's text.
    package var text: String {
        JSONValue.object([
            "type": .string(type.description), "records": .array(records.map { .object($0.json) }),
        ]).prettyText + "\n"
    }
}

/// A private event of one released type and version: as stored, and as today's code must read it.
package struct GoldenEvent: Sendable {
    package let path: String
    package let service: String
    package let name: String
    package let version: Int
    /// What is stored in the log, byte for byte when written compactly, and what today's code reads from it.
    package let examples: [(stored: JSONObject, reads: JSONObject)]

    /// Reads `Services/<service>/Contracts/events/<Name>.v<N>.json`.
    ///
    /// - Throws: `JSONError` when the file is not such an object.
    package init(path: String, service: String, _ bytes: [UInt8]) throws(JSONError) {
        self.path = path
        self.service = service
        let object = try JSONObject.parse(bytes)
        name = try object.string("name")
        version = Int(try object.int("version"))
        var examples: [(stored: JSONObject, reads: JSONObject)] = []
        for value in try object.array("examples") {
            let example = try FieldRule.members(value, "examples")
            let stored = try example.object("stored")
            examples.append((stored, try example.optionalObject("reads") ?? stored))
        }
        self.examples = examples
    }

    package init(path: String, service: String, name: String, version: Int, examples: [JSONObject]) {
        self.path = path
        self.service = service
        self.name = name
        self.version = version
        self.examples = examples.map { ($0, $0) }
    }

    /// The file's text.
    package var text: String {
        let list = examples.map { example -> JSONValue in
            example.stored == example.reads
                ? ["stored": .object(example.stored)]
                : ["stored": .object(example.stored), "reads": .object(example.reads)]
        }
        return JSONValue.object(["name": .string(name), "version": .int(Int64(version)), "examples": .array(list)])
            .prettyText + "\n"
    }
}
