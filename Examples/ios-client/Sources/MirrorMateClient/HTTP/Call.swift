import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request as it is meant, before it has a server and a token.
struct Call: Sendable {
    var method: String
    var path: String
    var query: [URLQueryItem] = []
    var headers: [String: String] = [:]
    var body: Data?
    /// Whether sending it twice does the same as once, so that it may be sent again after a lost connection.
    var isRepeatable: Bool

    static func get(_ path: String, _ query: [String: String?] = [:]) -> Call {
        let items = query.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        return Call(method: "GET", path: path, query: items, isRepeatable: true)
    }

    static func post(_ path: String, _ body: some Encodable, isRepeatable: Bool = false) throws -> Call {
        Call(
            method: "POST", path: path, headers: ["Content-Type": "application/json"],
            body: try Documents.encode(body), isRepeatable: isRepeatable)
    }

    /// A request without a body; whoever sends one twice finds it done.
    static func act(_ method: String, _ path: String) -> Call {
        Call(method: method, path: path, isRepeatable: true)
    }

    /// What it is at a server, for somebody.
    func request(at server: URL, token: String?) -> URLRequest {
        var url = server.appending(path: path)
        if !query.isEmpty { url.append(queryItems: query) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        return request
    }
}

extension UUID {
    /// As the API writes it.
    var inPath: String { uuidString.lowercased() }
}
