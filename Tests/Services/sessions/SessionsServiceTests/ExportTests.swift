import Contracts
import EventStore
import JSON
import ObjectStorage
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import sessions

@Suite(.timeLimit(.minutes(2))) @Loop struct `The part of sessions in an export` {
    @Test(arguments: Storage.there)
    func `has the sessions and the recordings that are not removed yet`(storage: Storage) async throws {
        try await withSessions(on: storage) { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            #expect(try await fixture.upload(id).status == 200)
            try await fixture.service.foldAll()
            let asked = ExportRequested(exportId: .v7(), ownerId: fixture.user, deadline: .now() + .seconds(600))
            try await fixture.service.deliver(asked)
            let event = try #require(try await fixture.service.store.read(ExportPartEvent.stream(asked.exportId)).first)
            let out = try #require(try SessionsService.publication(event))
            let index = try #require(try ExportPartWritten(out.data).index)
            let objects = try #require(fixture.service.first.objects)
            let files = try ExportIndex.files(try await objects.read(index.key, limit: 1 << 20))
            #expect(files.allSatisfy { $0.isPart(of: asked.exportId, owner: fixture.user, by: "sessions") })

            let recording = try #require(files.first { $0.name == "sessions/recordings/\(id).mp4" })
            let bytes = try await objects.read(recording.key, limit: 1 << 20)
            #expect(bytes == SessionsFixture.video && recording.crc32 == Int64(CRC32.checksum(bytes)))
            let table = try #require(files.first { $0.name == "sessions/sessions.json" })
            let rows = try JSONObject.parse(try await objects.read(table.key, limit: 1 << 20)).array("rows")
            #expect(rows.map { $0["id"] } == [.uuid(id)])
            #expect(rows[0]["recording"] == .string("recordings/\(id).mp4"))
            #expect(files.contains { $0.name == "sessions/practice-sessions.csv" })
            // In pieces too, as an archive reads it.
            let piece = try await objects.read(recording.key, from: 4, count: 8)
            #expect(piece == Array(SessionsFixture.video[4..<12]))
            #expect(try await objects.read(recording.key, from: recording.sizeBytes, count: 8) == [])

            try await fixture.service.deliver(ExportClosed(exportId: asked.exportId, ownerId: fixture.user))
            #expect(try await fixture.eventually { try await objects.keys(under: "export-sessions/").isEmpty })
            #expect(try await fixture.objects().count == 1, "the recording itself stays")
        }
    }
}
