import Contracts
import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import History
import JSON
import Kafka
import Primitives
import Replay
import Runtime
import ServiceKit
import Testing

@testable import sessions

/// Takes note of messages and does nothing; one owner's cannot be handled.
@Loop private final class Reader: MessageHandler {
    var poisoned: UUID?
    func handle(_ message: ReceivedMessage, calls _: [RowCall]) async throws {
        if message.key.owner == poisoned { throw MessageFault("poison") }
    }
    func isErasure(_: ReceivedMessage) -> Bool { false }
    func orphan(_: RecordedEvent) async throws {}
}

@Suite(.timeLimit(.minutes(5))) @Loop struct `The ledger` {
    private let topic = Topic(.sessions)

    private func broker() throws -> MockBroker {
        try MockBroker(
            topics: ServiceName.allCases.map {
                TopicDefinition(name: Topic($0).name, partitions: Topic($0).partitions)
            })
    }

    private func create(_ house: House, owner: UUID) async throws {
        let session = SessionIdentity(sessionId: .v4(), ownerId: owner, kind: .mirrormate)
        let creation = SessionCreation(
            timeZone: "UTC", createdAt: .now(), expiresAt: .now(), contentType: "video/mp4", contentLength: 1)
        _ = try await house.append(
            .sessions, Session.stream(session.sessionId), [SessionEvent.created(session, creation)])
    }

    /// Runs the relay of sessions and, as its reader, quota until both have come to the end.
    private func settle(_ house: House, _ kafka: KafkaSettings, _ reader: Reader = Reader()) async throws {
        let relay = Relay(
            store: house.logs[.sessions]!, service: .sessions, topic: topic, kafka: kafka, log: house.log,
            publication: SessionHistory.history.publication)
        let consumer = EventConsumer(
            store: house.logs[.quota]!, group: "quota-\(UUID.v4())", topics: [topic], kafka: kafka, log: house.log,
            handler: reader)
        let tasks = [Loop.task { await relay.run() }, Loop.task { await consumer.run() }]
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let head = try await house.store(.sessions).head()
            let cursor = try await house.number(.sessions, "select cursor from relay")
            if cursor == head {
                let findings = try await Ledger(house.stores, kafka: kafka, patience: .seconds(3_600)).examine()
                let quota = findings.services.first { $0.service == .quota }
                if quota?.consumers.first(where: { $0.source == .sessions })?.behind == 0 { break }
            }
            try await Loop.sleep(for: .milliseconds(20))
        }
        for task in tasks {
            task.cancel()
            _ = await task.result
        }
    }

    private func faults(_ house: House, _ kafka: KafkaSettings) async throws -> [LedgerFault] {
        try await Ledger(house.stores, kafka: kafka, patience: .seconds(3_600)).examine().faults
    }

    @Test func `finds nothing where nothing is wrong, and names each injected fault with its place`() async throws {
        try await House.run { house in
            let broker = try broker()
            let kafka = broker.settings
            let owner = UUID.v4()
            for _ in 0..<3 { try await create(house, owner: owner) }
            for _ in 0..<6 { try await create(house, owner: .v4()) }
            try await settle(house, kafka)
            #expect(try await faults(house, kafka) == [])

            let partition = topic.partition(of: .owner(owner))
            let place = TopicPartition(topic: topic.name, partition: partition)
            let admin = try PartitionReader(settings: kafka)
            var records: [KafkaRecord] = []
            _ = try await admin.readToEnd(place) { records += $0 }
            await admin.close()
            let end = Int64(records.count)
            let last = try #require(records.last { $0.header(MessageHeaders.position) != nil })
            let producer = try KafkaProducer(settings: kafka)
            var zombie = last.headers
            zombie.removeAll { $0.0 == MessageHeaders.epoch }
            zombie.append((MessageHeaders.epoch, Array("0".utf8)))
            _ = try await producer.send([
                copy(last, last.headers), copy(last, zombie),
                OutgoingRecord(topic: place.topic, partition: place.partition, value: [], headers: []),
            ])
            await producer.close()
            var found = try await faults(house, kafka)
            #expect(found.map(\.kind) == [.duplicate, .zombie, .foreign])
            #expect(found.map(\.place) == (end..<end + 3).map { "\(place)@\($0)" })

            // An event withheld: the relay's account says it was published.
            try await create(house, owner: owner)
            let head = try await house.store(.sessions).head()
            try await house.script(.sessions, "update relay set cursor = \(head)")
            found = try await faults(house, kafka).filter { $0.kind == .lost }
            #expect(found.map(\.place) == ["\(place)"])
            #expect(found.first?.detail.contains("sessions/\(head) SessionCreated") == true)
            try await house.script(.sessions, "update relay set cursor = \(head - 1)")

            // A consumer's offset moved.
            let row = "where topic = '\(topic.name)' and partition = \(partition)"
            try await house.script(.quota, "update consumer_partitions set next_offset = next_offset - 1 \(row)")
            found = try await faults(house, kafka).filter { $0.kind == .offsetMoved }
            #expect(found.map(\.place) == ["quota ← \(place)"])
            try await house.script(.quota, "update consumer_partitions set next_offset = next_offset + 1 \(row)")

            // A poison record, set aside by the real consumer.
            let reader = Reader()
            reader.poisoned = owner
            try await settle(house, kafka, reader)
            found = try await faults(house, kafka).filter { $0.kind == .parked }
            #expect(found.allSatisfy { $0.place.hasPrefix("quota ← \(place)@") })
            #expect(found.contains { $0.detail.contains("key \(owner): poison") })
            // The record without headers from above was set aside too, under a key of its own.
            let list = ParkedList(house.store(.quota))
            let items = try await list.items()
            #expect(items.map(\.reason) == ["foreign-record", "poison"])
            let writer = house.writer(.quota)
            #expect(try await list.free(items[0].id, dropping: true, writer: writer))
            #expect(try await list.free(items[1].id, dropping: false, writer: writer))
            try await settleReleased(house, kafka)
            #expect(try await list.items().isEmpty)

            // The database restored to an earlier moment.
            try await house.script(
                .sessions,
                """
                alter table events disable trigger user;
                delete from events where position > \(head - 2);
                update relay set cursor = \(head - 2);
                """)
            found = try await faults(house, kafka).filter { $0.kind == .databaseWentBack }
            #expect(found.count == 2 && found.allSatisfy { $0.detail.contains("the log ends at \(head - 2)") })

            // The topic deleted and made anew.
            await broker.close()
            let fresh = try self.broker()
            found = try await faults(house, fresh.settings).filter { $0.kind == .topicReset }
            #expect(found.contains { $0.place == "\(place)" })
            await fresh.close()
        }
    }

    /// Runs quota's reader until what was released is handled.
    private func settleReleased(_ house: House, _ kafka: KafkaSettings) async throws {
        let consumer = EventConsumer(
            store: house.logs[.quota]!, group: "quota-\(UUID.v4())", topics: [topic], kafka: kafka, log: house.log,
            handler: Reader())
        let task = Loop.task { await consumer.run() }
        let deadline = ContinuousClock.now + .seconds(60)
        while try await house.number(.quota, "select count(*) from parked_messages") > 0,
            ContinuousClock.now < deadline
        {
            try await Loop.sleep(for: .milliseconds(20))
        }
        task.cancel()
        _ = await task.result
    }

    private func copy(_ record: KafkaRecord, _ headers: [(String, [UInt8])]) -> OutgoingRecord {
        OutgoingRecord(
            topic: record.topic, partition: record.partition, key: record.key, value: record.value, headers: headers)
    }
}
