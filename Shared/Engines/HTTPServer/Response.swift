package import JSON
import Runtime

/// A response to a request.
package struct Response: Sendable {
    /// The body.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        case stream(StreamBody)
    }

    /// A body that is written piece by piece as the client reads it.
    package struct StreamBody: Sendable {
        /// The number of bytes, if known in advance; otherwise the body is chunked.
        package var length: Int64?
        /// Whether the stream ends as soon as the server drains; its client is expected to reconnect.
        package var endsOnDrain: Bool
        /// Writes the body; an error breaks the connection, so that the client notices the truncation.
        package var write: @Loop (ResponseWriter) async throws -> Void

        package init(
            length: Int64? = nil, endsOnDrain: Bool = false,
            write: @escaping @Loop (ResponseWriter) async throws -> Void
        ) {
            self.length = length
            self.endsOnDrain = endsOnDrain
            self.write = write
        }
    }

    package var status: Int
    /// The header fields. `Content-Length`, `Transfer-Encoding`, `Connection` and `Date` are set by the server and ignored
    /// here.
    package var headers: Headers
    package var body: Body

    package init(status: Int = 200, headers: Headers = [:], body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A JSON document.
    package static func json(_ value: JSONValue, status: Int = 200, headers: Headers = [:]) -> Response {
        bytes(value.bytes, contentType: "application/json", status: status, headers: headers)
    }

    /// A string in UTF-8.
    package static func text(
        _ text: String, contentType: String = "text/plain; charset=utf-8", status: Int = 200, headers: Headers = [:]
    ) -> Response {
        bytes(Array(text.utf8), contentType: contentType, status: status, headers: headers)
    }

    /// Bytes with a media type.
    package static func bytes(
        _ bytes: [UInt8], contentType: String, status: Int = 200, headers: Headers = [:]
    ) -> Response {
        var response = Response(status: status, headers: headers, body: .bytes(bytes))
        response.headers["Content-Type"] = contentType
        return response
    }

    /// A body that is written while it is being sent.
    package static func stream(
        contentType: String, length: Int64? = nil, status: Int = 200, headers: Headers = [:],
        _ write: @escaping @Loop (ResponseWriter) async throws -> Void
    ) -> Response {
        var response = Response(
            status: status, headers: headers, body: .stream(StreamBody(length: length, write: write)))
        response.headers["Content-Type"] = contentType
        return response
    }

    /// Server-sent events (HTML standard, section 9.2): not cached, not buffered by nginx, ended when the server drains.
    package static func events(_ write: @escaping @Loop (ResponseWriter) async throws -> Void) -> Response {
        Response(
            headers: [
                "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
            ],
            body: .stream(StreamBody(endsOnDrain: true, write: write)))
    }

    /// A problem document.
    package static func problem(_ problem: Problem, instance: String? = nil) -> Response {
        var response = json(problem.json(instance: instance), status: problem.status, headers: problem.headers)
        response.headers["Content-Type"] = "application/problem+json"
        return response
    }

    /// 204.
    package static let noContent = Response(status: 204)
}
