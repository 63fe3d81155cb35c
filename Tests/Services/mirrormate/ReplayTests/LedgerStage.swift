import Contracts
import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import History
import Kafka
import Primitives
import Replay
import Runtime

@testable import sessions

/// Consumes messages and does nothing; those of one owner cannot be handled.
@Loop final class IdleReader: MessageHandler {
    var poisoned: UUID?
    func handle(_ message: ReceivedMessage, through _: any AppendGate) async throws {
        if message.key.owner == poisoned { throw MessageFault("poison") }
    }
    func isLastWord(_: ReceivedMessage) -> Bool { false }
    func takeBack(_: RecordedEvent, through _: any AppendGate) async throws {}
}

/// All schemas with a broker, where sessions publishes and quota reads; both run only when started by a test.
@Loop struct LedgerStage {
    let schemas: AllSchemas
    let kafka: KafkaSettings
    let topic = Topic(.sessions)

    static func broker() throws -> MockBroker {
        try MockBroker(
            topics: ServiceName.allCases.map {
                TopicDefinition(name: Topic($0).name, partitions: Topic($0).partitions)
            })
    }

    init(_ schemas: AllSchemas, _ broker: MockBroker) {
        self.schemas = schemas
        kafka = broker.settings
    }

    /// Creates a session; returns its position in the log.
    @discardableResult
    func create(owner: UUID) async throws -> Int64 {
        let session = SessionIdentity(sessionId: .v4(), ownerId: owner, kind: .mirrormate)
        let creation = SessionCreation(
            timeZone: "UTC", createdAt: .now(), expiresAt: .now(), contentType: "video/mp4", contentLength: 1)
        return try await schemas.append(
            .sessions, Session.stream(session.sessionId), [SessionEvent.created(session, creation)])
    }

    /// The partition of an owner's messages.
    func partition(of owner: UUID) -> TopicPartition {
        TopicPartition(topic: topic.name, partition: topic.partition(of: .owner(owner)))
    }

    /// Runs the relay of sessions and its reader, quota, until both have reached the end.
    func settle(_ reader: IdleReader = IdleReader()) async throws {
        let relay = Relay(
            store: schemas.logs[.sessions]!, service: .sessions, topic: topic, kafka: kafka, log: schemas.log,
            publication: SessionsService.publication)
        let task = Loop.task { await relay.run() }
        try await consume(reader) {
            let head = try await schemas.store(.sessions).head()
            guard try await schemas.number(.sessions, "select cursor from relay") == head else { return false }
            let quota = try await examine().services.first { $0.service == .quota }
            return quota?.consumers.first { $0.source == .sessions }?.behind == 0
        }
        task.cancel()
        _ = await task.result
    }

    /// Runs the relay of sessions alone until it has reached the end, at most a minute.
    func publish() async throws { try await publish(.sessions, publication: SessionsService.publication) }

    /// Runs the relay of a service alone until it has reached the end, at most a minute.
    ///
    /// - Parameter seal: signs what is announced.
    func publish(
        _ service: ServiceName, seal: AnnouncementSeal? = nil,
        publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) async throws {
        let relay = Relay(
            store: schemas.logs[service]!, service: service, topic: Topic(service), kafka: kafka, log: schemas.log,
            seal: seal, publication: publication)
        let task = Loop.task { await relay.run() }
        let deadline = ContinuousClock.now + .seconds(60)
        let head = try await schemas.store(service).head()
        while try await schemas.number(service, "select cursor from relay") < head, ContinuousClock.now < deadline {
            try await Loop.sleep(for: .milliseconds(20))
        }
        task.cancel()
        _ = await task.result
    }

    /// Runs quota's reader until a condition holds, at most a minute.
    func consume(_ reader: IdleReader = IdleReader(), until holds: () async throws -> Bool) async throws {
        let consumer = EventConsumer(
            store: schemas.logs[.quota]!, group: "quota-\(UUID.v4())", topics: [topic], kafka: kafka, log: schemas.log,
            handler: reader)
        let task = Loop.task { await consumer.run() }
        let deadline = ContinuousClock.now + .seconds(60)
        while try await !holds(), ContinuousClock.now < deadline {
            try await Loop.sleep(for: .milliseconds(20))
        }
        task.cancel()
        _ = await task.result
    }

    func examine(patience: Duration = .seconds(3_600)) async throws -> Ledger.Findings {
        try await Ledger(schemas.stores, kafka: kafka, patience: patience).examine()
    }

    func faults() async throws -> [LedgerFault] { try await examine().faults }

    /// All records of a partition.
    func records(_ partition: TopicPartition) async throws -> [KafkaRecord] {
        let reader = try PartitionReader(settings: kafka)
        var records: [KafkaRecord] = []
        do { _ = try await reader.readToEnd(partition) { records += $0 } } catch {
            await reader.close()
            throw error
        }
        await reader.close()
        return records
    }

    /// Writes records, bypassing the relay.
    func write(_ records: [OutgoingRecord]) async throws {
        let producer = try KafkaProducer(settings: kafka)
        _ = try await producer.send(records)
        await producer.close()
    }

    /// A copy of a record with some headers replaced.
    nonisolated func copy(_ record: KafkaRecord, _ replaced: [String: String] = [:]) -> OutgoingRecord {
        OutgoingRecord(
            topic: record.topic, partition: record.partition, key: record.key, value: record.value,
            headers: record.headers.map { name, value in (name, replaced[name].map { Array($0.utf8) } ?? value) })
    }
}
