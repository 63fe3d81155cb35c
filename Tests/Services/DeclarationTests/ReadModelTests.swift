import Contracts
import History
import Postgres
import Runtime
import ServiceKit
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `The table of a read model` {
    @Test(arguments: ServiceName.allCases)
    func `has the columns that its row declares, and a key`(service: ServiceName) async throws {
        try await withMigratedSchema(of: service.declaration) { pool in
            for model in service.declaration.readModels {
                let found = try await Self.columns(of: "\(service.rawValue).\(model.name)", pool)
                let declared = Set(model.columns + ["key"])
                #expect(declared.count == model.columns.count + 1, "\(model.name): a column is declared twice.")
                #expect(
                    declared.subtracting(found).sorted() == [], "\(model.name): columns that no migration has added")
                #expect(
                    found.subtracting(declared).sorted() == [], "\(model.name): columns that the row does not declare")
            }
        }
    }

    private static func columns(of table: String, _ pool: PostgresPool) async throws -> Set<String> {
        let rows = try await pool.query(
            """
            select attname::text from pg_attribute
            where attrelid = $1::regclass and attnum > 0 and not attisdropped
            """, [.text(table)]
        ).rows
        return Set(rows.map { $0.text(0) })
    }
}
