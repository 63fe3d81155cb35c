import Contracts
import EventStore
import JSON
import Kafka
import Postgres
import Primitives
import Runtime

/// The command `check`: checks everything that the service needs and says what is wrong and what to do. It changes
/// nothing, and the service need not be running.
@Loop final class SelfCheck<S: Service> {
    private let settings: ServiceSettings
    private var findings: [JSONValue] = []
    private var isSound = true

    init(_ settings: ServiceSettings) { self.settings = settings }

    /// Prints the findings as one JSON object.
    ///
    /// - Returns: whether nothing is wrong.
    func run() async -> Bool {
        if settings.announcementKeys.isEmpty {
            found(
                "announcement-keys", "The service has no public announcement keys and will not start.",
                "Run infra/announcement-key and give its file to the service: docs/operations.md.")
        }
        if settings.gatewayKey == nil {
            found(
                "gateway-unknown", "Whoever is at an address of TRUSTED_PROXIES is taken for the gateway.",
                "Run infra/upgrade, or give it GATEWAY_KEY_HASH and the gateway the key: docs/security.md.")
        }
        checkWays()
        await checkKafka()
        let store = EventStore(settings.database)
        do {
            try await Loop.withDeadline(.seconds(15)) { try await self.checkDatabase(store.pool) }
        } catch let error as PostgresError where error.code == .undefinedTable {
            found("migrations", "The schema is empty.", "Run the command migrate (compose: docker compose up -d).")
        } catch let error as PostgresError where error.message.contains("authentication failed") {
            found(
                "database-password", "The database refuses the password of \(settings.database.user).",
                "Put the right one into its file, or give the file's to the role: docker compose run --rm roles.")
        } catch let error as PostgresError where error.message.contains("certificate") {
            found(
                "database-certificate",
                "The database at \(settings.database.host) is not the one that it should be: \(error.message)",
                "See that DATABASE_AUTHORITY_FILE is its authority's and that DATABASE_HOST is a name of its certificate."
            )
        } catch {
            found(
                "database", "The database at \(settings.database.host) cannot be used: \(Self.words(of: error)).",
                "Start it and look into its log; the services go on by themselves.")
        }
        await store.close()
        let report: JSONObject = [
            "service": .string(S.name.rawValue), "sound": .bool(isSound), "findings": .array(findings),
        ]
        print(JSONValue.object(report).text)
        return isSound
    }

    /// What an error says, without the full stop at its end.
    private static func words(of error: any Error) -> String {
        let said = "\(error)"
        return said.hasSuffix(".") ? String(said.dropLast()) : said
    }

    private func found(_ code: String, _ message: String, _ advice: String) {
        isSound = false
        findings.append(["code": .string(code), "message": .string(message), "advice": .string(advice)])
    }

    /// Names what is reached in such a way that whoever sits between reads along.
    private func checkWays() {
        if case .preferred = settings.database.security, Self.isElsewhere(settings.database.host) {
            found(
                "database-open",
                "Whoever sits between this service and the database at \(settings.database.host) can read along and pose as it.",
                "Set DATABASE_TLS=verify and DATABASE_AUTHORITY_FILE: docs/security.md, 'What follows for operators'.")
        }
        if let address = settings.objectsAddress, address.hasPrefix("http://") {
            let place = address.dropFirst(7).prefix { $0 != "/" }
            let host =
                place.hasPrefix("[") ? place.dropFirst().prefix { $0 != "]" } : place.prefix { $0 != ":" }
            if Self.isElsewhere(host) {
                found(
                    "objects-open",
                    "Whoever sits between this service and the objects at \(address) can read and change them on the way.",
                    "Set S3_ENDPOINT to an https address: docs/security.md, 'What follows for operators'.")
            }
        }
    }

    /// Whether a host is on another network. A name without a dot is of the network inside, as in Compose; a path is a socket's.
    private static func isElsewhere(_ host: some StringProtocol) -> Bool {
        let isHere = host.hasPrefix("/") || host.hasPrefix("127.") || host == "::1"
        return !isHere && (host.contains(".") || host.contains(":"))
    }

    private func checkKafka() async {
        if settings.kafka.kind == .development { return }
        checkBrokerSecurity()
        do {
            let admin = try KafkaAdmin(settings: settings.kafka)
            let declared = [Topic(S.name)] + S.reads.map { Topic($0) }
            for topic in declared {
                switch try await admin.partitionCount(of: topic.name, within: .seconds(10)) {
                case topic.partitions?: continue
                case nil:
                    found("topic", "The topic \(topic.name) is missing.", "Run the command topics of its service.")
                case let count?:
                    found(
                        "topic-partitions", "\(topic.name) has \(count) partitions instead of \(topic.partitions).",
                        "A key's order rests on the number: see 'A new number of partitions' in docs/operations.md.")
                }
            }
            if !settings.kafka.security.isOpen { checkRights(declared, try await admin.cluster().topics.keys) }
            await admin.close()
        } catch {
            found(
                "kafka", "Kafka at \(settings.kafka.bootstrap) cannot be asked: \(Self.words(of: error)).",
                "Start it and look into its log; nothing is lost meanwhile, the log is the outbox.")
        }
    }

