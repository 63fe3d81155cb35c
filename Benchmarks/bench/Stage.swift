import Configuration
import EventConsumer
import EventRelay
import EventStore
import Glibc
import Kafka
import Postgres
import PostgresTesting
import Runtime

/// The servers that `infra/bench` has started, and databases to measure in.
struct Stage: Sendable {
    let kafka: KafkaSettings
    /// The project's folder.
    let root: String
    /// The folder of PostgreSQL's programs.
    let postgresPrograms: String

    static func fromEnvironment() throws -> Stage {
        func value(_ name: String) throws -> String {
            guard let text = getenv(name) else { throw BenchError("\(name) is missing; run this through infra/bench.") }
            return String(cString: text)
        }
        let kind: KafkaSettings.Kind = try value("BENCH_KAFKA_KIND") == "development" ? .development : .apache
        return Stage(
            kafka: KafkaSettings(
                bootstrap: try value("BENCH_KAFKA"), clientID: "bench", kind: kind, security: try security()),
            root: try value("BENCH_ROOT"), postgresPrograms: try value("BENCH_POSTGRES_BIN"))
    }

    /// How Kafka is to be reached, as services are told; for this process and those that it starts.
    static func security() throws -> KafkaSecurity {
        let environment = Environment()
        let security = KafkaSecurity(environment)
        try environment.finish()
        return security
    }

    /// Makes sure that topics can be used; on the development broker, only the services' own exist.
    @Loop func makeTopics(_ topics: [(name: String, partitions: Int32)]) async throws {
        let admin = try KafkaAdmin(settings: kafka)
        try await admin.createTopics(
            topics.map { TopicDefinition(name: $0.name, partitions: $0.partitions, replication: 1) })
        await admin.close()
    }

    /// A fresh database with one migrated event store per schema, as services have.
    @Loop static func makeStores(
        _ schemas: [String]
    ) async throws -> (administrator: PostgresSettings, roles: [String: PostgresSettings]) {
        let made = try await TestPostgres.makeDatabase(schemas: schemas)
        for schema in schemas {
            let migrator = Migrator(
                schema: schema, role: schema, migrations: Migration.eventStore + Migration.relay + Migration.consumer)
            _ = try await migrator.run(made.administrator)
        }
        return made
    }
}
