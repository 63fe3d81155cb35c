import Contracts
import Glibc
import History
import JSON
import Postgres
import Primitives
import Processes
import Replay
import Runtime
import Testing
import TestingTools

@Suite(.timeLimit(.minutes(10)), .serialized) @Loop struct `A rebuild in a process of its own` {
    private static let seed: UInt64 = 2026

    private func run(_ body: @Loop (AllSchemas, ToolProcess) async throws -> Void) async throws {
        try await AllSchemas.run(database: ToolProcess.database) { schemas in
            let tool = try ToolProcess(schemas)
            do { try await body(schemas, tool) } catch {
                tool.remove()
                throw error
            }
            tool.remove()
        }
    }

    /// Starts a rebuild and stops it in the middle, while it writes its rows, until the connection is closed.
    private func held(
        _ tool: ToolProcess, _ schemas: AllSchemas, _ service: ServiceName, _ model: String
    ) async throws -> (child: ChildProcess, holder: PostgresConnection) {
        let holder = try await PostgresConnection.open(schemas.administrator.with("search_path", service.rawValue))
        do {
            // The fresh table gets the live one's constraints.
            try await holder.script(
                """
                create or replace function passes() returns boolean language plpgsql set lock_timeout = 0 as $$
                    begin perform pg_advisory_xact_lock_shared(4711); return true; end $$;
                alter table \(model) add constraint passes check (passes()) not valid;
                """)
            _ = try await holder.query("select pg_advisory_lock(4711)")
            let child = try tool.start(["rebuild", "\(service.rawValue)/\(model)"])
            let waiting = "select count(*) from pg_locks where locktype = 'advisory' and objid = 4711 and not granted"
            try await Loop.withDeadline(.seconds(120)) {
                while try await holder.query(waiting).rows[0].int(0) == 0 {
                    try await Loop.sleep(for: .milliseconds(10))
                }
            }
            return (child, holder)
        } catch {
            holder.close()
            throw error
        }
    }

    private func states(_ state: String) -> String { "select count(*) from rebuilds where state = '\(state)'" }

    private func tables(_ schemas: AllSchemas, _ service: ServiceName) async throws -> Int64 {
        try await schemas.number(
            service,
            "select count(*) from pg_tables where schemaname = '\(service.rawValue)' and tablename like '%_fresh'")
    }

    /// Retries, because the database notices a moment later that a process is gone.
    private func again(_ tool: ToolProcess, _ words: [String]) async throws -> (exit: Exit, output: String) {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let result = try await tool.run(words)
            let isHeld = result.exit == .code(3) && result.notes.contains("Another rebuild")
            if !isHeld || ContinuousClock.now > deadline { return (result.exit, result.output) }
        }
    }

    @Test(.stress)
    func `that is killed midway starts over, and equals the live one after 28,000 random commands`()
        async throws
    {
        try await run { schemas, tool in
            try await schemas.live(seed: Self.seed)
            for store in schemas.stores {
                for (before, model) in store.history.readModels.enumerated() {
                    let name = "\(store.service.rawValue)/\(model.name)"
                    let (killed, holder) = try await held(tool, schemas, store.service, model.name)
                    killed.kill(SIGKILL)
                    #expect(try await tool.end(killed).exit == .signal(SIGKILL))
                    holder.close()
                    #expect(try await tables(schemas, store.service) == 1, "\(name): it leaves its table")
                    let (exit, output) = try await again(tool, ["rebuild", name, "--compare", "--switch", "--json"])
                    #expect(exit == .code(0), "\(name), seed \(Self.seed): \(output)")
                    let document = try #require(JSONObject.parse(Array(output.utf8))["data"])
                    #expect(
                        document["differences"] == 0 && document["compared"]?.intValue ?? 0 > 20, "\(name): \(output)")
                    #expect(try await schemas.number(store.service, states("abandoned")) == Int64(before) + 1)
                    #expect(try await schemas.number(store.service, states("switched")) == Int64(before) + 1)
                    #expect(try await tables(schemas, store.service) == 0)
                    #expect(try await ReadModelCheck(store, model).run().driftCount == 0)
                }
            }
        }
    }

    @Test func `is refused while another one runs, and leaves nothing when it is cancelled`() async throws {
        try await run { schemas, tool in
            try await schemas.live(seed: Self.seed)
            let name = "sessions/session_list"
            let rows = try await schemas.number(.sessions, "select count(*) from session_list")
            let (first, holder) = try await held(tool, schemas, .sessions, "session_list")
            defer { holder.close() }
            let second = try await tool.run(["rebuild", name])
            #expect(second.exit == .code(3) && second.notes.contains("Another rebuild of session_list is running"))
            first.kill(SIGINT)
            let cancelled = try await tool.end(first)
            #expect(cancelled.exit == .code(3) && cancelled.notes.contains("was cancelled"), "\(cancelled)")
            #expect(try await tables(schemas, .sessions) == 0)
            #expect(try await schemas.number(.sessions, states("abandoned")) == 1)
            #expect(try await schemas.number(.sessions, states("building")) == 0)
            #expect(try await schemas.number(.sessions, "select count(*) from session_list") == rows)
            // Nothing that it left blocks the next one.
            holder.close()
            #expect(try await tool.run(["rebuild", name, "--compare"]).exit == .code(0))
        }
    }
}
