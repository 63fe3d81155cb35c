import Contracts
import EventStore
import History
import Kafka
import Primitives
import Replay
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import identity

/// The announcement key was changed, and the one before it dropped.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A ledger that no longer knows a key` {
    private let topic = Topic(.identity)

    @Test func `finds no fault in what identity's log says too, and does in what it does not say`() async throws {
        try await AllSchemas.run { schemas in
            let broker = try LedgerStage.broker()
            let stage = LedgerStage(schemas, broker)
            let announcer = Announcer(schemas.logs[.identity]!, key: TestAnnouncements.keyID)
            try await announcer.begin()
            try await publish(stage)
            #expect(try await faults(schemas, broker) == [])

            let partition = TopicPartition(topic: topic.name, partition: topic.partition(of: .system))
            let records = try await stage.records(partition)
            let said = try #require(records.last { $0.header(MessageHeaders.position) != nil })
            try await stage.write([
                OutgoingRecord(
                    topic: said.topic, partition: said.partition, key: said.key,
                    value: Array(#"{"announcementKey":"a thief's"}"#.utf8), headers: said.headers)
            ])
            let found = try await faults(schemas, broker)
            #expect(found.map(\.kind) == [.foreign])
            #expect(found.map(\.place) == ["\(partition)@\(records.count)"])
            #expect(found.first?.detail.contains("nobody knows the key that signed it") == true)
            await broker.close()
        }
    }

    @Test func `finds what is missing as before`() async throws {
        try await AllSchemas.run { schemas in
            let broker = try LedgerStage.broker()
            let stage = LedgerStage(schemas, broker)
            let announcer = Announcer(schemas.logs[.identity]!, key: TestAnnouncements.keyID)
            try await announcer.begin()
            try await publish(stage)
            try await Announcer(schemas.logs[.identity]!, key: "the next key").begin()
            let head = try await schemas.store(.identity).head()
            try await schemas.script(.identity, "update relay set cursor = \(head)")
            #expect(try await faults(schemas, broker).map(\.kind) == [.lost])
            await broker.close()
        }
    }

    private func faults(_ schemas: AllSchemas, _ broker: MockBroker) async throws -> [LedgerFault] {
        let ledger = Ledger(
            schemas.stores, kafka: broker.settings, patience: .seconds(3_600),
            doubt: { $0.header(MessageHeaders.position) == nil ? nil : "nobody knows the key that signed it" })
        return try await ledger.examine().faults
    }

    private func publish(_ stage: LedgerStage) async throws {
        try await stage.publish(
            .identity, seal: AnnouncementSigner(TestAnnouncements.key).seal, publication: IdentityService.publication)
    }
}
