import JSON

/// A route as somebody calls it in Swift, with nothing but Foundation. `server`, `token`, `appToken`, `file` and what stands in the
/// path or in the query are the caller's; a test compiles all of them.
struct OpenAPISwiftCall {
    let text: String

    init(_ operation: Operation) {
        let query = operation.parameters.filter { $0.place == "query" && $0.isRequired }
            .map { "\($0.name)=\\(\($0.name))" }
        let path = operation.path.replacing("{", with: "\\(").replacing("}", with: ")")
        let address = "\\(server)\(path)\(query.isEmpty ? "" : "?\(query.joined(separator: "&"))")"
        var settings: [String] = []
        if operation.method != "GET" { settings.append("request.httpMethod = \"\(operation.method)\"") }
        switch operation.caller {
        case .anybody: break
        case .user, .either: settings.append(Self.header("Authorization", "\"Bearer \\(token)\""))
        case .app: settings.append(Self.header("Authorization", "\"Bearer \\(appToken)\""))
        }
        for header in operation.parameters where header.place == "header" && header.isRequired {
            settings.append(
                Self.header(header.name, header.name == "Idempotency-Key" ? "UUID().uuidString" : "\"…\""))
        }
        if operation.fileTypes == nil, let body = operation.body,
            let schema = Schemas.all.first(where: { $0.0 == body })?.1
        {
            settings.append(Self.header("Content-Type", "\"application/json\""))
            settings.append("request.httpBody = Data(#\"\(SchemaWords.example(schema).text)\"#.utf8)")
        }
        let call =
            operation.fileTypes == nil
            ? "URLSession.shared.data(for: request)" : "URLSession.shared.upload(for: request, fromFile: file)"
        var lines = ["\(settings.isEmpty ? "let" : "var") request = URLRequest(url: URL(string: \"\(address)\")!)"]
        lines += settings
        if operation.answers.contains(where: { $0.contentType == "text/event-stream" }) {
            lines.append("// All events, once it is over; Examples/ios-client reads them as they come.")
        }
        lines.append("let (answer, response) = try await \(call)")
        text = lines.joined(separator: "\n")
    }

    private static func header(_ name: String, _ value: String) -> String {
        "request.setValue(\(value), forHTTPHeaderField: \"\(name)\")"
    }
}
