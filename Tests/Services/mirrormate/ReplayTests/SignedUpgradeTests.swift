import Configuration
import Contracts
import Crypto
import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import Kafka
import Postgres
import Primitives
import Replay
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import identity
@testable import quota

/// Release 1 signed nothing: what it announced counts until identity has announced it again.
@Suite(.timeLimit(.minutes(10))) @Loop struct `An upgrade to signed announcements` {
    private func assembly(_ schemas: AllSchemas) async throws -> ServiceAssembly<QuotaService> {
        let role = schemas.writer(.quota)
        let environment = Environment(
            [
                "DATABASE_HOST": role.host, "DATABASE_PASSWORD": "0123456789abcdef0123456789abcdef",
                "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1", "OBJECT_STORE": "file:///nowhere",
            ].merging(TestAnnouncements.variables) { $1 })
        var settings = ServiceSettings(.quota, environment, believes: true)
        settings.database = role
        return try await ServiceAssembly(QuotaService.self, settings, environment, log: schemas.log)
    }

    private func until(_ what: String, _ holds: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try await !holds() {
            if ContinuousClock.now > deadline {
                Issue.record("It did not come true: \(what)")
                throw CancellationError()
            }
            try await Loop.sleep(for: .milliseconds(20))
        }
    }

    @Test(arguments: ReleasedData.all)
    func `announces keys, retirements and erasures again, and then believes nothing unsigned`(
        release: String
    ) async throws {
        try await AllSchemas.run(release: release) { schemas in
            let broker = try LedgerStage.broker()
            let log = schemas.logs[.identity]!
            let quota = try await assembly(schemas)
            // The keys of the release have an end, and this test has none.
            try await schemas.script(
                .identity, "update signing_keys set expires_at = now() + interval '1 day' where retired_at is null")
            let seal = AnnouncementSigner(TestAnnouncements.key).seal
            let relay = Relay(
                store: log, service: .identity, topic: Topic(.identity), kafka: broker.settings, log: schemas.log,
                seal: seal, publication: IdentityService.publication)
            let consumer = EventConsumer(
                store: quota.context.store, group: "quota", topics: [Topic(.identity)], kafka: broker.settings,
                log: schemas.log, handler: quota.handler)
            let tasks = [Loop.task { await relay.run() }, Loop.task { await consumer.run() }]
            func number(_ sql: String) async throws -> Int64 { try await schemas.number(.quota, sql) }
            func end(of work: () async throws -> Void) async throws {
                try await work()
                let head = try await schemas.store(.identity).head()
                try await self.until("the relay has published \(head)") {
                    try await schemas.number(.identity, "select cursor from relay") == head
                }
                try await self.until("quota has read it") {
                    try await LedgerStage(schemas, broker).examine().services.first { $0.service == .quota }?
                        .consumers.first { $0.source == .identity }?.behind == 0
                }
            }

            // Until identity signs, its old word counts.
            try await end {}
            let keys = try await number("select count(*) from signing_keys")
            #expect(keys > 0)
            #expect(try await number("select count(*) from signing_keys where signed") == 0)
            #expect(try await number("select count(*) from parked_messages") == 0)

            let announcer = Announcer(log, key: TestAnnouncements.key.publicKey.thumbprint)
            try await end {
                try await announcer.begin()
                try await announcer.repeatErasures()
            }
            #expect(try await number("select count(*) from announcements_begun") == 1)
            let living = try await schemas.number(
                .identity, "select count(*) from signing_keys where retired_at is null")
            #expect(living > 0)
            #expect(try await number("select count(*) from signing_keys where signed and retired_at is null") == living)
            let retired = try await schemas.number(.identity, "select count(*) from retired_keys")
            #expect(try await number("select count(*) from retired_keys") == retired)
            let erased = try await schemas.number(.identity, "select count(*) from erased_subjects")
            #expect(erased > 0)
            let said = "select count(*) from events where type = 'UserErased' and schema_version = 2"
            #expect(try await schemas.number(.identity, said) == erased)
            #expect(try await number("select count(*) from erased_subjects") == erased)
            #expect(try await number("select count(*) from parked_messages") == 0)

            // A second start changes nothing.
            let head = try await schemas.store(.identity).head()
            try await announcer.begin()
            try await announcer.repeatErasures()
            #expect(try await schemas.store(.identity).head() == head)

            // Behind that position an unsigned word is refused, and the chain goes on.
            let topic = Topic(.identity)
            let record = try await unsigned(topic, log, broker.settings)
            let producer = try KafkaProducer(settings: broker.settings)
            _ = try await producer.send([record])
            await producer.close()
            try await until("it is set aside") { try await number("select count(*) from parked_messages") == 1 }
            #expect(
                try await number("select count(*) from parked_messages where reason = 'announcement-unsigned'") == 1)
            try await end {
                let next = Announcer(log, key: "the next key")
                try await next.begin()
                try await next.repeatErasures()
            }
            #expect(try await number("select count(*) from announcements_begun") == 2)
            #expect(consumer.progress.allSatisfy { $0.alarm == nil })

            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.result }
            await quota.close()
            await broker.close()
        }
    }

    /// A key as release 1 announced it, behind the last message of its partition.
    private func unsigned(_ topic: Topic, _ log: EventStore, _ kafka: KafkaSettings) async throws -> OutgoingRecord {
        let partition = topic.partition(of: .system)
        let reader = try PartitionReader(settings: kafka)
        var last: KafkaRecord?
        _ = try await reader.readToEnd(TopicPartition(topic: topic.name, partition: partition)) { records in
            last = records.last { $0.header(MessageHeaders.position) != nil } ?? last
        }
        await reader.close()
        let record = try #require(last)
        let position = try #require(record.header(MessageHeaders.position).flatMap { Int64($0) })
        let changed = [
            MessageHeaders.type: SigningKeyPublished.type.description, MessageHeaders.id: "\(UUID.v4())",
            MessageHeaders.position: "\(position + 1)", MessageHeaders.previous: "\(position)",
        ]
        let headers = record.headers.filter { $0.0 != MessageHeaders.signature }.map { name, value in
            (name, changed[name].map { Array($0.utf8) } ?? value)
        }
        return OutgoingRecord(
            topic: topic.name, partition: partition, key: record.key, value: record.value,
            headers: RecordHeaders(headers))
    }
}
