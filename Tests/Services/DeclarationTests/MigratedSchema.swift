import Contracts
import EventStore
import Postgres
import PostgresTesting
import Runtime
import ServiceKit

/// Does something with the schema of a service as its migrations make it, in a database of its own, as the owner of all.
@Loop func withMigratedSchema<S: Service, T: Sendable>(
    of _: S.Type, _ body: @Loop (PostgresPool) async throws -> T
) async throws -> T {
    let name = S.name.rawValue
    let database = try await TestPostgres.makeDatabase(schemas: [name])
    _ = try await Migrator(schema: name, role: name, migrations: ServiceProgram.migrations(S.self))
        .run(database.administrator)
    let pool = PostgresPool(database.administrator, size: 1)
    defer { pool.close() }
    return try await body(pool)
}