    /// Names what the brokers show this service though it declares nothing of the kind: they name nobody a topic that is closed to them.
    private func checkRights(_ declared: [Topic], _ seen: some Collection<String>) {
        let others = ServiceName.allCases.map { Topic($0).name }.filter { name in
            seen.contains(name) && !declared.contains { $0.name == name }
        }
        guard !others.isEmpty else { return }
        found(
            "kafka-rights", "Kafka lets this service see what it does not declare: \(others.joined(separator: ", ")).",
            "See that the brokers have an authorizer, and run the command topics with KAFKA_ACCESS_CONTROL=true: docs/operations.md, 'Who may do what in Kafka'."
        )
    }

    private func checkBrokerSecurity() {
        let brokers = settings.kafka.bootstrap.split(separator: ",")
        let isElsewhere = !brokers.allSatisfy {
            $0.hasPrefix("127.") || $0.hasPrefix("localhost:") || $0.hasPrefix("[::1]")
        }
        if settings.kafka.security.isOpen, isElsewhere {
            found(
                "kafka-open", "Whoever reaches Kafka at \(settings.kafka.bootstrap) reads and writes everything there.",
                "Set KAFKA_SECURITY, and let the brokers refuse what is not granted: docs/operations.md, 'Who may do what in Kafka'."
            )
        }
        do {
            guard let end = try BrokerCertificate.end(settings.kafka.security) else { return }
            let left = end - .now()
            if left < BrokerCertificate.notice {
                found(
                    "kafka-certificate",
                    left < .zero
                        ? "The certificate for Kafka has ended."
                        : "The certificate for Kafka ends in \(left.milliseconds / 86_400_000) days.",
                    "Run infra/certificates, then restart Kafka and the services: docs/operations.md.")
            }
        } catch {
            found(
                "kafka-certificate", "The certificate for Kafka cannot be read.",
                "See that KAFKA_CERTIFICATE_FILE is PEM with a certificate and its private key.")
        }
    }

    private func checkDatabase(_ pool: PostgresPool) async throws {
        let migrator = Migrator(
            schema: S.name.rawValue, role: settings.database.user, migrations: ServiceProgram.migrations(S.self))
        let missing = try await migrator.missing(pool)
        if !missing.isEmpty {
            found(
                "migrations", "Missing or changed migrations: \(missing.joined(separator: ", ")).",
                "Run the command migrate (compose: docker compose up -d).")
            return
        }
        let version = try await pool.query("select current_setting('server_version_num')::bigint").rows[0].int(0)
        if version < 150_000 {
            found("postgres-version", "PostgreSQL \(version / 10_000) is too old.", "Use 15 or newer.")
        }
        let before = Timestamp.now()
        let row = try await pool.query(
            """
            select clock_timestamp(), (select refused from head),
                coalesce((extract(epoch from clock_timestamp() - (select recorded_at from events
                    where position > r.cursor order by position limit 1)))::bigint, 0),
                (select count(*) from parked_messages),
                (select string_agg(topic || '/' || partition || ': ' || alarm, '; ') from consumer_partitions
                    where alarm is not null),
                (select count(*) filter (where deadline < clock_timestamp() - interval '1 hour')
                    + greatest(count(*) filter (where unwanted and deadline is null) - 100, 0) from object_intents)
            from relay r
            """
        ).rows[0]
        let seconds = abs(row.time(0).microseconds - before.microseconds) / 1_000_000
        if seconds > 2 {
            found("clock", "The database's clock is \(seconds) s away from this one.", "Run a time service on both.")
        }
        if let reason = row.optional(1, PostgresRow.text) {
            found(
                "store-refused", "Appends are refused: \(reason)",
                "Was it restored on purpose? Run confirm-restore. If not: docs/operations.md, 'Somebody else wrote into a topic'."
            )
        }
        if row.int(2) > 60 {
            found(
                "relay-age", "Events wait for \(row.int(2)) s to be published.",
                "See that the service runs and that Kafka has room; its log names the trouble ('relay stopped').")
        }
        if row.int(3) > 0 {
            found(
                "parked", "\(row.int(3)) messages are set aside.",
                "See 'A poison message' in docs/operations.md: read the reason, fix the cause, release them.")
        }
        if let alarm = row.optional(4, PostgresRow.text) {
            found(
                "chain", "Messages are missing: \(alarm)",
                "Rewind the publisher's relay: docs/operations.md, 'Messages are missing'.")
        }
        if row.int(5) > 0 {
            found("sweeper", "\(row.int(5)) objects should have been removed.", "See that the object store answers.")
        }
        try await checkWork(pool)
        for finding in try await S.findings(pool) { found(finding.code, finding.message, finding.advice) }
    }

    private func checkWork(_ pool: PostgresPool) async throws {
        let stuck = try await pool.query(
            "select work, key, code, count(*) over () from stuck_rows order by since, work, key limit 3"
        ).rows
        guard let first = stuck.first else { return }
        let named = stuck.map { "\($0.text(0)) \($0.text(1)) (\($0.text(2)))" }.joined(separator: ", ")
        let all = first.int(3)
        found(
            "stuck-rows",
            "Work in the background fails for \(all) row\(all == 1 ? "" : "s"): \(named)\(all > 3 ? ", …" : "").",
            "The others go on. See 'A row that cannot be worked on' in docs/operations.md.")
    }
}
