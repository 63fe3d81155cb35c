import Contracts
import HTTPClient
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import sessions

/// Where finalized sessions stand until the work on them begins, and how far it is then.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A place in line` {
    @Test func `is told of each session, and moves up when one before it begins, is cancelled, fails or is deleted`()
        async throws
    {
        try await withSessions { fixture in
            var ids: [UUID] = []
            for _ in 1...6 { ids.append(try await fixture.finalized()) }
            #expect(try await fixture.stand(ids, at: [1, 2, 3, 4, 5, 6]))

            try await fixture.begin(ids[0])
            let begun = try await fixture.read(ids[0])
            #expect(begun["queuePosition"] == nil && begun["stage"] == "probe")
            #expect(try await fixture.stand(ids, at: [nil, 1, 2, 3, 4, 5]))

            let cancelled = try await fixture.service.send("POST", "/v1/sessions/\(ids[1])/cancel", as: fixture.user)
            #expect(cancelled.json["queuePosition"] == nil && cancelled.json["stage"] == nil)
            #expect(try await fixture.stand(ids, at: [nil, nil, 1, 2, 3, 4]))

            try await fixture.service.deliver(
                AnalysisFailed(fixture.reference(ids[2]), attempt: 1, code: .processingTimeout, retryable: true))
            #expect(try await fixture.stand(ids, at: [nil, nil, nil, 1, 2, 3]))

            _ = try await fixture.service.send("DELETE", "/v1/sessions/\(ids[3])", as: fixture.user)
            #expect(try await fixture.stand([ids[4], ids[5]], at: [1, 2]))

            // What is tried once more does not come back into line.
            try await fixture.begin(ids[4])
            try await fixture.begin(ids[4], attempt: 2)
            #expect(try await fixture.stand([ids[4], ids[5]], at: [nil, 1]))
        }
    }

    @Test func `counts the sessions of all owners, and shows nobody whose they are`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.finalized()
            // Of somebody else, an hour before.
            _ = try await fixture.service.administrator.query(
                """
                insert into session_list (key, owner_id, kind, status, progress, created_at, updated_at, expires_at,
                    waiting_since)
                values ('\(UUID.v7())', '\(UUID.v7())', 'mirrormate', 'processing', 10, now(), now(), now() + interval '1 day',
                    now() - interval '1 hour')
                """)
            #expect(try await fixture.stand([id], at: [2]))
            let list = try await fixture.service.send("GET", "/v1/sessions", as: fixture.user)
            #expect(list.json["items"]?.arrayValue?.count == 1)
        }
    }

    @Test func `stands in the list as in the session, at every instance and after a restart`() async throws {
        try await withSessions(instances: 2) { fixture in
            let ids = [try await fixture.finalized(), try await fixture.finalized()]
            try await fixture.begin(ids[0])
            _ = try await fixture.service.start(background: true)
            for instance in fixture.service.instances {
                let isThere = try await fixture.eventually {
                    let items = try await fixture.service.send(
                        "GET", "/v1/sessions", as: fixture.user, to: instance
                    ).json["items"]?.arrayValue
                    return items?.map { $0["queuePosition"]?.intValue } == [1, nil]
                        && items?.map { $0["stage"]?.stringValue } == [nil, "probe"]
                }
                #expect(isThere)
                let single = try await fixture.service.send(
                    "GET", "/v1/sessions/\(ids[1])", as: fixture.user, to: instance)
                #expect(single.json["queuePosition"] == 1)
            }
        }
    }

    @Test func `is another answer to a client that has the one before`() async throws {
        try await withSessions { fixture in
            let ids = [try await fixture.finalized(), try await fixture.finalized()]
            #expect(try await fixture.stand(ids, at: [1, 2]))
            let path = "/v1/sessions/\(ids[1])"
            let tag = try #require(try await fixture.service.send("GET", path, as: fixture.user).header("etag"))
            func status() async throws -> Int {
                try await fixture.service.send("GET", path, as: fixture.user, headers: [("If-None-Match", tag)]).status
            }
            #expect(try await status() == 304)
            try await fixture.begin(ids[0])
            #expect(try await fixture.eventually { try await status() == 200 })
        }
    }

    @Test func `is followed by whoever waits, with the id of the last change, until the work begins`() async throws {
        try await withSessions { fixture in
            let ids = [try await fixture.finalized(), try await fixture.finalized()]
            #expect(try await fixture.stand(ids, at: [1, 2]))
            var events = try await FollowedEvents(fixture, ids[1])
            let first = try #require(try await events.next())
            #expect(first.data["queuePosition"] == 2 && first.data["stage"] == nil)

            try await fixture.begin(ids[0])
            let moved = try #require(try await events.next())
            #expect(moved.data["queuePosition"] == 1 && moved.id == first.id)
            #expect(moved.data["updatedAt"] == first.data["updatedAt"])

            // Whoever comes back is told the place, though nothing has happened since.
            var again = try await FollowedEvents(fixture, ids[1], after: moved.id)
            #expect(try await again.next()?.data["queuePosition"] == 1)

            try await fixture.begin(ids[1])
            let begun = try #require(try await events.next())
            #expect(begun.data["queuePosition"] == nil && begun.data["stage"] == "probe" && begun.id > moved.id)
            try await fixture.service.deliver(
                AnalysisProgressed(fixture.reference(ids[1]), attempt: 1, stage: .decode, progressPercent: 25))
            let decoded = try #require(try await events.next())
            #expect(decoded.data["stage"] == "transcribe" && decoded.data["progress"] == 0.3)

            try await fixture.service.deliver(ReportReady(fixture.reference(ids[1]), reportId: .v7()))
            let last = try #require(try await events.next())
            #expect(last.data["status"] == "complete" && last.data["stage"] == nil)
            #expect(try await events.next() == nil)
        }
    }

    @Test func `and a stage are there of sessions that were under way before they were told`() async throws {
        try await withSessions(background: false) { fixture in
            var ids: [UUID] = []
            for _ in 1...4 { ids.append(try await fixture.finalized()) }
            for id in ids.dropFirst() { try await fixture.begin(id) }
            for (stage, percent) in [(AnalysisStage.probe, Int64(5)), (.transcribe, 60)] {
                try await fixture.service.deliver(
                    AnalysisProgressed(fixture.reference(ids[2]), attempt: 1, stage: stage, progressPercent: percent))
            }
            try await fixture.service.deliver(ReportReady(fixture.reference(ids[3]), reportId: .v7()))
            try await fixture.service.fold(SessionProjection.self)
            // What is beyond that is folded later.
            try await fixture.begin(ids[0])
            let rows = "select key, stage, waiting_since::text from session_list order by key"
            func now() async throws -> [[String?]] {
                try await fixture.service.administrator.query(rows).rows.map { row in
                    (0...2).map { row.isNull($0) ? nil : row.text($0) }
                }
            }
            let folded = try await now()
            #expect(Set(folded.map { $0[1] }) == [nil, "probe", "voice"])
            #expect(folded.filter { $0[2] != nil }.map { $0[0] } == ["\(ids[0])"])
            let owner = try await PostgresConnection.open(fixture.service.administratorSettings)
            try await owner.script("alter table session_list drop column stage, drop column waiting_since")
            try await owner.script(String(decoding: PackageResources.waiting_line_sql, as: UTF8.self))
            #expect(try await now() == folded)
        }
    }
}

