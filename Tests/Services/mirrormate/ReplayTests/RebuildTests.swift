import Contracts
import EventSourcing
import History
import JSON
import Postgres
import Primitives
import Projections
import Replay
import Runtime
import ServiceKit
import Testing
import TestingSupport
import TestingTools

@testable import analysis
@testable import quota
@testable import reporting
@testable import sessions

/// The list of sessions with a deliberately changed fold: an expired session counts as cancelled.
private enum ChangedList: ReadModel {
    static let name = SessionProjection.name
    static let columns = SessionProjection.columns
    static func keys(of event: SessionEvent) -> [UUID] { SessionProjection.keys(of: event) }
    static func evolve(_ row: SessionRow?, _ event: SessionEvent, key: UUID, recordedAt: Timestamp) -> SessionRow? {
        var row = SessionProjection.evolve(row, event, key: key, recordedAt: recordedAt)
        if case .expired = event { row?.status = .cancelled }
        return row
    }
    static func text(_ key: UUID) -> String { SessionProjection.text(key) }
    static func encode(_ row: SessionRow) -> JSONObject { SessionProjection.encode(row) }
    static func decode(_ columns: JSONObject) throws(JSONError) -> SessionRow { try SessionProjection.decode(columns) }

    static let history = ReadModelHistory(Self.self, foreign: { KitEvents.isOne($0) }) { key in
        [StreamName(rawValue: "session-\(key)")]
    }
}

