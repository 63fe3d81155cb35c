import Configuration
import HTTPClient
import Runtime

/// Objects in a bucket of any S3 server. libcurl signs every request; only ``ObjectStore/read(_:limit:)`` holds a whole
/// object in memory.
package struct S3ObjectStore: ObjectStore {
    /// The pauses between attempts of a request that can be repeated.
    private static let pauses: [Duration] = [.milliseconds(100), .milliseconds(500)]

    let settings: S3Settings
    private let keysInAnAnswer: Int

    /// - Parameter keysInAnAnswer: how many keys to request at a time, 1 to 1000.
    package init(_ settings: S3Settings, keysInAnAnswer: Int = 1_000) {
        self.settings = settings
        self.keysInAnAnswer = keysInAnAnswer
    }

    package func prepare(writing prefixes: [String]) async throws {
        // Not HEAD, which needs the right to list what others have there.
        let found = try await ask("GET", "", query: "location=")
        if found.isSuccess { return }
        guard found.status == 404 else { throw found.error() }
        let place =
            settings.region == "us-east-1"
            ? ""
            : "<CreateBucketConfiguration><LocationConstraint>\(settings.region)</LocationConstraint></CreateBucketConfiguration>"
        let made = try await ask("PUT", "", body: .bytes(Array(place.utf8)))
        // Another instance may have been faster.
        guard made.isSuccess || made.errorCode == "BucketAlreadyOwnedByYou" else { throw made.error() }
    }

    package func makeWriter(_ key: String, size: Int64) async throws -> any ObjectWriter {
        let path = try path(key)
        return S3ObjectWriter(size: size) { body in
            request("PUT", path, body: body, headers: [("Content-Type", "application/octet-stream")])
        } remove: {
            try await delete(key)
        }
    }

    package func read(_ key: String, limit: Int) async throws -> [UInt8] {
        do {
            // Errors have a body too, whatever the object's size.
            let answer = try await ask("GET", try path(key), responseLimit: max(limit, 65_536))
            guard answer.isSuccess else { throw answer.error(key) }
            guard answer.body.count <= limit else { throw ObjectStoreError.tooLarge(key) }
            return answer.body
        } catch let error as HTTPClientError where error.code == .answerTooLarge {
            throw ObjectStoreError.tooLarge(key)
        }
    }

    package func read(_ key: String, from offset: Int64, count: Int) async throws -> [UInt8] {
        let range = ("Range", "bytes=\(offset)-\(offset + Int64(count) - 1)")
        do {
            let answer = try await ask("GET", try path(key), headers: [range], responseLimit: max(count, 65_536))
            // Beyond the object's end.
            if answer.status == 416 { return [] }
            guard answer.isSuccess else { throw answer.error(key) }
            guard answer.status == 206, answer.body.count <= count else {
                throw ObjectStoreError.misconfigured("S3_ENDPOINT names a server that gives no parts of objects.")
            }
            return answer.body
        } catch let error as HTTPClientError where error.code == .answerTooLarge {
            throw ObjectStoreError.misconfigured("S3_ENDPOINT names a server that gives no parts of objects.")
        }
    }

    package func withFile<T: Sendable>(
        _ key: String, in folder: String, _ work: (String) async throws -> T
    ) async throws -> T {
        let request = request("GET", try path(key))
        let name = key.split(separator: "/").last.map(String.init) ?? "object"
        let file = "\(folder)/\(name)"
        let download = try await Self.translating { try await HTTPClient.shared.stream(request) }
        if download.status != 200 {
            var body: [UInt8] = []
            while body.count < 65_536, let bytes = try await Self.translating({ try await download.next() }) {
                body += bytes
            }
            throw S3Answer(status: download.status, body: body).error(key)
        }
        return try await TemporaryFile.with(file) { file in
            while let bytes = try await Self.translating({ try await download.next() }) { try await file.append(bytes) }
        } use: {
            try await work(file)
        }
    }

    /// Copies and deletes, as S3 has no rename. A retry after a crash finishes what is left.
    ///
    /// - Throws: as ``ObjectStore/move(_:to:)``.
    package func move(_ key: String, to newKey: String) async throws {
        let from = try path(key)
        let to = try path(newKey)
        let copied = try await ask("PUT", to, headers: [("x-amz-copy-source", "/\(settings.bucket)\(from)")])
        // A copy that fails midway reports that in the body of a 200.
        if !copied.isSuccess || copied.errorCode != nil {
            let error = copied.error(key)
            guard case .missing = error, try await ask("HEAD", to).isSuccess else { throw error }
            return
        }
        try await delete(key)
    }

    package func delete(_ key: String) async throws {
        let answer = try await ask("DELETE", try path(key))
        guard answer.isSuccess || answer.status == 404 else { throw answer.error() }
    }

    package func keys(under prefix: String) async throws -> [String] {
        _ = try path(prefix + "x")
        var found: [String] = []
        var continuation: String?
        repeat {
            var query = continuation.map { "continuation-token=\(Self.encode($0))&" } ?? ""
            query += "list-type=2&max-keys=\(keysInAnAnswer)&prefix=\(Self.encode(settings.prefix + prefix))"
            let answer = try await ask("GET", "/", query: query, responseLimit: 8 << 20)
            guard answer.isSuccess else { throw answer.error() }
            found += answer.elements("Key").map { String($0.dropFirst(settings.prefix.count)) }
            continuation = answer.elements("NextContinuationToken").first
        } while continuation != nil
        return found.sorted()
    }

    // MARK: Requests

    private func path(_ key: String) throws(ObjectStoreError) -> String {
        try ObjectKey.check(key)
        return "/\(settings.prefix)\(key)"
    }

    private func request(
        _ method: String, _ path: String, query: String = "", body: HTTPClientRequest.Body = .none,
        headers: [(name: String, value: String)] = []
    ) -> HTTPClientRequest {
        let tail = query.isEmpty ? "" : "?\(query)"
        // The payload is unsigned: its hash is not known before it has been sent.
        var request = HTTPClientRequest(
            method, settings.bucketURL + (path.isEmpty ? "/" : path) + tail,
            headers: headers + [("x-amz-content-sha256", "UNSIGNED-PAYLOAD")], body: body)
        request.signature = HTTPClientRequest.Signature(
            accessKey: settings.accessKey, secretKey: settings.secretKey.reveal(), region: settings.region,
            service: "s3")
        return request
    }

    /// Sends a repeatable request, with retries while the server is unavailable.
    func ask(
        _ method: String, _ path: String, query: String = "", body: HTTPClientRequest.Body = .none,
        headers: [(name: String, value: String)] = [], responseLimit: Int = 1 << 20
    ) async throws -> S3Answer {
        var request = request(method, path, query: query, body: body, headers: headers)
        request.responseLimit = responseLimit
        var pauses = Self.pauses[...]
        while true {
            let result: Result<S3Answer, any Error>
            do {
                let sent = request
                let answer = S3Answer(try await Self.translating { try await HTTPClient.shared.send(sent) })
                if answer.status < 500, answer.status != 429 { return answer }
                result = .success(answer)
            } catch let error as ObjectStoreError where error.isRetryable {
                result = .failure(error)
            }
            guard let pause = pauses.popFirst() else { return try result.get() }
            try await Loop.sleep(for: pause)
        }
    }

    /// Translates the HTTP client's errors into the store's.
    static func translating<T: Sendable>(_ work: @Loop () async throws -> T) async throws -> T {
        do {
            return try await work()
        } catch let error as HTTPClientError where error.isRetryable {
            throw ObjectStoreError.unavailable(error.description)
        } catch let error as HTTPClientError where error.code == .untrusted || error.code == .invalidRequest {
            throw ObjectStoreError.misconfigured("S3_ENDPOINT cannot be used: \(error.description)")
        } catch is DeadlineExceeded {
            throw ObjectStoreError.unavailable("the S3 server took too long; try again.")
        }
    }

    /// Percent-encodes as signatures require: everything but unreserved characters.
    private static func encode(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.append(Character(Unicode.Scalar(byte)))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }
}
