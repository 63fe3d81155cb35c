import Contracts
import EventConsumer
import EventStore
import Postgres
import PostgresTesting
import Primitives
import Runtime
import ServiceKit
import Testing

/// What older programs may still call while a newer schema is there already; nothing calls them any more.
private let superseded: Set<String> = ["discard_session_objects", "end_other_logins"]

@Suite(.timeLimit(.minutes(10))) @Loop struct `The row functions of a service` {
    @Test(arguments: ServiceName.allCases)
    func `are the ones in its schema, with their arguments and refusals`(service: ServiceName) async throws {
        let found = try await functions(service.declaration)
        let declared = EventStoreRows.all + ConsumerRows.all + KitRows.all + service.declaration.rowFunctions
        #expect(Set(declared.map(\.name)).count == declared.count, "One function is declared twice.")
        #expect(
            Set(found.keys) == Set(declared.map(\.name)).union(superseded.intersection(found.keys)),
            "Schema and declarations disagree about which functions there are.")
        for function in declared {
            guard let source = found[function.name] else { continue }
            #expect(Self.arguments(source) == Set(function.arguments), "row_\(function.name): arguments")
            #expect(
                Self.refusals(source) == Set(function.refusals.map(\.description)), "row_\(function.name): refusals")
        }
    }

    /// The sources of the functions `row_…` of a service's schema, by their names without the prefix.
    private func functions<S: Service>(_: S.Type) async throws -> [String: String] {
        let rows = try await withMigratedSchema(of: S.self) { pool in
            try await pool.query(
                """
                select p.proname, p.prosrc from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                where n.nspname = $1 and p.proname like 'row\\_%'
                """, [.text(S.name.rawValue)]
            ).rows
        }
        return Dictionary(uniqueKeysWithValues: rows.map { (String($0.text(0).dropFirst(4)), $0.text(1)) })
    }

    /// The members of `args` that a function reads, one by one or all at once as a record.
    nonisolated private static func arguments(_ source: String) -> Set<String> {
        var names = Set(source.matches(of: #/args(?:::jsonb)? -?(?:->>?|\?) '(\w+)'/#).map { String($0.1) })
        if let record = source.firstMatch(of: #/json_to_record\(args\) as a \(([^)]*)\)/#) {
            for column in record.1.split(separator: ",") {
                let name = column.split(whereSeparator: \.isWhitespace).first ?? ""
                names.insert(String(name.filter { $0 != "\"" }))
            }
        }
        return names
    }

    /// What a function may answer besides null.
    nonisolated private static func refusals(_ source: String) -> Set<String> {
        var codes = Set(source.matches(of: #/return '([a-z-]+)'/#).map { String($0.1) })
        codes.formUnion(source.matches(of: #/then null else '([a-z-]+)' end/#).map { String($0.1) })
        return codes
    }
}
