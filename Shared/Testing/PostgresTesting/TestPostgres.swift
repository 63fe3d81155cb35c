import Glibc
package import Postgres
import Primitives
import Runtime
import TestingSupport

/// A private PostgreSQL, started at first use and stopped with the test process; each suite creates its own database.
package enum TestPostgres {
    /// The settings of the server's administrator, on the database `postgres`.
    package static let administrator: PostgresSettings = {
        guard let pipe = popen("\(Checkout.root)/infra/postgres-for-tests \(getpid())", "r") else {
            preconditionFailure("The script infra/postgres-for-tests cannot be started.")
        }
        var line = [CChar](repeating: 0, count: 256)
        let got = fgets(&line, 256, pipe) != nil
        let status = pclose(pipe)
        precondition(
            got && status == 0, "No PostgreSQL for the tests: see the message of infra/postgres-for-tests above.")
        let folder = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var settings = PostgresSettings(
            host: folder, port: 5432, database: "postgres", user: "postgres", password: "",
            applicationName: "tests")
        // Many suites create their databases at once; slowness is no failure there.
        settings.connectDeadline = .seconds(60)
        settings.statementDeadline = .seconds(120)
        return settings
    }()

    /// A new database with a schema, its owner role `<schema>_owner` and its login role `<schema>`, as in production.
    ///
    /// - Parameter chosen: its name, for programs that expect a certain one; a database of that name is dropped first. By default a new name.
    /// - Returns: the settings of the administrator and of the login role on that database.
    /// - Throws: `PostgresError` if a statement fails.
    @Loop package static func makeDatabase(
        schemas: [String], named chosen: String? = nil
    ) async throws -> (administrator: PostgresSettings, roles: [String: PostgresSettings]) {
        let name = chosen ?? newName()
        let connection = try await PostgresConnection.open(administrator)
        if chosen != nil {
            _ = try await connection.query("drop database if exists \(name) with (force)")
        }
        // Copying the files takes a third of the time of copying through the log.
        try await connection.script("create database \(name) strategy file_copy")
        connection.close()
        let database = settings(of: name, schemas)
        let inside = try await PostgresConnection.open(database.administrator)
        defer { inside.close() }
        for schema in schemas {
            // Roles belong to the server, so suites share them; only their creation may collide.
            for statement in [
                "create role \"\(schema)_owner\" nologin", "create role \"\(schema)\" login",
                "create role mirrormate_reader login",
            ] {
                do { try await inside.script(statement) } catch let error as PostgresError
                    where error.code == .init(rawValue: "42710") || error.code == .uniqueViolation
                {}
            }
            try await inside.script(
                """
                create schema "\(schema)" authorization "\(schema)_owner";
                grant usage on schema "\(schema)" to "\(schema)";
                """)
        }
        return database
    }

    /// The same with something done to it, which is done once: what it is called makes a template, and later databases are its
    /// copies, down to whatever was drawn at random in it.
    ///
    /// - Parameters:
    ///   - kind: what `prepare` does, in a word that means nothing else in this process.
    ///   - prepare: what is done, given the administrator's settings. It leaves no connection open.
    /// - Throws: `PostgresError` if a statement fails, or what `prepare` throws.
    @Loop package static func makeDatabase(
        schemas: [String], kind: String, prepare: @escaping @Loop (PostgresSettings) async throws -> Void
    ) async throws -> (administrator: PostgresSettings, roles: [String: PostgresSettings]) {
        if templates[kind] == nil {
            templates[kind] = Loop.task {
                let template = try await makeDatabase(schemas: schemas).administrator
                try await prepare(template)
                return template.database
            }
        }
        let template = try await templates[kind]!.value
        let name = newName()
        let connection = try await PostgresConnection.open(administrator)
        defer { connection.close() }
        try await connection.script("create database \(name) template \(template) strategy file_copy")
        return settings(of: name, schemas)
    }

    @Loop private static var templates: [String: Task<String, any Error>] = [:]

    private static func newName() -> String {
        "t\(UUID.v4().description.replacing("-", with: "").prefix(16))"
    }

    private static func settings(
        of database: String, _ schemas: [String]
    ) -> (administrator: PostgresSettings, roles: [String: PostgresSettings]) {
        var settings = administrator
        settings.database = database
        let roles = schemas.map { schema in
            var role = settings.with("search_path", schema)
            role.user = schema
            return (schema, role)
        }
        return (settings, Dictionary(uniqueKeysWithValues: roles))
    }
}