extension SessionsFixture {
    fileprivate func reference(_ id: UUID) -> SessionReference { SessionReference(sessionId: id, ownerId: user) }

    /// A session that waits for its turn.
    fileprivate func finalized() async throws -> UUID {
        let id = try await create()
        try await admit(id)
        #expect(try await upload(id).status == 200)
        let answer = try await service.send("POST", "/v1/sessions/\(id)/finalize", as: user)
        #expect(answer.status == 202 && answer.json["queuePosition"]?.intValue != nil && answer.json["stage"] == nil)
        return id
    }

    fileprivate func begin(_ id: UUID, attempt: Int64 = 1) async throws {
        try await service.deliver(AnalysisStarted(reference(id), attempt: attempt))
    }

    /// Whether sessions come to stand at places, which are told a moment late.
    fileprivate func stand(_ ids: [UUID], at places: [Int64?]) async throws -> Bool {
        try await eventually {
            var told: [Int64?] = []
            for id in ids { told.append(try await self.read(id)["queuePosition"]?.intValue) }
            return told == places
        }
    }
}

/// The events of one session, one after another.
@Loop private struct FollowedEvents {
    struct Event: Equatable {
        let id: Int64
        let data: JSONObject
    }

    private let stream: HTTPClientStream
    private var text = ""

    init(_ fixture: SessionsFixture, _ session: UUID, after last: Int64? = nil) async throws {
        let token = try fixture.service.token(for: fixture.user)
        stream = try await HTTPClient.shared.stream(
            HTTPClientRequest(
                "GET", "\(fixture.service.url)/v1/sessions/\(session)/events",
                headers: [("Authorization", "Bearer \(token)")] + (last.map { [("Last-Event-ID", "\($0)")] } ?? [])))
    }

    /// The next event `session`; nil when the stream has ended.
    mutating func next() async throws -> Event? {
        while true {
            while let end = text.firstRange(of: "\n\n") {
                let fields = text[..<end.lowerBound].split(separator: "\n")
                text = String(text[end.upperBound...])
                guard let id = fields.first(where: { $0.hasPrefix("id: ") }).flatMap({ Int64($0.dropFirst(4)) }),
                    let data = fields.first(where: { $0.hasPrefix("data: ") })
                else { continue }
                return Event(id: id, data: try JSONObject.parse(Array(data.dropFirst(6).utf8)))
            }
            guard let bytes = try await stream.next() else { return nil }
            text += String(decoding: bytes, as: UTF8.self)
        }
    }
}
