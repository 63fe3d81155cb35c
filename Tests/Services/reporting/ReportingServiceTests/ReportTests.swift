import Contracts
import EventConsumer
import EventSourcing
import EventStore
import Glibc
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import reporting

@Suite(.timeLimit(.minutes(10))) @Loop struct `A report` {
    private let owner = UUID.v7()
    private let session = UUID.v7()

    @Test func `is readable as a whole once it is announced`() async throws {
        try await Desk.run { desk in
            #expect(try await desk.complete(session, of: owner, desk.store()))
            #expect(try await desk.published(session) == ["ReportReady"])
            let answer = try await desk.read(session, as: owner)
            #expect(answer.status == 200)
            #expect(answer.header("content-type") == "application/json")
            var report = answer.json
            #expect(try report.uuid("sessionId") == session)
            let event = try await desk.group.first.store.read(Report.stream(session))[0]
            #expect(try report.timestamp("createdAt") == event.recordedAt)
            #expect(try report.uuid("reportId") == ReportIdentity(sessionId: session, ownerId: owner).reportId)
            for member in ReportRows.ownMembers { report[member] = nil }
            #expect(report == Desk.report())
        }
    }

    @Test func `says that software made it, and what is kept of its session at the moment`() async throws {
        try await Desk.run { desk in
            let session = try await desk.written(for: owner)
            let reference = SessionReference(sessionId: session, ownerId: owner)
            func recording() async throws -> JSONValue? {
                try await desk.group.fold(ReportProjection.self)
                let report = try await desk.read(session, as: owner).json
                #expect(report["madeBy"] == "software")
                #expect(report["notice"]?.stringValue?.contains("Software made this report") == true)
                #expect(report["kept"]?["report"] == ["transcript", "figures", "feedback"])
                return report["kept"]?["recording"]
            }
            let gone: JSONValue = ["kept": false, "until": .null]
            #expect(try await recording() == gone)
            let tag = try await desk.read(session, as: owner).header("etag")
            let until = Timestamp(milliseconds: Timestamp.now().milliseconds) + .seconds(3_600)
            try await desk.group.deliver(desk.topic.message(MediaKept(reference, until: until)))
            #expect(try await recording() == ["kept": true, "until": .time(until)])
            // A client that has kept the report hears of it.
            #expect(try await desk.read(session, as: owner).header("etag") != tag)
            try await desk.group.deliver(desk.topic.message(MediaRemoved(reference)))
            #expect(try await recording() == gone)
            // Its time is over, and nobody has said so yet.
            try await desk.group.deliver(desk.topic.message(MediaKept(reference, until: .now() + .seconds(-1))))
            #expect(try await recording() == gone)
        }
    }

    @Test func `keeps its tag, by which a client need not fetch it again`() async throws {
        try await Desk.run { desk in
            let session = try await desk.written(for: owner)
            let tag = try #require(try await desk.read(session, as: owner).header("etag"))
            for field in [tag, "\"other\", W/\(tag)", "*"] {
                let answer = try await desk.group.send(
                    "GET", "/v1/reports/\(session)", as: owner, headers: [("If-None-Match", field)])
                #expect(answer.status == 304 && answer.body.isEmpty)
                #expect(answer.header("etag") == tag)
            }
            let changed = try await desk.group.send(
                "GET", "/v1/reports/\(session)", as: owner, headers: [("If-None-Match", "\"other\"")])
            #expect(changed.status == 200)
        }
    }

    @Test func `of somebody else answers like one that is not there`() async throws {
        try await Desk.run { desk in
            let session = try await desk.written(for: owner)
            let strange = try await desk.read(session, as: .v7())
            let unknown = try await desk.read(.v7(), as: owner)
            let malformed = try await desk.group.send("GET", "/v1/reports/none", as: owner)
            for answer in [strange, unknown, malformed] {
                #expect(answer.status == 404)
                var problem = answer.json
                problem["instance"] = nil
                problem["traceId"] = nil
                var first = strange.json
                first["instance"] = nil
                first["traceId"] = nil
                #expect(problem == first)
            }
            for path in ["/v1/reports/\(session)", "/v1/reports"] {
                #expect(try await desk.group.send("GET", path).status == 401)
                #expect(try await desk.group.send("DELETE", path, as: owner).status == 405)
            }
        }
    }

    @Test func `is written once: neither a repeat nor a second document changes it`() async throws {
        try await Desk.run { desk in
            let document = try await desk.store(Desk.report("first"))
            #expect(try await desk.complete(session, of: owner, document))
            #expect(try await !desk.complete(session, of: owner, document))
            #expect(try await !desk.complete(session, of: owner, desk.store(Desk.report("second"))))
            #expect(try await desk.published(session) == ["ReportReady"])
            let transcript = try await desk.read(session, as: owner).json["transcript"]
            #expect(transcript?["text"] == "first")
        }
    }

    @Test func `whose document is missing, changed, cut or too large fails`() async throws {
        try await Desk.run { desk in
            let good = try await desk.store()
            var changed = good
            changed.sha256 = String(repeating: "0", count: 64)
            var cut = good
            cut.sizeBytes -= 1
            var longer = good
            longer.sizeBytes += 1
            var missing = good
            missing.key = "documents/none"
            var outside = good
            outside.key = "../secrets"
            var large = good
            large.sizeBytes = ReportDocuments.limit + 1
            for document in [changed, cut, longer, missing, outside, large] {
                let session = UUID.v7()
                #expect(try await desk.complete(session, of: owner, document))
                #expect(try await desk.published(session) == ["ReportFailed"])
                let event = try await desk.group.first.store.read(Report.stream(session))[0]
                let failed = try event.decoded(as: ReportEvent.self)
                #expect(failed == .failed(ReportIdentity(sessionId: session, ownerId: owner), .reportMissing))
                #expect(try await desk.read(session, as: owner).status == 404)
            }
        }
    }

    @Test func `whose document is no report fails`() async throws {
        try await Desk.run { desk in
            var tooConfident = Desk.report()
            tooConfident["confidenceScore"] = 101
            let texts = [
                "", "[]", "{}", "{\"report\":3}", "{\"report\":{}}", "{\"report\":", "{\"report\":{\"a\":\"\\u0000\"}}",
                JSONValue.object(["report": .object(tooConfident)]).text,
            ]
            for text in texts {
                let session = UUID.v7()
                #expect(try await desk.complete(session, of: owner, desk.store(bytes: Array(text.utf8))))
                let event = try await desk.group.first.store.read(Report.stream(session))[0]
                let failed = try event.decoded(as: ReportEvent.self)
                #expect(failed == .failed(ReportIdentity(sessionId: session, ownerId: owner), .reportUnreadable))
            }
        }
    }

    @Test func `waits for object storage that is in trouble`() async throws {
        try await Desk.run { desk in
            let document = try await desk.store()
            // A file where the folder should be: ENOTDIR, which is no statement about the document.
            #expect(rename("\(desk.folder)/documents", "\(desk.folder)/aside") == 0)
            let blocker = try await desk.store(bytes: [1])
            #expect(rename("\(desk.folder)/\(blocker.key)", "\(desk.folder)/file") == 0)
            #expect(rmdir("\(desk.folder)/documents") == 0)
            #expect(rename("\(desk.folder)/file", "\(desk.folder)/documents") == 0)
            await #expect(throws: RetriableFailure.self) {
                try await desk.complete(session, of: owner, document)
            }
            #expect(try await desk.published(session) == [])
            #expect(unlink("\(desk.folder)/documents") == 0)
            #expect(rename("\(desk.folder)/aside", "\(desk.folder)/documents") == 0)
            #expect(try await desk.complete(session, of: owner, document))
            #expect(try await desk.published(session) == ["ReportReady"])
        }
    }

    @Test func `goes with its session, and so does its text`() async throws {
        try await Desk.run { desk in
            let session = try await desk.written(for: owner)
            #expect(try await desk.history(as: owner).sessions == [session])
            #expect(try await desk.delete(session, of: owner))
            #expect(try await desk.published(session) == ["ReportReady", "ReportDeleted"])
            #expect(try await desk.read(session, as: owner).status == 404)
            #expect(try await desk.history(as: owner).sessions == [])
            #expect(try await desk.group.count("select count(*) from reports") == 0)
        }
    }

    @Test func `is not written when its session ended before`() async throws {
        try await Desk.run { desk in
            let cancelled = SessionCancelled(
                SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate), analysisStarted: true)
            let isNoted = try await desk.group.deliver(desk.topic.message(cancelled))
            let isWritten = try await desk.complete(session, of: owner, desk.store())
            #expect(isNoted && !isWritten)
            #expect(try await desk.published(session) == [])
            #expect(try await desk.read(session, as: owner).status == 404)
            #expect(try await desk.group.count("select count(*) from reports") == 0)
        }
    }
}
