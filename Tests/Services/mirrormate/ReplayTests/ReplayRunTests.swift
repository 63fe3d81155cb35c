import Contracts
import EventSourcing
import History
import JSON
import Primitives
import Replay
import Runtime
import ServiceKit
import Testing

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `A replay` {
    @Test func `of a captured case makes every decision again, and says where today's code would decide otherwise`()
        async throws
    {
        try await AllSchemas.run { schemas in
            let session = try await RecordedSession.write(to: schemas)
            let capture = try await CaptureMaker(schemas.stores).capture(session.id)
            let read = try Capture(text: capture.text)
            #expect(read.entries.count == 8)
            #expect(read.text == capture.text, "a capture is what it was after a trip through a file")
            let steps = try self.steps(read, AllSchemas.histories)
            #expect(steps.count == 8)
            #expect(steps.allSatisfy { $0.judgement == .same && $0.isAsBefore }, "\(steps.map(\.judgement))")
            #expect(read.rows.map(\.model) == ["session_list", "allowances", "job_queue", "report_history"])
            #expect(try ReplayRun(read, AllSchemas.histories).changedRows().isEmpty)
            let edited = capture.text.replacing("\"status\":\"processing\"", with: "\"status\":\"complete\"")
            #expect(try ReplayRun(try Capture(text: edited), AllSchemas.histories).changedRows().count == 1)
            #expect(steps[5].state?["phase"] == "queued")

            // A history in which a session was admitted that had been refused.
            let lines = capture.text.split(separator: "\n").map(String.init)
            let other = lines.map { $0.replacing("SessionAdmitted", with: "ReservationDeclined") }
            let changed = try self.steps(try Capture(text: other.joined(separator: "\n")), AllSchemas.histories)
            guard case .different(let events) = changed[2].judgement else {
                Issue.record("\(changed[2].judgement)")
                return
            }
            #expect(events.map { $0["type"] } == ["SessionAdmitted.v1"])
        }
    }

    @Test func `of a capture with personal content is the same, and the file says on its first line what is in it`()
        async throws
    {
        try await AllSchemas.run { schemas in
            let session = try await RecordedSession.write(to: schemas)
            var capture = try await CaptureMaker(schemas.stores).capture(session.id)
            #expect(!capture.text.contains("personalContent"))
            let profile = Capture.Content(
                service: .identity, table: "profiles",
                columns: ["display_name": "Ada", "user_id": .uuid(session.owner)])
            capture.content = [profile]
            #expect(capture.text.prefix { $0 != "\n" }.contains("\"personalContent\":true"))
            let read = try Capture(text: capture.text)
            #expect(read.content == [profile])
            let steps = try self.steps(read, AllSchemas.histories)
            #expect(steps.count == 8 && steps.allSatisfy(\.isAsBefore))
        }
    }

    @Test func `refuses a file that is not a capture, and names the line`() {
        #expect(throws: CaptureError.self) { _ = try Capture(text: "{\"mirrormateCapture\":2,\"subject\":\"x\"}") }
        let broken = "{\"mirrormateCapture\":1,\"subject\":\"x\"}\n{\"service\":\"nobody\"}"
        do {
            _ = try Capture(text: broken)
            Issue.record("It was read.")
        } catch {
            #expect(error.line == 2)
        }
    }

    @Test func `of every captured history in the folder is what it was`() throws {
        let folder = String(#filePath).split(separator: "/").dropLast().joined(separator: "/")
        let files = try TextFiles.inFolder("/\(folder)/Histories", ending: ".jsonl")
        #expect(!files.isEmpty)
        for (name, text) in files {
            let capture = try Capture(text: text)
            #expect(capture.content.isEmpty, "\(name) must not have personal content")
            let run = ReplayRun(capture, AllSchemas.histories)
            while let step = try run.step() {
                let place = "\(name): \(step.service.rawValue)/\(step.events[0].position)"
                #expect(step.isAsBefore, "\(place) \(step.judgement) \(step.changes)")
            }
            let changed = try run.changedRows()
            #expect(changed.isEmpty, "\(name): \(changed)")
        }
    }

    private func steps(_ capture: Capture, _ histories: [ServiceHistory]) throws -> [ReplayRun.Step] {
        let run = ReplayRun(capture, histories)
        var steps: [ReplayRun.Step] = []
        while let step = try run.step() { steps.append(step) }
        return steps
    }
}
