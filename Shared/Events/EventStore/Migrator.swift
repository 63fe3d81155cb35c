package import Postgres
import Primitives
package import Runtime

/// Brings a service's schema to the state that this build needs.
///
/// Each file runs once, in its own transaction, in the order given, under a lock that lets one migrator work at a time. A
/// file that was changed after it ran is refused: what has been applied is history; write a new file instead.
@Loop package struct Migrator {
    private let schema: String
    private let role: String
    private let migrations: [Migration]

    /// - Parameters:
    ///   - schema: the service's schema; its owner is the role `<schema>_owner`.
    ///   - role: the login role that the grants go to.
    package init(schema: String, role: String, migrations: [Migration]) {
        self.schema = schema
        self.role = role
        self.migrations = migrations
    }

    /// Applies what is missing and returns the names of what it applied.
    ///
    /// - Parameter settings: a role that may become the schema's owner.
    /// - Throws: ``MigrationError``, or `PostgresError` when the database cannot be reached or the role may not.
    package func run(_ settings: PostgresSettings) async throws -> [String] {
        let connection = try await PostgresConnection.open(
            settings.with("search_path", "\(schema),pg_temp").with("statement_timeout", "10min")
                .with("client_min_messages", "error"))
        defer { connection.close() }
        try await connection.script("set role \"\(schema)_owner\"")
        _ = try await connection.query(
            "select pg_advisory_lock($1)", [.int(Int64(bitPattern: StableHash.fnv1a64("migrate-\(schema)".utf8)))])
        try await connection.script(
            """
            create table if not exists migrations (
                name text primary key, checksum text not null, applied_at timestamptz not null default clock_timestamp());
            grant select on migrations to "\(role)";
            """)
        let rows = try await connection.query("select name, checksum from migrations").rows
        let applied = Dictionary(uniqueKeysWithValues: rows.map { ($0.text(0), $0.text(1)) })
        var done: [String] = []
        for migration in migrations {
            let checksum = Self.checksum(migration)
            if let known = applied[migration.name] {
                guard known == checksum else { throw MigrationError.changed(schema: schema, name: migration.name) }
                continue
            }
            let sql = migration.sql
                .replacing(":role", with: "\"\(role)\"").replacing(":schema", with: "\"\(schema)\"")
            do {
                try await connection.script(
                    """
                    begin;
                    \(sql);
                    insert into migrations (name, checksum) values ('\(migration.name)', '\(checksum)');
                    commit;
                    """)
            } catch let error as PostgresError {
                // Migrations hold no personal data, so the server's own message may be shown here.
                throw MigrationError.failed(schema: schema, name: migration.name, reason: error.debugDescription)
            }
            done.append(migration.name)
        }
        // Without statistics the planner takes the tables for empty; its plans were measured to be half as fast.
        if !done.isEmpty { try await analyze(connection) }
        return done
    }

    /// Table by table: `analyze` without a name looks at every schema's tables, and fails on one that
    /// another schema's migration drops meanwhile (42P01, seen with services that migrate side by side).
    private func analyze(_ connection: PostgresConnection) async throws {
        let tables = try await connection.query(
            """
            select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition order by c.relname
            """, [.text(schema)])
        for table in tables.rows.map({ $0.text(0) }) {
            do {
                try await connection.script("analyze \(table)")
            } catch let error as PostgresError where error.code == .undefinedTable {
                continue  // A service that runs has switched a read model's tables; the new ones were analyzed then.
            }
        }
    }

    /// The names of migrations that the schema lacks; empty when it is ready.
    ///
    /// - Throws: `PostgresError`.
    package func missing(_ pool: PostgresPool) async throws -> [String] {
        let rows = try await pool.query("select name, checksum from migrations").rows
        let applied = Dictionary(uniqueKeysWithValues: rows.map { ($0.text(0), $0.text(1)) })
        return migrations.filter { applied[$0.name] != Self.checksum($0) }.map(\.name)
    }

    /// Guards against accidental changes, not against forgery, so a quick hash of the text is enough.
    private static func checksum(_ migration: Migration) -> String {
        String(StableHash.fnv1a64(migration.sql.utf8), radix: 16)
    }
}

/// Why a schema could not be brought up to date.
package enum MigrationError: Error, Sendable, CustomStringConvertible {
    /// A file that has run was changed afterwards.
    case changed(schema: String, name: String)
    /// A file did not run; the transaction was rolled back.
    case failed(schema: String, name: String, reason: String)

    package var description: String {
        switch self {
        case .changed(let schema, let name):
            "The migration \(name) of the schema \(schema) was changed after it ran; restore it and add a new file."
        case .failed(let schema, let name, let reason):
            "The migration \(name) of the schema \(schema) failed and left nothing behind: \(reason)"
        }
    }
}
