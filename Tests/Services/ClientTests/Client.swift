import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The API as an app's own code would use it: Foundation alone, every answer decoded with `Codable`.
struct Client: Sendable {
    var base: String
    var token: String?
    /// Keeps cookies as an app's does, but not beyond this process.
    private let session = URLSession(configuration: .ephemeral)

    init(base: String, token: String? = nil) {
        self.base = base
        self.token = token
    }

    /// Sends a request and decodes its answer; one of 400 and above is thrown as the problem that it is.
    func send<Answer: Decodable>(
        _ method: String, _ path: String, _ body: (any Encodable & Sendable)? = nil, key: String? = nil
    ) async throws -> Answer {
        let (data, status) = try await bytes(method, path, body.map { try JSONEncoder().encode($0) }, key: key)
        return try Self.decode(data, status)
    }

    /// Sends bytes to an upload's address.
    func upload(_ bytes: Data, to upload: SessionAnswer.Upload) async throws -> UploadAnswer {
        var request = URLRequest(
            url: URL(string: upload.url.replacingOccurrences(of: "http://127.0.0.1/", with: base + "/"))!)
        request.httpMethod = upload.method
        for (name, value) in upload.headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await session.upload(for: request, from: bytes)
        return try Self.decode(data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }

    /// The events of a stream that has an end, each decoded.
    func events(_ path: String) async throws -> [SessionAnswer] {
        let (data, _) = try await bytes("GET", path, nil)
        return try String(decoding: data, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("data: ") }
            .map { try Self.decode(Data($0.dropFirst(6).utf8), 200) }
    }

    private func bytes(_ method: String, _ path: String, _ body: Data?, key: String? = nil) async throws -> (Data, Int)
    {
        var request = URLRequest(url: URL(string: base + path)!)
        request.httpMethod = method
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let key { request.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
        if let body {
            request.httpBody = body
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await session.data(for: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }

    private static func decode<Answer: Decodable>(_ data: Data, _ status: Int) throws -> Answer {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
        }
        if status >= 400 { throw try decoder.decode(ProblemAnswer.self, from: data) }
        return try decoder.decode(Answer.self, from: data)
    }
}
