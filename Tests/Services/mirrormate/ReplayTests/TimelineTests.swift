import Contracts
import EventSourcing
import History
import JSON
import Postgres
import Primitives
import Replay
import Runtime
import Testing

@testable import quota
@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `A timeline` {
    private static let whole = [
        "sessions SessionCreated", "quota QuotaReserved", "sessions SessionAdmitted", "sessions UploadStored",
        "sessions UploadFinalized", "analysis JobQueued", "reporting RecordingLearned",
        "reporting UploadNoted",
    ]

    private func lines(_ timeline: Timeline) -> [String] {
        timeline.events.map { "\($0.place.service.rawValue) \($0.event.type.name)" }
    }

    @Test func `tells a session across services, causes before effects, from any of its ids`() async throws {
        try await AllSchemas.run { schemas in
            _ = try await RecordedSession.write(to: schemas)
            let session = try await RecordedSession.write(to: schemas)
            let timeline = try await TimelineTracer(schemas.stores).trace(session.id)
            #expect(lines(timeline) == Self.whole)
            let causes = timeline.events.map { $0.cause?.description ?? "" }
            #expect(
                causes == [
                    "", "sessions/\(session.created)", "quota/\(session.reserved)", "", "",
                    "sessions/\(session.finalized)", "sessions/\(session.created)",
                    "sessions/\(session.finalized)",
                ])
            #expect(timeline.events[1].lateness.map { $0 >= .zero } == true)
            for step in timeline.events {
                #expect(lines(try await TimelineTracer(schemas.stores).trace(step.event.id)) == Self.whole)
            }
            let user = try await TimelineTracer(schemas.stores).trace(session.owner)
            #expect(Set(lines(user)) == Set(Self.whole + ["identity UserRegistered"]))
            #expect(try await TimelineTracer(schemas.stores).trace(.v4()).events.isEmpty)
        }
    }

    @Test func `shows the state after each step`() async throws {
        try await AllSchemas.run { schemas in
            let session = try await RecordedSession.write(to: schemas)
            let bare = try await TimelineTracer(schemas.stores).trace(session.id)
            let timeline = try await TimelineStates(schemas.stores).added(to: bare)
            let states = timeline.events.compactMap(\.state)
            #expect(states.count == timeline.events.count)
            #expect(states[0]["queued"] != nil)
            #expect(states[2]["open"] != nil)
            #expect(states[4]["processing"] != nil)
            #expect(states[5]["phase"] == "queued")
            #expect(states[6]["awaited"] != nil && states[7]["awaited"] != nil)
        }
    }

    @Test func `shows what is missing as such`() async throws {
        try await AllSchemas.run { schemas in
            let session = try await RecordedSession.write(to: schemas)
            // No relay runs here, so nothing is published yet, although the test has appended the answers.
            let early = try await TimelineTracer(schemas.stores).trace(session.id).gaps
            #expect(early.map(\.code).contains("unpublished"))
            for service in ServiceName.allCases {
                try await schemas.script(service, "update relay set cursor = 1000")
            }
            let gaps = try await TimelineTracer(schemas.stores).trace(session.id).gaps
            #expect(gaps.isEmpty, "what was answered is not missing: \(gaps)")
            try await schemas.script(
                .analysis,
                """
                alter table events disable trigger user;
                delete from events where position = \(session.queued);
                """)
            let lost = try await TimelineTracer(schemas.stores).trace(session.id).gaps
            #expect(
                lost == [
                    .underWay(EventPlace(.sessions, session.finalized), type: "UploadFinalized", to: .analysis, seen: 0)
                ])
            try await schemas.script(
                .sessions,
                """
                alter table events disable trigger user;
                delete from events where position = \(session.created);
                """)
            let holes = try await TimelineTracer(schemas.stores).trace(session.id).gaps.map(\.code)
            #expect(holes.contains("hole"))
        }
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `A state` {
    @Test func `is that of a version, of a moment, and of a row at a position`() async throws {
        try await AllSchemas.run { schemas in
            let session = try await RecordedSession.write(to: schemas)
            let store = schemas.store(.sessions)
            let fold = StateFold(store)
            let stream = Session.stream(session.id)
            #expect(try await fold.aggregate(stream, upTo: 1)?.value?["queued"] != nil)
            #expect(try await fold.aggregate(stream)?.version == 4)
            let admitted = try await store.events(where: "position = $1", [.int(session.admitted)])[0]
            #expect(try await fold.aggregate(stream, at: admitted.recordedAt)?.version == 2)
            #expect(try await fold.aggregate(StreamName(rawValue: "nonsense-1")) == nil)
            let model = store.history.readModels[0]
            let key = session.id.description
            let then = try await fold.row(key, of: model, upTo: session.created).value
            let now = try await fold.row(key, of: model, upTo: .max).value
            #expect(then?["status"] == "queued" && now?["status"] == "processing")
            #expect(try await store.position(at: admitted.recordedAt) >= session.admitted)
            let changes = try await fold.changes(of: key, in: model, upTo: .max)
            let status = changes.filter { $0.fields.contains { $0.name == "status" } }.map(\.event.type.name)
            #expect(status == ["SessionCreated", "SessionAdmitted", "UploadFinalized"])
        }
    }
}
