package import HTTPClient
package import JSON
package import Primitives
import Runtime

/// A route's answer over a real port.
package struct Answer: Sendable {
    package let status: Int
    package let body: [UInt8]
    package let response: HTTPClientResponse

    init(_ response: HTTPClientResponse) {
        self.response = response
        status = response.status
        body = response.body
    }

    /// The body as a JSON object; empty when it is none.
    package var json: JSONObject { (try? JSONObject.parse(body)) ?? [:] }

    /// The stable code of a problem.
    package var code: String? { json["code"]?.stringValue }

    /// The first value of a header field.
    package func header(_ name: String) -> String? { response.header(name) }
}

extension ServiceUnderTest {
    /// Sends a request to an instance.
    ///
    /// - Parameters:
    ///   - path: a path, or a URL of the service.
    ///   - user: the caller; nil for a request without a token.
    /// - Throws: `HTTPClientError` if no answer arrives; `CryptoError` if the token cannot be signed.
    package func send(
        _ method: String = "GET", _ path: String, as user: UUID? = nil, headers: [(name: String, value: String)] = [],
        json: JSONValue? = nil, body: [UInt8]? = nil, to instance: Instance? = nil
    ) async throws -> Answer {
        var headers = headers
        if let user { headers.append(("Authorization", "Bearer \(try token(for: user))")) }
        let request = request(method, path, headers, json?.bytes ?? body, isJSON: json != nil, to: instance ?? first)
        let response = try await HTTPClient.shared.send(request)
        SeenAnswers.note(request, response)
        return Answer(response)
    }

    /// Sends a request to the first instance that fails because of what the test has broken: no description of the API has such an
    /// answer, so it is not held against it.
    ///
    /// - Throws: `HTTPClientError` if no answer arrives.
    package func sendInVain(
        _ method: String, _ path: String, headers: [(name: String, value: String)], json: JSONValue? = nil
    ) async throws -> Answer {
        let request = request(method, path, headers, json?.bytes, isJSON: json != nil, to: first)
        return Answer(try await HTTPClient.shared.send(request))
    }

    private func request(
        _ method: String, _ path: String, _ headers: [(name: String, value: String)], _ body: [UInt8]?, isJSON: Bool,
        to instance: Instance
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(
            method, path.hasPrefix("http") ? path : instance.url + path,
            headers: headers + (isJSON ? [(name: "Content-Type", value: "application/json")] : []),
            body: body.map { .bytes($0) } ?? .none)
        // Recordings come too.
        request.responseLimit = 8 << 20
        return request
    }

    /// Sends a request to the first instance's admin port.
    ///
    /// - Throws: `HTTPClientError` if no answer arrives.
    package func sendToAdmin(
        _ method: String, _ path: String, headers: [(name: String, value: String)] = [], json: JSONValue? = nil
    ) async throws -> Answer {
        let url = "http://127.0.0.1:\(first.adminPort)\(path)"
        let body: HTTPClientRequest.Body = json.map { .bytes($0.bytes) } ?? .none
        let fields = headers + (json == nil ? [] : [(name: "Content-Type", value: "application/json")])
        return Answer(try await HTTPClient.shared.send(HTTPClientRequest(method, url, headers: fields, body: body)))
    }
}
