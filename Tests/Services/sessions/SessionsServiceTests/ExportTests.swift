import Contracts
import EventConsumer
import EventStore
import JSON
import ObjectStorage
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import sessions

extension SessionsFixture {
    /// Asks for an export, and gives the files of the part that the service writes.
    fileprivate func exported() async throws -> (asked: ExportRequested, files: [ExportFile]) {
        let asked = ExportRequested(exportId: .v7(), ownerId: user, deadline: .now() + .seconds(600))
        try await service.foldAll()
        try await service.deliver(asked)
        let index = try #require(try await service.exportPart(of: asked.exportId)?.index)
        let objects = try #require(service.first.objects)
        return (asked, try ExportIndex.files(try await objects.read(index.key, limit: 1 << 20)))
    }

    /// The rows of a table of an export.
    fileprivate func rows(_ name: String, of files: [ExportFile]) async throws -> [JSONValue] {
        let table = try #require(files.first { $0.name == "sessions/\(name).json" })
        let objects = try #require(service.first.objects)
        return try JSONObject.parse(try await objects.read(table.key, limit: 1 << 20)).array("rows")
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `The part of sessions in an export` {
    @Test(arguments: Storage.there)
    func `has the sessions and the recordings that are not removed yet`(storage: Storage) async throws {
        try await withSessions(on: storage) { fixture in
            let id = try await fixture.create()
            try await fixture.admit(id)
            #expect(try await fixture.upload(id).status == 200)
            let (asked, files) = try await fixture.exported()
            let objects = try #require(fixture.service.first.objects)
            #expect(files.allSatisfy { $0.isPart(of: asked.exportId, owner: fixture.user, by: "sessions") })

            let recording = try #require(files.first { $0.name == "sessions/recordings/\(id).mp4" })
            let bytes = try await objects.read(recording.key, limit: 1 << 20)
            #expect(bytes == SessionsFixture.video && recording.crc32 == Int64(CRC32.checksum(bytes)))
            let rows = try await fixture.rows("sessions", of: files)
            #expect(rows.map { $0["id"] } == [.uuid(id)])
            #expect(rows[0]["recording"] == .string("recordings/\(id).mp4"))
            #expect(rows[0]["recordingKeptUntil"] == .null)
            #expect(try await fixture.rows("retention", of: files) == [])
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

    @Test(arguments: Storage.there)
    func `has the recordings that are kept, and the choice to keep them`(storage: Storage) async throws {
        try await withSessions(on: storage) { fixture in
            let gone = try await fixture.completed()
            try await fixture.choose(7)
            let id = try await fixture.completed()
            let until = try #require(try await fixture.media(id).until)
            let files = try await fixture.exported().files
            #expect(try await fixture.rows("retention", of: files) == [["keepMediaDays": 7]])
            let recordings = files.filter { $0.name.hasPrefix("sessions/recordings/") }
            #expect(recordings.map(\.name) == ["sessions/recordings/\(id).mp4"])
            let objects = try #require(fixture.service.first.objects)
            #expect(try await objects.read(recordings[0].key, limit: 1 << 20) == SessionsFixture.video)
            let rows = try await fixture.rows("sessions", of: files)
            let kept = try #require(rows.first { $0["id"] == .uuid(id) })
            #expect(kept["recording"] == .string("recordings/\(id).mp4"))
            #expect(kept["recordingKeptUntil"]?.stringValue.flatMap { Timestamp(rfc3339: $0) } == until)
            let other = try #require(rows.first { $0["id"] == .uuid(gone) })
            #expect(other["recording"] == .null && other["recordingKeptUntil"] == .null)
        }
    }

    @Test(arguments: Storage.there)
    func `has no copy that comes when the sweeper may have given it up`(storage: Storage) async throws {
        try await withSessions(on: storage) { fixture in
            try await fixture.choose(7)
            _ = try await fixture.completed()
            let objects = try #require(fixture.service.first.objects)
            let recording = try #require(try await objects.keys(under: "media/").first)
            let size = Int64(SessionsFixture.video.count)
            @Loop func writer(within patience: Duration) -> ExportWriter {
                ExportWriter(
                    fixture.service.context, objects, .sessions, exportId: .v7(), owner: fixture.user,
                    deadline: .now() + .seconds(600), patience: patience)
            }
            let late = writer(within: .zero)
            await #expect { _ = try await late.copy(recording, size: size, as: "recording.mp4") } throws: { error in
                (error as? RetriableFailure)?.code == "export-file-late"
            }
            #expect(late.files.isEmpty)
            #expect(try await objects.keys(under: "export-sessions/") == [], "it was never put in its place")
            let timely = writer(within: .seconds(600))
            #expect(try await timely.copy(recording, size: size, as: "recording.mp4"))
            #expect(try await objects.keys(under: "export-sessions/") == timely.files.map(\.key))
        }
    }

    @Test func `has every row of a long table, each once`() async throws {
        try await withSessions { fixture in
            let last = Timestamp(seconds: Timestamp.now().seconds - 600)
            // More than are read at a time, four a day.
            let sessions = (0..<450).map { number -> JSONValue in
                let end = last.adding(seconds: -Int64(number) * 21_600)
                return [
                    "id": .uuid(.v7()), "kind": "meditation", "startedAt": .time(end.adding(seconds: -1_200)),
                    "endedAt": .time(end), "activeSeconds": 600, "timeZone": "UTC",
                ]
            }
            let logged = try await fixture.service.send(
                "POST", "/v1/practice/sessions/batch", as: fixture.user, json: ["sessions": .array(sessions)])
            #expect(logged.status == 200)
            let rows = try await fixture.rows("practice-sessions", of: fixture.exported().files)
            let ids = rows.compactMap { $0["id"]?.stringValue }
            #expect(ids.count == 450 && Set(ids) == Set(sessions.compactMap { $0["id"]?.stringValue }))
        }
    }
}
