import Configuration
import Contracts
import EventConsumer
import EventRelay
package import EventStore
import Glibc
import HTTPClient
import JSON
import Kafka
import Observability
import Postgres
import Projections
package import Runtime

/// The command line of every service: `serve`, `migrate`, `topics`, `confirm-restore`, `disown-forged`, `check`,
/// `health`, `ready`, and the service's own commands.
@Loop package enum ServiceProgram {
    /// Runs the command that the process was started with and ends the process: 0 done, 1 failed, 2 wrong usage, 3 wrong
    /// configuration.
    package static func run<S: Service>(_: S.Type) async -> Never {
        Logger.configure(service: S.name.rawValue)
        let log = Logger(label: "service")
        let environment = Environment()
        // They ask the running service, without any other program. A container's health check asks whether it lives: one that has much to
        // read, or whose broker is away, gains nothing by a restart.
        let asked = CommandLine.arguments.dropFirst().first
        if asked == "health" || asked == "ready" {
            let port = UInt16(clamping: environment.port("ADMIN_PORT", default: 0))
            let isThere =
                asked == "ready"
                ? await ReadyWait.run("http://127.0.0.1:\(port)") { print("waiting: \($0)") }
                : await PortProbe.status(port: port, path: "/health/live") == 200
            exit(isThere ? 0 : 1)
        }
        let words = Array(CommandLine.arguments.dropFirst())
        let command = S.commands.first { $0.name == words.first }
        let believes = command != nil || words.first == "serve" || words.first == "confirm-restore"
        let settings = ServiceSettings(S.name, environment, believes: believes)
        do {
            if words.first == "serve" || command != nil { S.check(environment) }
            try environment.finish()
            switch words.first {
            case "serve": try await ServiceRun<S>(settings, environment, log).serve()
            case "migrate": try await migrate(S.self, settings, log)
            case "topics": try await makeTopics(S.self, settings, log)
            case "confirm-restore":
                try await RestoreConfirmation<S>(settings: settings, log: log, environment: environment).run()
            case "disown-forged":
                let report = try await Disowning<S>(settings: settings, log: log).run(Array(words.dropFirst()))
                print(JSONValue.object(report).text)
            case "check": exit(await SelfCheck<S>(settings).run() ? 0 : 1)
            default:
                guard let command else {
                    let names =
                        ["serve", "migrate", "topics", "confirm-restore", "disown-forged", "check", "health", "ready"]
                        + S.commands.map(\.name)
                    throw UsageError("usage: \(S.name.rawValue) \(names.joined(separator: " | "))")
                }
                print(try await run(command, Array(words.dropFirst()), settings, environment, log))
            }
            exit(0)
        } catch let error as UsageError {
            print(error)
            exit(2)
        } catch let error as ConfigurationError {
            log.error("configuration is wrong", ["problems": .array(error.problems.map(JSONValue.string))])
            exit(3)
        } catch let error as PostgresError {
            log.error(
                "ended with an error", ["reason": .string(error.description), "code": .string(error.code.rawValue)])
            exit(1)
        } catch {
            log.error("ended with an error", ["reason": .string("\(error)")])
            exit(1)
        }
    }

    private static func run(
        _ command: ServiceCommand, _ words: [String], _ settings: ServiceSettings, _ environment: Environment,
        _ log: Logger
    ) async throws -> String {
        let context = try await ServiceContext.forCommand(settings, environment, log)
        let sentence = try await command.run(context, words)
        await context.store.close()
        return sentence
    }

    /// All files of a service's schema in order.
    package nonisolated static func migrations<S: Service>(_: S.Type) -> [Migration] {
        Migration.eventStore + Migration.relay + Migration.consumer + Migration.projections + Migration.serviceKit
            + S.migrations
    }

    private static func migrate<S: Service>(_: S.Type, _ settings: ServiceSettings, _ log: Logger) async throws {
        guard let administrator = settings.migration else {
            throw ConfigurationError(problems: ["MIGRATION_DATABASE_USER is missing: name a role that may own schemas."]
            )
        }
        let migrator = Migrator(schema: S.name.rawValue, role: settings.database.user, migrations: migrations(S.self))
        let done = try await migrator.run(administrator)
        log.info("schema is up to date", ["applied": .int(Int64(done.count))])
    }

    private static func makeTopics<S: Service>(_: S.Type, _ settings: ServiceSettings, _ log: Logger) async throws {
        // The development broker creates its topics itself and supports no admin calls.
        if settings.kafka.kind == .development { return }
        let topic = Topic(S.name)
        let admin = try KafkaAdmin(settings: settings.kafka)
        do {
            // Brokers that started a moment ago on a busy machine need their time.
            try await admin.createTopics([definition(of: topic)], within: .seconds(120))
            if settings.grantsAccess { try await grantAccess(S.self, admin, log) }
            await admin.close()
        } catch {
            await admin.close()
            throw error
        }
    }
}

