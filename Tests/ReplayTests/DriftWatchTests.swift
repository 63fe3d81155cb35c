import Contracts
import History
import Observability
import Primitives
import Replay
import Runtime
import ServiceKit
import Testing

@testable import sessions

@Suite(.timeLimit(.minutes(3))) @Loop struct `A service's watch on its read models` {
    @Test func `finds rows changed, deleted and added by hand, says so until they are right, and finds nothing else`()
        async throws
    {
        try await House.run { house in
            var dice = Dice(seed: 11)
            // So few that every look sees each of them.
            try await RandomHistory<Session>.sessions.write(40, to: house.logs[.sessions]!, &dice)
            try await house.fold(SessionList.self, of: .sessions)
            let model = house.store(.sessions).history.readModels[0]
            let watch = DriftWatch(model, store: house.logs[.sessions]!, log: house.log)
            #expect(try await found(watch, 1).isEmpty)
            try await house.script(
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
            #expect(Metrics.shared.text().contains("read_model_drifted_rows{model=\"session_list\"} 3"))
            for key in drifted {
                _ = try await RowRepair(house.store(.sessions), model, writer: house.writer(.sessions)).run(key)
            }
            #expect(try await watch.look().isEmpty)
            #expect(Metrics.shared.text().contains("read_model_drifted_rows{model=\"session_list\"} 0"))
        }
    }

    /// Looks until so many rows have been found, or often enough to have seen all: each look begins at a random place.
    private func found(_ watch: DriftWatch, _ count: Int) async throws -> Set<String> {
        var found: Set<String> = []
        for _ in 0..<200 where found.count < count { found = try await watch.look() }
        return found
    }
}
