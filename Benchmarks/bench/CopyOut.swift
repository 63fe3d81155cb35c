import Postgres
import Runtime

/// PostgreSQL's fastest way to read the same rows, discarded by psql.
@Loop struct CopyOut {
    private let database: PostgresSettings
    private let statement: String
    private let count: Int
    private let programs: String

    init(_ database: PostgresSettings, schema: String, count: Int, programs: String) {
        self.database = database
        self.count = count
        self.programs = programs
        statement = """
            copy (select position, stream, version, id, type, schema_version, data, metadata, recorded_at
            from \(schema).events order by position) to stdout
            """
    }

    /// Rows per second by psql's own clock, excluding its start and connecting.
    func rate() async throws -> Double {
        let output = try await Tool.run(
            "\(programs)/psql",
            [
                "-X", "-h", database.host, "-p", "\(database.port)", "-U", database.user, "-d", database.database,
                "-o", "/dev/null", "-c", "\\timing on", "-c", statement,
            ])
        return Double(count) / (try Tool.number(after: "Time:", in: output) / 1000)
    }
}
