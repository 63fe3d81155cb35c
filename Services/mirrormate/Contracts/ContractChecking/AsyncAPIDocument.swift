import Contracts
package import JSON

/// The AsyncAPI 3 document of all topics: who sends and receives what, and the schema of every message.
package struct AsyncAPIDocument: Sendable {
    private let tree: ContractTree

    package init(_ tree: ContractTree) { self.tree = tree }

    package var json: JSONObject {
        [
            "asyncapi": "3.0.0",
            "info": [
                "title": "MirrorMate events", "version": "1",
                "description": .string(
                    "Published events of the six services: CloudEvents 1.0 in Kafka's binary mode, values as JSON, one topic "
                        + "a service. Generated from the code; docs/contracts.md says what may change."),
            ],
            "defaultContentType": .string(MessageHeaders.json),
            "channels": .object(JSONObject(ServiceName.allCases.map { ($0.rawValue, channel($0)) })),
            "operations": .object(operations),
            "components": [
                "messages": .object(
                    JSONObject(Catalogue.messages.map { (Self.id($0.type), .object(message($0))) })),
                "schemas": ["Headers": .object(Self.headers)],
            ],
        ]
    }

    // Keys may contain only letters, digits, hyphens and underscores.
    private static func key(_ type: MessageType) -> String { "\(type.name)-v\(type.version)" }
    private static func id(_ type: MessageType) -> String { "\(type.service)-\(key(type))" }

    private static func reference(_ path: String) -> JSONValue { ["$ref": .string("#/\(path)")] }

    private func channel(_ service: ServiceName) -> JSONValue {
        let messages = Catalogue.messages.filter { $0.service == service }
        let topic = Topic(service)
        return [
            "address": .string(topic.name), "title": .string("What \(service.rawValue) publishes"),
            "messages": .object(
                JSONObject(
                    messages.map { (Self.key($0.type), Self.reference("components/messages/\(Self.id($0.type))")) })),
            "bindings": [
                "kafka": ["topic": .string(topic.name), "partitions": .int(Int64(topic.partitions))]
            ],
        ]
    }

    private var operations: JSONObject {
        var operations: JSONObject = [:]
        for service in ServiceName.allCases {
            operations["\(service.rawValue)-publishes"] = operation(
                "send", service, Catalogue.messages.filter { $0.service == service }.map(\.type),
                "\(service.rawValue) publishes.")
        }
        for contract in tree.contracts {
            guard let provider = ServiceName(rawValue: contract.provider) else { continue }
            operations["\(contract.consumer)-reads-\(contract.provider)"] = operation(
                "receive", provider, contract.messages.map(\.type),
                "\(contract.consumer) reads. Order: \(contract.order)")
        }
        return operations
    }

    private func operation(
        _ action: String, _ service: ServiceName, _ types: [MessageType], _ summary: String
    ) -> JSONValue {
        let channel = "channels/\(service.rawValue)"
        return [
            "action": .string(action), "summary": .string(summary), "channel": Self.reference(channel),
            "messages": .array(types.map { Self.reference("\(channel)/messages/\(Self.key($0))") }),
        ]
    }

    private func message(_ message: DeclaredMessage) -> JSONObject {
        let key = message.keyField.map { "The \($0) of the value." } ?? "Always `system`."
        return [
            "name": .string(message.type.description), "title": .string(message.type.name),
            "summary": .string(message.meaning), "contentType": .string(MessageHeaders.json),
            "headers": Self.reference("components/schemas/Headers"), "payload": .object(message.schema),
            "correlationId": ["location": .string("$message.header#/\(MessageHeaders.correlationID)")],
            "bindings": ["kafka": ["key": ["type": "string", "description": .string(key)]]],
            "examples": .array(
                tree.records(message.type).prefix(1).map { record in
                    [
                        "name": "released", "summary": "As the relay wrote it.",
                        "headers": .object(JSONObject(record.headers.map { ($0.name, .string($0.value)) })),
                        "payload": .object(record.value),
                    ]
                }),
        ]
    }

    private static var headers: JSONObject {
        let headers = DeclaredHeader.ofMessages
        return [
            "type": "object",
            "properties": .object(
                JSONObject(
                    headers.map { ($0.name, ["type": "string", "description": .string($0.meaning)]) })),
            "required": .array(headers.filter { !$0.form.hasSuffix("?") }.map { .string($0.name) }),
        ]
    }
}
