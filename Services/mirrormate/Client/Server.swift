import HTTPClient
import JSON
import Primitives
import Runtime

/// The product's API as this client uses it.
@Loop final class Server {
    /// The origin, without a slash at its end.
    let url: String
    /// What a later command has to be told to speak as the same account to the same server, with a space before it: such as
    /// ` --email me@example.org`. Empty for the account that `submit` remembers, at the stack here.
    let again: String
    private var token: String?

    init(url: String, again: String = "") {
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.again = again
    }

    /// Carries the access token with every following request.
    func authorize(_ token: String) { self.token = token }

    /// Sends a JSON request and gives the JSON answer. Answers that say "not now" and broken connections are tried
    /// again; a request that creates something needs a `key`, so that it happens once.
    ///
    /// - Throws: a failure that carries the server's problem code.
    func call(_ method: String, _ path: String, _ body: JSONObject? = nil, key: UUID? = nil) async throws -> JSONObject
    {
        var headers = self.headers(accept: "application/json")
        if body != nil { headers.append(("Content-Type", "application/json")) }
        if let key { headers.append(("Idempotency-Key", key.description)) }
        var request = HTTPClientRequest(
            method, url + path, headers: headers, body: body.map { .bytes(JSONValue.object($0).bytes) } ?? .none)
        request.responseLimit = 16 << 20
        let response = try await sent(request)
        return (try? JSONObject.parse(response.body)) ?? JSONObject()
    }

    /// Sends a file to a signed address.
    func upload(
        _ file: String, to address: JSONValue, onProgress: @escaping @Loop (Int64, Int64) -> Void
    ) async throws {
        guard let target = address["url"]?.stringValue else {
            throw Failure(
                .failure, "no-upload", "The server gave no address for the upload.",
                advice: "Update the server or this client so that both know the same API.")
        }
        let headers = (address["headers"]?.objectValue?.members ?? []).compactMap { member in
            member.value.stringValue.map { (name: member.key, value: $0) }
        }
        let request = HTTPClientRequest(
            address["method"]?.stringValue ?? "PUT", target.hasPrefix("/") ? url + target : target, headers: headers,
            body: .file(path: file), onUpload: onProgress)
        _ = try await sent(request, deadline: .seconds(600))
    }

    /// Opens a stream of server-sent events, after the one with the given id.
    func events(_ path: String, after id: String?) async throws -> ServerEvents {
        var headers = self.headers(accept: "text/event-stream")
        if let id { headers.append(("Last-Event-ID", id)) }
        let stream = try await HTTPClient.shared.stream(HTTPClientRequest("GET", url + path, headers: headers))
        if stream.status != 200 {
            var body: [UInt8] = []
            while body.count < 65_536, let bytes = try await stream.next() { body += bytes }
            throw ServerProblem.failure(status: stream.status, body: body, again: again)
        }
        return ServerEvents(stream)
    }

    private func headers(accept: String) -> [(name: String, value: String)] {
        [("Accept", accept)] + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
    }

    private func sent(
        _ request: HTTPClientRequest, deadline: Duration = .seconds(30)
    ) async throws -> HTTPClientResponse {
        var attempt = 1
        var waits = 1
        while true {
            do {
                let response = try await HTTPClient.shared.send(request, deadline: deadline)
                if response.status < 300 { return response }
                // What is left of an upload that broke off has its lease for a quarter of a minute.
                if response.status == 409, ServerProblem.code(response.body) == "upload-in-progress", waits < 6 {
                    try await Loop.sleep(for: .seconds(5))
                    waits += 1
                    continue
                }
                guard [502, 503, 504].contains(response.status), attempt < 4 else {
                    throw ServerProblem.failure(
                        status: response.status, body: response.body, retryAfter: response.header("Retry-After"),
                        again: again)
                }
            } catch let error as HTTPClientError {
                guard error.isRetryable, attempt < 4 else {
                    throw Failure(
                        error.isRetryable ? .unavailable : .failure, error.code.rawValue, error.description,
                        advice: "`mirrormate status` says what runs; `mirrormate up` starts what is missing.")
                }
            }
            try await Loop.sleep(for: .milliseconds(500 << attempt))
            attempt += 1
        }
    }
}
