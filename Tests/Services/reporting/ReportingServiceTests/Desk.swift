import Contracts
import Crypto
import EventConsumer
import EventStore
import JSON
import ObjectStorage
import Primitives
import Runtime
import ServiceKit
import ServiceTesting

import class Foundation.FileManager

@testable import reporting

/// The reporting service with a folder of documents, and everything that other services send it.
@Loop final class Desk {
    typealias Group = ServiceUnderTest<ReportingService>

    let group: Group
    let folder: String
    var topic = TestTopic()

    private init(_ group: Group, _ folder: String) {
        self.group = group
        self.folder = folder
    }

    /// Runs a test with its own service and folder.
    static func run(_ variables: [String: String] = [:], _ body: @Loop (Desk) async throws -> Void) async throws {
        let folder = "/tmp/mirrormate-reports-\(UUID.v4())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let all = variables.merging(["OBJECT_STORE": "file://\(folder)"]) { $1 }
        try await withService(ReportingService.self, all) { group in
            try await body(Desk(group, folder))
        }
    }

    /// A ready report of a speaker who says `text`.
    nonisolated static func report(_ text: String = "Good morning", score: Int64 = 82) -> JSONObject {
        [
            "durationSec": 28, "confidenceScore": .int(score), "impressionTags": ["confident"],
            "fillerWords": ["um": 3, "like": 1], "gaze": ["eyeContactPct": 0.75],
            "vocalAnalysis": ["paceWordsPerMin": 150], "transcript": ["text": .string(text), "words": []],
        ]
    }

    /// Puts a document into the store, as analysis does.
    func store(_ report: JSONObject = Desk.report()) async throws -> DocumentReference {
        try await store(bytes: JSONValue.object(["report": .object(report)]).bytes)
    }

    func store(bytes: [UInt8]) async throws -> DocumentReference {
        let key = "documents/\(UUID.v4())"
        try await FileObjectStore(root: folder).write(bytes, to: key)
        return DocumentReference(key: key, sha256: Hex.encode(SHA256.digest(bytes)), sizeBytes: Int64(bytes.count))
    }

    /// The document of what was measured.
    nonisolated static func measured(_ measured: JSONObject) -> [UInt8] {
        JSONValue.object(["brief": [:], "measured": .object(measured)]).bytes
    }

    /// Tells the service that an analysis is done.
    @discardableResult
    func measure(_ session: UUID, of owner: UUID, _ document: DocumentReference) async throws -> Bool {
        try await group.deliver(
            topic.message(
                AnalysisCompletedV2(
                    SessionReference(sessionId: session, ownerId: owner), attempt: 1, document: document,
                    durationMs: 8_000)))
    }

    /// Tells the service that an analysis is done that made the report itself, as they did before there were measurements.
    @discardableResult
    func complete(_ session: UUID, of owner: UUID, _ document: DocumentReference) async throws -> Bool {
        try await group.deliver(
            topic.message(
                AnalysisCompleted(
                    SessionReference(sessionId: session, ownerId: owner), attempt: 1, document: document,
                    durationMs: 8_000)))
    }

    /// Tells the service that a session is removed.
    @discardableResult
    func delete(_ session: UUID, of owner: UUID) async throws -> Bool {
        try await group.deliver(
            topic.message(
                SessionDeleted(
                    SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate), wasComplete: true)))
    }

    /// A new ready report of an owner; its session.
    func written(for owner: UUID, _ report: JSONObject = Desk.report()) async throws -> UUID {
        let session = UUID.v7()
        try await complete(session, of: owner, store(report))
        return session
    }

    /// What was published of a session, in order: the messages' names.
    func published(_ session: UUID) async throws -> [String] {
        try await group.first.store.read(Report.stream(session))
            .compactMap { try ReportingService.publication($0)?.type.name }
    }

    func read(_ session: UUID, as owner: UUID) async throws -> Answer {
        try await group.send("GET", "/v1/reports/\(session)", as: owner)
    }

    func history(_ query: String = "", as owner: UUID) async throws -> Answer {
        try await group.fold(ReportProjection.self)
        return try await group.send("GET", "/v1/reports\(query)", as: owner)
    }
}

extension Answer {
    /// The sessions of a page of history, in order.
    var sessions: [UUID] {
        (json["items"]?.arrayValue ?? []).compactMap { $0["sessionId"]?.stringValue.flatMap { UUID($0) } }
    }
}
