import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Problem {
    /// The body of a good answer.
    ///
    /// - Throws: the problem that it is otherwise.
    static func check(_ body: Data, _ response: URLResponse) throws -> Data {
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        guard (200..<300).contains(response.statusCode) else { throw Problem(body, response) }
        return body
    }

    init(_ body: Data, _ response: HTTPURLResponse) {
        do {
            self = try Documents.decode(from: body)
        } catch {
            // Not from the API, but from something on the way.
            self.init(status: response.statusCode)
        }
        retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }.map { .seconds($0) }
    }

    private init(status: Int) {
        type = "about:blank"
        title = "The server answered with status \(status)."
        self.status = status
        detail = "Try again later."
        code = Code(rawValue: "http-\(status)")
        (traceId, resetsAt, heldBy, ticket) = (nil, nil, nil, nil)
    }
}
