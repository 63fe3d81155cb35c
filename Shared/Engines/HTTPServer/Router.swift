package import Runtime

/// Answers a request, or throws a ``Problem`` (any other error becomes a 500).
package typealias Handler = @Loop (Request) async throws -> Response

/// Wraps every handler: acts before or after `next`, or answers itself.
package typealias Middleware = @Loop (_ request: Request, _ next: Handler) async throws -> Response

/// Finds the handler for a request.
///
/// A pattern is a path whose segments may be variables: `{id}` in `/v1/sessions/{id}` matches one segment, `{key...}` in
/// `/media/{key...}` matches all remaining segments, at least one. A fixed segment takes precedence over a variable.
@Loop package final class Router {
    private struct Route {
        let pattern: String
        let names: [String]
        let handler: Handler
    }

    private final class Node {
        var fixed: [String: Node] = [:]
        var variable: Node?
        var rest: [String: Route] = [:]
        var routes: [String: Route] = [:]
    }

    private let root = Node()
    private var middlewares: [Middleware] = []
    /// All routes in the order they were added.
    package private(set) var routes: [(method: String, pattern: String)] = []

    package init() {}

    /// Adds a middleware; the first one added is the outermost. It also sees requests that match no route.
    package func use(_ middleware: @escaping Middleware) { middlewares.append(middleware) }

    /// Adds a route. HEAD is answered by GET's handler. A second handler for a method and pattern is a programming error.
    package func on(_ method: String, _ pattern: String, _ handler: @escaping Handler) {
        var node = root
        var names: [String] = []
        let segments = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        precondition(pattern.hasPrefix("/"), "The pattern \(pattern) must begin with a slash.")
        routes.append((method, pattern))
        for (index, segment) in segments.enumerated() {
            guard segment.hasPrefix("{"), segment.hasSuffix("}") else {
                let next = node.fixed[segment] ?? Node()
                node.fixed[segment] = next
                node = next
                continue
            }
            let name = String(segment.dropFirst().dropLast())
            if name.hasSuffix("...") {
                precondition(index == segments.count - 1, "A rest variable must be the last segment of \(pattern).")
                names.append(String(name.dropLast(3)))
                precondition(node.rest[method] == nil, "\(method) \(pattern) has two handlers.")
                node.rest[method] = Route(pattern: pattern, names: names, handler: handler)
                return
            }
            names.append(name)
            let next = node.variable ?? Node()
            node.variable = next
            node = next
        }
        precondition(node.routes[method] == nil, "\(method) \(pattern) has two handlers.")
        node.routes[method] = Route(pattern: pattern, names: names, handler: handler)
    }

    /// Answers a request through the middlewares.
    func respond(to request: Request, segments: [String]) async throws -> Response {
        var request = request
        let handler: Handler
        switch find(segments[...], method: request.method, node: root, values: []) {
        case (let (route, values))?:
            if let chosen = route[request.method] ?? (request.method == "HEAD" ? route["GET"] : nil) {
                request.route = chosen.pattern
                request.parameters.values = zip(chosen.names, values).map { ($0, $1) }
                handler = chosen.handler
            } else {
                request.route = route.values.first?.pattern
                let problem = Self.methodNotAllowed(Array(route.keys))
                handler = { _ in throw problem }
            }
        case nil: handler = { _ in throw Problem.notFound }
        }
        return try await answer(request, handler)
    }

    /// Answers a request for which no route is looked: a middleware may write the problem in a form of its own.
    func refuse(_ request: Request, with problem: Problem) async throws -> Response {
        try await answer(request) { _ in throw problem }
    }

    /// Answers through the middlewares.
    private func answer(_ request: Request, _ handler: @escaping Handler) async throws -> Response {
        var handler = handler
        for middleware in middlewares.reversed() {
            let next = handler
            handler = { request in try await middleware(request, next) }
        }
        return try await handler(request)
    }

    private func find(
        _ segments: ArraySlice<String>, method: String, node: Node, values: [String]
    ) -> (routes: [String: Route], values: [String])? {
        guard let segment = segments.first else { return node.routes.isEmpty ? nil : (node.routes, values) }
        let following = segments.dropFirst()
        if let next = node.fixed[segment], let found = find(following, method: method, node: next, values: values) {
            return found
        }
        if !segment.isEmpty, let next = node.variable,
            let found = find(following, method: method, node: next, values: values + [segment])
        {
            return found
        }
        if !node.rest.isEmpty, !segment.isEmpty {
            return (node.rest, values + [segments.joined(separator: "/")])
        }
        return nil
    }

    private static func methodNotAllowed(_ methods: [String]) -> Problem {
        let all = Set(methods + (methods.contains("GET") ? ["HEAD"] : [])).sorted()
        return Problem(
            .methodNotAllowed, detail: "Use one of: \(all.joined(separator: ", ")).",
            headers: ["Allow": all.joined(separator: ", ")])
    }
}