extension ServiceProgram {
    /// How a topic is made: it keeps all that is ever said in it, as a service that comes later reads it from its beginning.
    nonisolated static func definition(of topic: Topic) -> TopicDefinition {
        TopicDefinition(
            name: topic.name, partitions: topic.partitions,
            configuration: [("retention.ms", "-1"), ("retention.bytes", "-1"), ("cleanup.policy", "delete")])
    }

    /// Grants what the service declares, and takes away what it does not, such as what a version before it read.
    private static func grantAccess<S: Service>(_: S.Type, _ admin: KafkaAdmin, _ log: Logger) async throws {
        let grants = grants(S.self)
        // First, so that a service that runs meanwhile misses nothing.
        try await admin.grant(grants)
        let own = try await admin.withdraw(from: S.name.rawValue, beyond: grants)
        let tools = try await admin.withdraw(from: "tools", beyond: grants, over: Topic(S.name).name)
        for (client, taken) in [(S.name.rawValue, own), ("tools", tools)] where !taken.isEmpty {
            log.notice(
                "rights at the brokers taken away that nobody declares",
                ["client": .string(client), "rights": .array(taken.map(JSONValue.string))])
        }
    }

    /// What a service's client needs at the brokers: its own topic, those it reads, its group; and the command line, which
    /// compares topics with logs, reads them.
    nonisolated static func grants<S: Service>(_: S.Type) -> [KafkaGrant] {
        let own = Topic(S.name).name
        let name = S.name.rawValue
        return [KafkaGrant(name, may: .write(topic: own)), KafkaGrant(name, may: .join(group: consumerGroup(S.self)))]
            + ([S.name] + S.reads).map { KafkaGrant(name, may: .read(topic: Topic($0).name)) }
            + [KafkaGrant("tools", may: .read(topic: own))]
    }

    /// The durable name of a service's consumer; never rename it.
    nonisolated static func consumerGroup<S: Service>(_: S.Type) -> String { "mirrormate.\(S.name.rawValue)" }
}

extension Migration {
    /// What every service has in its schema besides the event core's objects.
    static let serviceKit: [Migration] = [
        Migration("request_key", PackageResources.request_key_sql),
        Migration("signing_keys", PackageResources.signing_keys_sql),
        Migration("object_intents", PackageResources.object_intents_sql),
        Migration("object_sweep", PackageResources.object_sweep_sql),
        Migration("reader", PackageResources.reader_sql),
        Migration("object_purpose", PackageResources.object_purpose_sql),
        Migration("object_kept", PackageResources.object_kept_sql),
        Migration("signed_announcements", PackageResources.signed_announcements_sql),
        Migration("ended_logins", PackageResources.ended_logins_sql),
        Migration("service_instances", PackageResources.service_instances_sql),
        Migration("app_tokens", PackageResources.app_tokens_sql),
        Migration("taken_back", PackageResources.taken_back_sql),
        Migration("object_until", PackageResources.object_until_sql),
        Migration("export_parts", PackageResources.export_parts_sql),
        Migration("consents", PackageResources.consents_sql),
        Migration("consent_required", PackageResources.consent_required_sql),
        Migration("api_keys", PackageResources.api_keys_sql),
        Migration("stuck_rows", PackageResources.stuck_rows_sql),
    ]
}
