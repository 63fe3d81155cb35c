import EventSourcing
import EventStore
import Glibc
import JSON
import Postgres
import Runtime

/// pgbench inserting the same rows into an identical table on the same server, without any of the guarantees.
@Loop struct PlainInsert {
    private let database: PostgresSettings
    private let schema: String
    private let programs: String

    init(_ database: PostgresSettings, schema: String, programs: String) {
        self.database = database
        self.schema = schema
        self.programs = programs
    }

    private var scriptPath: String { "/tmp/mirrormate-bench-\(getpid()).sql" }

    /// Creates the table: the same columns, constraints and indexes, numbered by a sequence as a plain program would.
    func prepare() async throws {
        let connection = try await PostgresConnection.open(database)
        try await connection.script(
            """
            create table \(schema).plain_events (like \(schema).events including all);
            create sequence \(schema).plain_positions;
            """)
        connection.close()
        let deed = Deed(session: Deed.identifier(1, 1), owner: Deed.identifier(2, 1))
        let script = """
            \\set version :version + 1
            insert into \(schema).plain_events values (nextval('\(schema).plain_positions'),
            'session-00000001-0000-4000-8000-00000000' || (1000 + :client_id)::text, :version, gen_random_uuid(),
            'VideoStored', 1, '\(JSONValue.object(deed.data).text)', '\(JSONValue.object(deed.metadata.json).text)',
            '\\x\(String(repeating: "ab", count: 32))', clock_timestamp());
            """
        // pgbench treats each line as one command.
        let lines = script.split(separator: "\n", maxSplits: 1)
        let text = "\(lines[0])\n\(lines[1].replacing("\n", with: " "))\n"
        guard let file = fopen(scriptPath, "w") else { throw BenchError("\(scriptPath) cannot be written.") }
        fputs(text, file)
        fclose(file)
    }

    /// A checkpoint and fresh statistics, so that no round pays for the previous one.
    func settle() async throws {
        let connection = try await PostgresConnection.open(database)
        defer { connection.close() }
        try await connection.script("checkpoint")
        try await connection.script("analyze \(schema).events, \(schema).plain_events")
    }

    /// Inserts per second, by 32 clients on two threads.
    func run(seconds: Int, round: Int) async throws -> Double {
        let output = try await Tool.run(
            "\(programs)/pgbench",
            [
                "-n", "-M", "prepared", "-c", "32", "-j", "2", "-T", "\(seconds)", "-f", scriptPath,
                "-D", "version=\(round * 100_000_000)", "-h", database.host, "-p", "\(database.port)",
                "-U", database.user, database.database,
            ])
        return try Tool.number(after: "tps =", in: output)
    }
}