@Suite(.timeLimit(.minutes(10)), .serialized) @Loop struct `A rebuild` {
    private static let seed: UInt64 = 2026

    private func sessions(_ schemas: AllSchemas, _ count: Int = 400, seed: UInt64 = seed) async throws
        -> ReadModelHistory
    {
        var random = SeededRandom(seed: seed)
        try await RandomHistory<Session>.sessions.write(count, to: schemas.logs[.sessions]!, &random)
        try await schemas.fold(SessionProjection.self, of: .sessions)
        return schemas.store(.sessions).history.readModels[0]
    }

    private func begin(
        _ schemas: AllSchemas, _ service: ServiceName, _ model: ReadModelHistory, rowLimit: Int = Rebuild.rowsInMemory
    ) async throws -> Rebuild {
        try await Rebuild.begin(
            schemas.store(service), model, writer: schemas.writer(service), who: "test", code: "test",
            rowLimit: rowLimit)
    }

    @Test(.stress)
    func `of every read model equals the live one after 28,000 random commands, also when rows do not fit`()
        async throws
    {
        try await AllSchemas.run { schemas in
            try await schemas.live(seed: Self.seed)
            for store in schemas.stores {
                for model in store.history.readModels {
                    for limit in [Rebuild.rowsInMemory, 50] {
                        let rebuild = try await begin(schemas, store.service, model, rowLimit: limit)
                        defer { rebuild.close() }
                        let outcome = try await rebuild.build()
                        let comparison = try await rebuild.compare()
                        #expect(outcome.rows > 20, "\(model.name) has rows to compare")
                        #expect(try await store.head() == outcome.position)
                        #expect(comparison.differenceCount == 0, "\(model.name), seed \(Self.seed), limit \(limit)")
                    }
                    let findings = try await ReadModelCheck(store, model).run()
                    #expect(findings.driftCount == 0 && findings.rows > 20)
                }
            }
        }
    }

    /// More events than are parsed at once, for more rows than are written at once: sessions are counted, corrected and withdrawn in
    /// other pieces than those in which their days began.
    @Test func `of days equals the live one when it is parsed and written in many pieces, in memory or not`()
        async throws
    {
        try await AllSchemas.run { schemas in
            var random = SeededRandom(seed: Self.seed)
            try await RandomHistory<Report>.practisedDays.write(14_000, to: schemas.logs[.reporting]!, &random)
            try await schemas.fold(PracticeDayProjection.self, of: .reporting)
            let model = try #require(schemas.store(.reporting).history.readModel(PracticeDayProjection.name))
            for limit in [Rebuild.rowsInMemory, 700] {
                let rebuild = try await begin(schemas, .reporting, model, rowLimit: limit)
                defer { rebuild.close() }
                let outcome = try await rebuild.build()
                #expect(outcome.events > 5_000 && outcome.rows > 1_000)
                #expect(try await rebuild.compare().differenceCount == 0, "limit \(limit)")
            }
        }
    }

    @Test func `names the first event at which a changed fold parts from the live one`() async throws {
        try await AllSchemas.run { schemas in
            let live = try await sessions(schemas)
            let store = schemas.store(.sessions)
            let first = try await schemas.number(
                .sessions, "select coalesce(min(position), 0) from events where type = 'SessionExpired'")
            let rebuild = try await begin(schemas, .sessions, ChangedList.history)
            defer { rebuild.close() }
            _ = try await rebuild.build()
            let comparison = try await rebuild.compare()
            #expect(comparison.differenceCount > 0)
            let search = DivergenceSearch(store, ChangedList.history)
            // The rows of deleted sessions are gone by now, so the earliest of the remaining ones counts.
            let estimated = try await search.first(in: comparison.differences, upTo: comparison.position)
            let proven = try await search.first(in: comparison.differences, upTo: comparison.position) {
                key, position in
                try await StateFold(store).row(key, of: live, upTo: position).value ?? .null
            }
            #expect(estimated?.event.type.name == "SessionExpired")
            #expect(proven?.event.type.name == "SessionExpired")
            #expect(proven?.isProven == true && proven?.fields == ["status"])
            #expect(proven?.event.position == estimated?.event.position)
            #expect(first > 0 && (proven?.event.position ?? 0) >= first)
        }
    }

    @Test func `takes the live one's place in one step, and can be undone`() async throws {
        try await AllSchemas.run { schemas in
            let model = try await sessions(schemas)
            let position = try await schemas.store(.sessions).head()
            let rows = try await schemas.number(.sessions, "select count(*) from session_list")
            try await schemas.script(.sessions, "update session_list set progress = 1")
            let rebuild = try await begin(schemas, .sessions, model)
            _ = try await rebuild.build()
            #expect(try await rebuild.compare().differenceCount == Int(rows))
            // What is appended meanwhile is in the new table when it is switched.
            let (owner, id) = (UUID.v4(), UUID.v4())
            let identity = SessionIdentity(sessionId: id, ownerId: owner, kind: .mirrormate)
            _ = try await schemas.append(
                .sessions, Session.stream(id),
                [
                    SessionEvent.created(
                        identity,
                        SessionCreation(
                            timeZone: "UTC", createdAt: .now(), expiresAt: .now(), contentType: "video/mp4",
                            contentLength: 1))
                ])
            try await schemas.fold(SessionProjection.self, of: .sessions)
            #expect(try await rebuild.switchOver() == position + 1)
            rebuild.close()
            let told = try await schemas.store(.sessions).upkeep(since: .now() - .seconds(600))
            #expect(
                told.map(\.kind) == [.rebuild] && told[0].words.hasSuffix("switched"), "The history tells it: \(told)")
            #expect(try await schemas.store(.sessions).upkeep(since: .now() + .seconds(600)) == [])
            #expect(try await ReadModelCheck(schemas.store(.sessions), model).run().driftCount == 0)
            #expect(try await schemas.number(.sessions, "select count(*) from session_list") == rows + 1)
            let indexes = "select count(*) from pg_indexes where schemaname = 'sessions' and tablename = 'session_list'"
            #expect(try await schemas.number(.sessions, indexes + " and indexname !~ 'fresh|before'") == 7)
            let secured =
                "select count(*) from pg_policies where schemaname = 'sessions' and tablename = 'session_list'"
            #expect(try await schemas.number(.sessions, secured) == 1)
            // The service continues folding in the new table.
            _ = try await schemas.append(
                .sessions, Session.stream(id), [SessionEvent.admitted(identity)], from: 1)
            try await schemas.fold(SessionProjection.self, of: .sessions)
            #expect(try await ReadModelCheck(schemas.store(.sessions), model).run().driftCount == 0)

            #expect(try await Rebuild.undo(model, writer: schemas.writer(.sessions)) == position + 1)
            try await schemas.fold(SessionProjection.self, of: .sessions)
            // The old table is back, with its wrong rows, and folding continues.
            #expect(try await ReadModelCheck(schemas.store(.sessions), model).run().driftCount > 0)
            let status = "select count(*) from session_list where key = '\(id)' and status = 'awaitingUpload'"
            #expect(try await schemas.number(.sessions, status) == 1)
        }
    }

    @Test func `cleans up after one that was killed, and lets no second one run at the same time`() async throws {
        try await AllSchemas.run { schemas in
            let model = try await sessions(schemas, 100)
            let killed = try await begin(schemas, .sessions, model)
            await #expect(throws: RebuildRefusal.self) { _ = try await begin(schemas, .sessions, model) }
            // A killed process leaves its table and its record; its lock goes with its connection.
            killed.close()
            let left = "select count(*) from rebuilds where state = 'building'"
            #expect(try await schemas.number(.sessions, left) == 1)
            let rebuild = try await again { try await begin(schemas, .sessions, model) }
            _ = try await rebuild.build()
            #expect(try await rebuild.compare().differenceCount == 0)
            rebuild.close()
            let states = "select count(*) from rebuilds where state = 'abandoned'"
            #expect(try await schemas.number(.sessions, states) == 1)
            #expect(try await again { try await Rebuild.dropOld(model, writer: schemas.writer(.sessions)) } == 1)
            #expect(try await schemas.number(.sessions, "select count(*) from session_list") > 0)
        }
    }

    /// Retries, because the server notices a closed connection a moment later.
    private func again<T: Sendable>(_ work: @Loop () async throws -> T) async throws -> T {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            do { return try await work() } catch let refusal as RebuildRefusal
                where refusal.code == "rebuild-running" && ContinuousClock.now < deadline
            {
                try await Loop.sleep(for: .milliseconds(20))
            }
        }
    }
}
