import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing
import TestingTools

@testable import sessions

/// The Swift SDK's own models, member for member and type for type.
private struct SDKUpload: Decodable {
    let Key: String
    let Id: String
}

private struct SDKSignedUpload: Decodable {
    let url: String
}

private struct SDKSignedAddress: Decodable {
    let signedURL: String?
    let error: String?
}

private struct SDKFile: Decodable {
    let name: String
    let bucket_id: String?
    let owner: String?
    let id: String?
    let updated_at: SDKMoment?
    let created_at: SDKMoment?
    let last_accessed_at: SDKMoment?
    let metadata: [String: SDKValue]?
}

private struct SDKInfo: Decodable {
    let id: String
    let version: String
    let name: String
    let bucket_id: String?
    let updated_at: SDKMoment?
    let created_at: SDKMoment?
    let last_accessed_at: SDKMoment?
    let size: Int?
    let cache_control: String?
    let content_type: String?
    let etag: String?
    let last_modified: SDKMoment?
    let metadata: [String: SDKValue]?
}

private struct SDKBucket: Decodable {
    let id: String
    let name: String
    let owner: String
    let `public`: Bool
    let created_at: SDKMoment
    let updated_at: SDKMoment
    let allowed_mime_types: [String]?
    let file_size_limit: Int64?
}

/// With a number for the status the SDK knows no error at all.
private struct SDKStorageError: Decodable {
    let statusCode: String?
    let message: String
    let error: String?
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `The models of the Swift SDK's storage` {
    private func decode<T: Decodable>(_: T.Type, _ answer: Answer) throws -> T {
        try AppDecoding.decode(T.self, answer.body)
    }

    @Test func `decode every answer`() async throws {
        try await withSessions { fixture in
            let client = try await CompatibleClient(fixture)
            let id = try await client.admitted(of: fixture.user)
            let (path, place) = ("\(id).mp4", "/storage/v1/object")
            func send(_ method: String, _ what: String, _ json: JSONValue? = nil) async throws -> Answer {
                try await client.send(method, "\(place)/\(what)", as: fixture.user, json: json)
            }
            let signed = try decode(SDKSignedUpload.self, try await send("POST", "upload/sign/videos/\(path)"))
            let put = try await client.put("PUT", signed.url, SessionsFixture.video)
            #expect(put.json["Key"] == .string("videos/\(path)"))
            let stored = try await client.put(
                "POST", "/object/videos/\(path)", SessionsFixture.video, as: fixture.user, [("x-upsert", "true")])
            #expect(try decode(SDKUpload.self, stored).Id == id.description)
            let info = try decode(SDKInfo.self, try await send("GET", "info/videos/\(path)"))
            #expect(info.size == SessionsFixture.video.count && info.etag != nil)
            let list = try decode(
                [SDKFile].self, try await send("POST", "list/videos", ["prefix": "", "limit": 100, "offset": 0]))
            #expect(list.map(\.name) == [path])
            let address = try decode(
                SDKSignedAddress.self, try await send("POST", "sign/videos/\(path)", ["expiresIn": 60]))
            #expect(address.signedURL?.hasPrefix("/object/sign/") == true)
            let several = try decode(
                [SDKSignedAddress].self,
                try await send("POST", "sign/videos", ["expiresIn": 60, "paths": [.string(path), "other.mp4"]]))
            #expect(several.map { $0.signedURL == nil } == [false, true])
            #expect(several.map { $0.error == nil } == [true, false])
            let removed = try decode(
                [SDKFile].self, try await send("DELETE", "videos", ["prefixes": [.string(path)]]))
            #expect(removed.map(\.name) == [path])
            let buckets = try decode(
                [SDKBucket].self, try await client.send("GET", "/storage/v1/bucket", as: fixture.user))
            #expect(buckets.map(\.id) == ["videos"] && buckets.allSatisfy { !$0.public })
            let missing = try decode(SDKStorageError.self, try await send("GET", "videos/\(path)"))
            #expect(missing.statusCode == "404" && missing.error == "not_found")
            let nowhere = try decode(SDKStorageError.self, try await client.send("GET", "/storage/v1/nowhere"))
            #expect(nowhere.statusCode == "404")
            let keyless = try decode(SDKStorageError.self, try await fixture.service.send("GET", "\(place)/videos/a"))
            #expect(keyless.statusCode == "401")
        }
    }
}
