package import Contracts
import HTTPServer
package import JSON

/// The OpenAPI 3.1 document of a service, or of all behind the gateway.
package struct OpenAPIDocument: Sendable {
    private let service: ServiceName?

    /// - Parameter service: nil for the gateway's merged document.
    package init(_ service: ServiceName? = nil) { self.service = service }

    package var json: JSONObject {
        let operations = Operations.all.filter { service == nil || $0.service == service }
        var paths: JSONObject = [:]
        for operation in operations {
            var item: JSONObject = paths[operation.path]?.objectValue ?? [:]
            item[operation.method.lowercased()] = .object(self.operation(operation))
            paths[operation.path] = .object(item)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": .string("MirrorMate" + (service.map { ": \($0.rawValue)" } ?? "")), "version": "1",
                "description": .string(
                    "A speaking video goes in, a coaching report comes out. Texts hold no NUL character. "
                        + "Generated from the code."),
            ],
            "servers": [["url": "/"]], "paths": .object(paths),
            "components": [
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"],
                    "appToken": ["type": "http", "scheme": "bearer", "bearerFormat": "mma_ and 43 characters"],
                ],
                "schemas": .object(JSONObject(Schemas.all)),
            ],
        ]
    }

    private static func security(_ caller: Operation.Caller) -> JSONValue {
        switch caller {
        case .anybody: []
        case .user: [["token": []]]
        case .either: [[:], ["token": []]]
        case .app: [["appToken": []]]
        }
    }

    private func operation(_ operation: Operation) -> JSONObject {
        var object: JSONObject = [
            "operationId": .string(operation.id), "summary": .string(operation.summary),
            "tags": [.string(operation.service.rawValue)],
            "security": Self.security(operation.caller),
        ]
        let parameters = parameters(operation)
        if !parameters.isEmpty { object["parameters"] = .array(parameters) }
        if let types = operation.fileTypes {
            let content = types.map { ($0, JSONValue.object([:])) }
            object["requestBody"] = ["required": true, "content": .object(JSONObject(content))]
        } else if let body = operation.body {
            object["requestBody"] = [
                "required": .bool(Schemas.needsMembers(body)),
                "content": ["application/json": ["schema": Self.reference(body)]],
            ]
        }
        object["responses"] = .object(responses(operation))
        return object
    }

    private func parameters(_ operation: Operation) -> [JSONValue] {
        operation.variables.map { name in
            [
                "name": .string(name), "in": "path", "required": true, "schema": Self.schema(ofVariable: name),
            ]
        }
            + operation.parameters.map { parameter in
                [
                    "name": .string(parameter.name), "in": .string(parameter.place),
                    "required": .bool(parameter.isRequired), "description": .string(parameter.meaning),
                    "schema": parameter.schema,
                ]
            }
    }

    /// What stands in a path: an id, unless its name is that of something else.
    private static func schema(ofVariable name: String) -> JSONValue {
        switch name {
        case "date": ["type": "string", "format": "date"]
        case "provider": ["type": "string", "enum": ["google", "apple"]]
        case "measure": ["type": "string"]
        default: ["type": "string", "format": "uuid"]
        }
    }

    private func responses(_ operation: Operation) -> JSONObject {
        var responses: JSONObject = [:]
        for answer in operation.answers {
            var response: JSONObject = ["description": .string(answer.meaning)]
            if let schema = answer.schema {
                // Of one status there may be several forms.
                let others = responses["\(answer.status)"]?["content"]?.objectValue ?? [:]
                response["content"] = .object(
                    others.adding(
                        membersOf: JSONObject(
                            ([answer.contentType] + answer.otherTypes).map { ($0, ["schema": Self.reference(schema)]) })
                    ))
            }
            responses["\(answer.status)"] = .object(response)
        }
        let problems = Dictionary(grouping: operation.allProblems, by: \.status)
        for (status, own) in problems.sorted(by: { $0.key < $1.key }) {
            // "default" covers the statuses that are not listed.
            let codes = own + ProblemCode.ofHTTP.filter { $0.status == status }
            let lines = codes.map { "- `\($0)`: \($0.title). \($0.advice)" }
            responses["\(status)"] = Self.problem(
                lines.joined(separator: "\n"), codes, operation.errors)
        }
        responses["default"] = Self.problem("A problem of HTTP itself, or a fault.", ProblemCode.ofHTTP)
        return responses
    }

    /// Codes are examples, not a closed set: a later version may have another reason for the same status.
    private static func problem(
        _ text: String, _ codes: [ProblemCode], _ form: Operation.ErrorForm = .problem
    ) -> JSONValue {
        let examples = codes.map { JSONValue.string($0.description) }
        let schema: JSONValue = [
            "allOf": [reference("Problem"), ["properties": ["code": ["examples": .array(examples)]]]]
        ]
        var content: JSONObject = ["application/problem+json": ["schema": schema]]
        if form == .app { content["application/json"] = ["schema": reference("AppError")] }
        return ["description": .string(text), "content": .object(content)]
    }

    private static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// All documents, by path relative to the repository's root.
    ///
    /// - Parameter examples: for the page.
    package static func files(_ examples: OpenAPIExamples) -> [(path: String, text: String)] {
        let services: [ServiceName] = [.identity, .notifications, .quota, .reporting, .sessions]
        let page = [(path: "docs/api.html", text: OpenAPIPage.text(examples))]
        return page
            + ([nil] + services).map { service in
                let name = service.map { "openapi-\($0.rawValue)" } ?? "openapi"
                return ("docs/\(name).json", JSONValue.object(OpenAPIDocument(service).json).prettyText + "\n")
            }
    }
}
