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

/// Runs a test with a sessions service that has its own object store.
///
/// - Parameters:
///   - storage: where the objects lie.
///   - background: whether read models are folded and work goes on by itself.
@Loop func withSessions(
    _ extra: [String: String] = [:], on storage: Storage = .folder, instances: Int = 1, background: Bool = true,
    _ body: @Loop (SessionsFixture) async throws -> Void
) async throws {
    let folder = TemporaryFolder()
    var variables = storage == .s3 ? try await S3Server.variables() : ["OBJECT_STORE": "file://\(folder.path)"]
    variables["UPLOAD_KEY"] = "an upload key of at least 16 characters"
    variables["QUOTA_WAIT"] = "20ms"
    variables.merge(extra) { $1 }
    try await withService(SessionsService.self, variables, instances: instances, background: background) { service in
        try await body(SessionsFixture(service, folder))
    }
}

/// The sessions service and the steps that most tests begin with.
@Loop final class SessionsFixture {
    let service: ServiceUnderTest<SessionsService>
    let folder: TemporaryFolder
    let user = UUID.v7()

    fileprivate init(_ service: ServiceUnderTest<SessionsService>, _ folder: TemporaryFolder) {
        self.service = service
        self.folder = folder
    }

    /// How many bytes lie in the store.
    func objects() async throws -> [String] {
        guard let store = service.first.objects else { return [] }
        return try await store.keys(under: "uploads/") + store.keys(under: "media/")
    }

    /// Waits for something that the service does in the background.
    func eventually(_ condition: @Loop () async throws -> Bool) async throws -> Bool {
        try await service.eventually(condition)
    }

    /// The smallest bytes that look like an MP4.
    static let video: [UInt8] = [0, 0, 0, 16] + Array("ftypisom".utf8) + [UInt8](repeating: 7, count: 4000)

    static let wish: JSONValue = [
        "kind": "mirrormate", "contentType": "video/mp4", "contentLength": .int(Int64(video.count)),
    ]

    /// Creates a session that waits for quota.
    func create(_ body: JSONValue = wish, key: String = UUID.v7().description) async throws -> UUID {
        let answer = try await service.send(
            "POST", "/v1/sessions", as: user, headers: [("Idempotency-Key", key)], json: body)
        return UUID(answer.json["id"]?.stringValue ?? "")!
    }

    /// Lets quota admit a session.
    func admit(_ id: UUID) async throws {
        try await service.deliver(
            QuotaReserved(
                SessionIdentity(sessionId: id, ownerId: user, kind: .mirrormate), plan: .free, limit: 1, used: 0,
                reserved: 1, windowEndsAt: .now() + .seconds(3600)))
    }

    func read(_ id: UUID) async throws -> JSONObject {
        try await service.send("GET", "/v1/sessions/\(id)", as: user).json
    }

    /// Puts bytes to a session's upload address.
    func upload(_ id: UUID, _ bytes: [UInt8] = video) async throws -> Answer {
        let url = try await read(id)["upload"]?["url"]?.stringValue ?? ""
        let path = url.replacing("http://127.0.0.1/", with: "/")
        return try await service.send("PUT", path, headers: [("Content-Type", "video/mp4")], body: bytes)
    }
}
