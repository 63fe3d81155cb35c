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

@Suite(.timeLimit(.minutes(3))) @Loop struct `A timeline` {
    private static let whole = [
        "sessions SessionCreated", "quota QuotaReserved", "sessions SessionAdmitted", "sessions UploadStored",
        "sessions UploadFinalized", "analysis JobQueued",
    ]

    private func lines(_ timeline: Timeline) -> [String] {
        timeline.events.map { "\($0.place.service.rawValue) \($0.event.type.name)" }
    }

    @Test func `tells a session across services, causes before effects, from any of its ids`() async throws {
        try await House.run { house in
            _ = try await Story.tell(in: house)
            let story = try await Story.tell(in: house)
            let timeline = try await TimelineTracer(house.stores).trace(story.id)
            #expect(lines(timeline) == Self.whole)
            let causes = timeline.events.map { $0.cause?.description ?? "" }
            #expect(
                causes == [
                    "", "sessions/\(story.created)", "quota/\(story.reserved)", "", "", "sessions/\(story.finalized)",
                ])
            #expect(timeline.events[1].lateness.map { $0 >= .zero } == true)
            for step in timeline.events {
                #expect(lines(try await TimelineTracer(house.stores).trace(step.event.id)) == Self.whole)
            }
            let user = try await TimelineTracer(house.stores).trace(story.owner)
            #expect(Set(lines(user)) == Set(Self.whole + ["identity UserRegistered"]))
            #expect(try await TimelineTracer(house.stores).trace(.v4()).events.isEmpty)
        }
    }

    @Test func `shows the state after each step`() async throws {
        try await House.run { house in
            let story = try await Story.tell(in: house)
            let bare = try await TimelineTracer(house.stores).trace(story.id)
            let timeline = try await TimelineStates(house.stores).added(to: bare)
            let states = timeline.events.compactMap(\.state)
            #expect(states.count == timeline.events.count)
            #expect(states[0]["queued"] != nil)
            #expect(states[2]["open"] != nil)
            #expect(states[4]["processing"] != nil)
            #expect(states[5]["phase"] == "queued")
        }
    }

    @Test func `shows what is missing as such`() async throws {
        try await House.run { house in
            let story = try await Story.tell(in: house)
            // Nothing runs here, so nothing is published yet, whatever was answered by hand.
            let early = try await TimelineTracer(house.stores).trace(story.id).gaps
            #expect(early.map(\.code).contains("unpublished"))
            for service in ServiceName.allCases {
                try await house.script(service, "update relay set cursor = 1000")
            }
            let gaps = try await TimelineTracer(house.stores).trace(story.id).gaps
            #expect(gaps.isEmpty, "what was answered is not missing: \(gaps)")
            try await house.script(
                .analysis,
                """
                alter table events disable trigger user;
                delete from events where position = \(story.queued);
                """)
            let lost = try await TimelineTracer(house.stores).trace(story.id).gaps
            #expect(
                lost == [
                    .underWay(EventPlace(.sessions, story.finalized), type: "UploadFinalized", to: .analysis, seen: 0)
                ])
            try await house.script(
                .sessions,
                """
                alter table events disable trigger user;
                delete from events where position = \(story.created);
                """)
            let holes = try await TimelineTracer(house.stores).trace(story.id).gaps.map(\.code)
            #expect(holes.contains("hole"))
        }
    }
}

@Suite(.timeLimit(.minutes(3))) @Loop struct `A state` {
    @Test func `is that of a version, of a moment, and of a row at a position`() async throws {
        try await House.run { house in
            let story = try await Story.tell(in: house)
            let store = house.store(.sessions)
            let fold = StateFold(store)
            let stream = Session.stream(story.id)
            #expect(try await fold.aggregate(stream, upTo: 1)?.value?["queued"] != nil)
            #expect(try await fold.aggregate(stream)?.version == 4)
            let admitted = try await store.events(where: "position = $1", [.int(story.admitted)])[0]
            #expect(try await fold.aggregate(stream, at: admitted.recordedAt)?.version == 2)
            #expect(try await fold.aggregate(StreamName(rawValue: "nonsense-1")) == nil)
            let model = store.history.readModels[0]
            let key = story.id.description
            let then = try await fold.row(key, of: model, upTo: story.created).value
            let now = try await fold.row(key, of: model, upTo: .max).value
            #expect(then?["status"] == "queued" && now?["status"] == "processing")
            #expect(try await store.position(at: admitted.recordedAt) >= story.admitted)
            let changes = try await fold.changes(of: key, in: model, upTo: .max)
            let status = changes.filter { $0.fields.contains { $0.name == "status" } }.map(\.event.type.name)
            #expect(status == ["SessionCreated", "SessionAdmitted", "UploadFinalized"])
        }
    }
}
