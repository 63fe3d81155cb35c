import Contracts
import EventSourcing
import History
import JSON
import Postgres
import Primitives
import Replay
import Runtime
import Testing
import TestingSupport

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `The check of read models` {
    @Test func `finds a row changed by hand and a row deleted, and mends each from its events`() async throws {
        try await AllSchemas.run { schemas in
            var random = SeededRandom(seed: 7)
            try await RandomHistory<Session>.sessions.write(300, to: schemas.logs[.sessions]!, &random)
            try await schemas.fold(SessionProjection.self, of: .sessions)
            let store = schemas.store(.sessions)
            let model = store.history.readModels[0]
            try await schemas.script(
                .sessions,
                """
                update session_list set progress = 99 where key = (select min(key) from session_list);
                delete from session_list where key = (select max(key) from session_list);
                """)
            let findings = try await ReadModelCheck(store, model).run()
            #expect(findings.driftCount == 2)
            let changed = try #require(findings.drifts.first { $0.live != nil })
            let deleted = try #require(findings.drifts.first { $0.live == nil })
            #expect(changed.live?["progress"] == 99)
            #expect(changed.folded?["progress"] != 99)
            for drift in [changed, deleted] {
                let row = try await RowRepair(store, model, writer: schemas.writer(.sessions)).run(drift.key)
                #expect(row?["status"] == drift.folded?["status"])
            }
            #expect(try await ReadModelCheck(store, model).run().driftCount == 0)
        }
    }

    @Test func `looks with a role that cannot write`() async throws {
        try await AllSchemas.run { schemas in
            let store = schemas.store(.sessions)
            for statement in [
                "delete from events", "update head set refused = 'x'", "delete from session_list",
                "update consumer_partitions set seen = 0", "update parked_messages set release = true",
                "insert into rebuilds (model, started_by, code) values ('a', 'b', 'c')",
                "select begin_rebuild('session_list', 'a', 'b')", "select append_set()",
            ] {
                await #expect(throws: PostgresError.self, "\(statement)") { _ = try await store.pool.query(statement) }
            }
            for table in ["identity.profiles", "identity.credentials", "reporting.reports", "identity.logins"] {
                await #expect(throws: PostgresError.self, "\(table)") {
                    _ = try await store.pool.query("select count(*) from \(table)")
                }
            }
        }
    }
}
