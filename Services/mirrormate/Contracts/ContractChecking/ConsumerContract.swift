package import Contracts
package import JSON

/// What one service relies on in another one's messages: the file `<provider>.contract.json` in its own folder.
package struct ConsumerContract: Sendable {
    /// What it needs of one type of message.
    package struct Message: Sendable {
        package let type: MessageType
        /// What it does with the message.
        package let use: String
        /// The member whose value is the record's key; nil for the key `system`.
        package let keyField: String?
        package let fields: [FieldRule]
    }

    /// Two messages that one decision publishes, the first before the second.
    package struct Pair: Sendable {
        package let first: MessageType
        package let then: MessageType
        /// Members of the first and of the second that are equal when they belong together.
        package let firstField: String
        package let thenField: String
        package let why: String
    }

    package let path: String
    package let consumer: String
    package let provider: String
    package let topic: String
    package let partitions: Int64
    package let partitionHash: String
    /// The scope within which order matters, in words.
    package let order: String
    package let contentType: String
    /// The message headers it reads: name and form; a form that ends in `?` is optional.
    package let headers: [(name: String, form: String)]
    /// The lease record headers it reads.
    package let leaseHeaders: [(name: String, form: String)]
    package let unknownTypes: String
    package let pairs: [Pair]
    package let messages: [Message]

    /// Reads a contract file.
    ///
    /// - Throws: what is missing, unknown or malformed.
    package init(path: String, _ bytes: [UInt8]) throws(JSONError) {
        self.path = path
        let object = try JSONObject.parse(bytes)
        let allowed = [
            "consumer", "provider", "topic", "partitioning", "order", "contentType", "headers", "leaseRecords",
            "unknownTypes", "pairs", "messages",
        ]
        for key in object.keys where !allowed.contains(key) {
            throw JSONError(.type, at: key, "is not part of a contract (\(allowed))")
        }
        consumer = try object.string("consumer")
        provider = try object.string("provider")
        topic = try object.string("topic")
        let partitioning = try object.object("partitioning")
        partitions = try partitioning.int("partitions")
        partitionHash = try partitioning.string("hash")
        order = try object.string("order")
        contentType = try object.string("contentType")
        headers = try Self.headers(object.object("headers"))
        leaseHeaders = try Self.headers(object.object("leaseRecords"))
        unknownTypes = try object.string("unknownTypes")
        var pairs: [Pair] = []
        for value in object["pairs"]?.arrayValue ?? [] {
            let pair = try FieldRule.members(value, "pairs")
            pairs.append(
                Pair(
                    first: try Self.type(pair.string("first")), then: try Self.type(pair.string("then")),
                    firstField: try pair.string("firstField"), thenField: try pair.string("thenField"),
                    why: try pair.string("why")))
        }
        self.pairs = pairs
        var messages: [Message] = []
        for member in try object.object("messages").members {
            let message = try FieldRule.members(member.value, member.key)
            for key in message.keys where !["use", "key", "fields"].contains(key) {
                throw JSONError(.type, at: "\(member.key).\(key)", "is not part of a message (use, key, fields)")
            }
            var fields: [FieldRule] = []
            for field in try message.object("fields").members {
                fields.append(try FieldRule(field.key, FieldRule.members(field.value, field.key)))
            }
            let key = try message.string("key")
            messages.append(
                Message(
                    type: try Self.type(member.key), use: try message.string("use"),
                    keyField: key == "system" ? nil : key, fields: fields))
        }
        self.messages = messages
    }

    private static func headers(_ object: JSONObject) throws(JSONError) -> [(name: String, form: String)] {
        var headers: [(name: String, form: String)] = []
        for key in object.keys { headers.append((key, try object.string(key))) }
        return headers
    }

    private static func type(_ text: String) throws(JSONError) -> MessageType {
        guard let type = MessageType(text) else {
            throw JSONError(.type, at: text, "must be a message's type with its version")
        }
        return type
    }

    /// The contract's name in findings.
    package var title: String { "\(provider) -> \(consumer)" }

    /// What it needs of a type; nil if it does not read it.
    package func message(_ type: MessageType) -> Message? { messages.first { $0.type == type } }
}
