import Contracts
import History
import Observability
import Primitives
import Replay
import Runtime
import ServiceKit
import Testing
import TestingSupport

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `A service's watch on its read models` {
    @Test func `finds rows changed, deleted and added by hand, says so until they are right, and finds nothing else`()
        async throws
    {
        try await AllSchemas.run { schemas in
            var random = SeededRandom(seed: 11)
            try await RandomHistory<Session>.sessions.write(100, to: schemas.logs[.sessions]!, &random)
            try await schemas.fold(SessionProjection.self, of: .sessions)
            let model = schemas.store(.sessions).history.readModels[0]
            let watch = DriftWatch(model, store: schemas.logs[.sessions]!, log: schemas.log)
            #expect(try await schemas.number(.sessions, "select count(*) from session_list") > 3)
            for _ in 0..<20 { #expect(try await watch.look().isEmpty) }
            try await schemas.script(
                .sessions,
                """
                update session_list set progress = 99 where key = (select min(key) from session_list);
                create table taken as select * from session_list where key = (select max(key) from session_list);
                delete from session_list where key in (select key from taken);
                insert into session_list select * from taken;
                update session_list set key = 'ffffffff-ffff-4fff-bfff-ffffffffffff' where key in (select key from taken);
                """)
            let drifted = try await found(watch, 3)
            #expect(drifted.count == 3 && drifted.contains("ffffffff-ffff-4fff-bfff-ffffffffffff"))
            #expect(gauge() == "3")
            for key in drifted {
                _ = try await RowRepair(schemas.store(.sessions), model, writer: schemas.writer(.sessions)).run(key)
            }
            #expect(try await watch.look().isEmpty)
            #expect(gauge() == "0")
        }
    }

    /// Checks until `count` rows are found; each check starts at a random position.
    private func found(_ watch: DriftWatch, _ count: Int) async throws -> Set<String> {
        var found: Set<String> = []
        for _ in 0..<200 where found.count < count { found = try await watch.look() }
        return found
    }

    private func gauge() -> String? {
        let name = "read_model_drifted_rows{model=\"session_list\"} "
        let line = Metrics.shared.text().split(separator: "\n").first { $0.hasPrefix(name) }
        return line.map { String($0.dropFirst(name.count)) }
    }
}
