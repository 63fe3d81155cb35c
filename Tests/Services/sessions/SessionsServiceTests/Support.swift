import Contracts
import Crypto
import HTTPClient
import JSON
import ObjectStorage
import Primitives
import Runtime
import ServiceKit
import ServiceTesting

@testable import sessions

/// Where objects lie in a test.
enum Storage: String, CaseIterable {
    case folder, s3

    /// Without an S3 server its part is left out; the tests of object storage say so.
    static let there: [Storage] = S3Server.isThere ? allCases : [.folder]
}

/// The sessions service with an object store of its own, and the steps that most tests begin with.
@Loop final class SessionsFixture {
    let service: ServiceFixture<SessionsService>
    let folder = TemporaryFolder()
    let user = UUID.v7()

    /// - Parameter storage: where the objects lie.
    init(_ extra: [String: String] = [:], on storage: Storage = .folder) async throws {
        var variables = storage == .s3 ? try await S3Server.variables() : ["OBJECT_STORE": "file://\(folder.path)"]
        variables["UPLOAD_KEY"] = "an upload key of at least 16 characters"
        variables["QUOTA_WAIT"] = "20ms"
        variables.merge(extra) { $1 }
        service = try await ServiceFixture(SessionsService.self, environment: variables)
        try await service.parts.objects?.prepare()
    }

    /// How many bytes lie in the store.
    func objects() async throws -> [String] {
        guard let store = service.parts.objects else { return [] }
        return try await store.keys(under: "uploads/") + store.keys(under: "media/")
    }

    /// Waits for something that the service does by itself.
    func eventually(_ condition: @Loop () async throws -> Bool) async throws -> Bool {
        let deadline = monotonicNanoseconds() + 20_000_000_000
        while try await !condition() {
            if monotonicNanoseconds() > deadline { return false }
            try await Loop.sleep(for: .milliseconds(20))
        }
        return true
    }

    /// The smallest bytes that look like an MP4.
    static let video: [UInt8] = [0, 0, 0, 16] + Array("ftypisom".utf8) + [UInt8](repeating: 7, count: 4000)

    static let wish: JSONValue = [
        "kind": "mirrormate", "contentType": "video/mp4", "contentLength": .int(Int64(video.count)),
    ]

    /// Creates a session that waits for quota.
    func create(_ body: JSONValue = wish, key: String = UUID.v7().description) async throws -> UUID {
        let answer = try await service.call(
            "POST", "/v1/sessions", as: user, headers: [("Idempotency-Key", key)], json: body)
        return UUID(answer.json["id"]?.stringValue ?? "")!
    }

    /// Lets quota admit a session.
    func admit(_ id: UUID) async throws {
        try await service.deliver(
            QuotaReserved(
                SessionIdentity(sessionId: id, ownerId: user, kind: .mirrormate), plan: .free, limit: 1, used: 0,
                reserved: 1, windowEndsAt: .now() + .seconds(3600)), from: .quota)
    }

    func read(_ id: UUID) async throws -> JSONValue {
        try await service.call("GET", "/v1/sessions/\(id)", as: user).json
    }

    /// Puts bytes to a session's upload address.
    func upload(_ id: UUID, _ bytes: [UInt8] = video) async throws -> (status: Int, json: JSONValue) {
        let url = try await read(id)["upload"]?["url"]?.stringValue ?? ""
        let path = url.replacing("http://127.0.0.1/", with: "/")
        let answer = try await service.call("PUT", path, headers: [("Content-Type", "video/mp4")], bytes: bytes)
        return (answer.status, answer.json)
    }
}
