package import Observability

/// A request with a complete, well-formed head.
package struct Request: Sendable {
    /// The method as sent; methods are case-sensitive.
    package let method: String
    /// The path as sent, still percent-encoded, without the query.
    package let path: String
    /// The decoded pairs of the query, in order.
    package let query: [(name: String, value: String)]
    package let headers: Headers
    /// The body, which the handler pulls.
    package let body: RequestBody
    /// The client's numeric address.
    package let remoteAddress: String
    /// The values of the pattern's variables, decoded.
    package var parameters = PathParameters()
    /// The pattern that matched, such as `/v1/sessions/{id}`; nil if none did.
    package var route: String?
    /// This request's span: a child of the client's, or the start of a new trace.
    package var trace: TraceContext

    /// The first value of a query parameter.
    package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// The values of a route's variables.
package struct PathParameters: Sendable {
    var values: [(name: String, value: String)] = []

    package init() {}

    /// The value of a variable of the matched pattern, decoded.
    package subscript(_ name: String) -> String? { values.first { $0.name == name }?.value }
}
