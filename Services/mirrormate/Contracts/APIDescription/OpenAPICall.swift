import JSON

/// A route as somebody calls it in a shell.
struct OpenAPICall {
    let text: String

    init(_ operation: Operation) {
        var words = ["curl --fail-with-body"]
        if operation.method != "GET" { words.append("--request \(operation.method)") }
        switch operation.caller {
        case .anybody: break
        case .user, .either: words.append("--header \"Authorization: Bearer $TOKEN\"")
        case .app: words.append("--header \"Authorization: Bearer $APP_TOKEN\"")
        }
        for header in operation.parameters where header.place == "header" && header.isRequired {
            words.append("--header '\(header.name): …'")
        }
        if operation.fileTypes != nil {
            words.append("--upload-file FILE")
        } else if let body = operation.body, let schema = Schemas.all.first(where: { $0.0 == body })?.1 {
            words.append("--header 'Content-Type: application/json' --data '\(SchemaWords.example(schema).text)'")
        }
        let query = operation.parameters.filter { $0.place == "query" && $0.isRequired }.map { "\($0.name)=…" }
        let path = operation.path.replacing("{", with: "$").replacing("}", with: "")
        words.append("\"$MIRRORMATE_URL\(path)\(query.isEmpty ? "" : "?\(query.joined(separator: "&"))")\"")
        text = words.joined(separator: " ")
    }
}
