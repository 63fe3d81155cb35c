import Contracts
import EventRelay
import EventSourcing
import EventStore
import History
import Kafka
import Postgres
import Primitives
import Replay
import Runtime
import Testing

@testable import sessions

@Suite(.timeLimit(.minutes(10))) @Loop struct `The ledger` {
    @Test func `finds nothing where nothing is wrong, and names each injected fault with its place`() async throws {
        try await AllSchemas.run { schemas in
            let broker = try LedgerStage.broker()
            let stage = LedgerStage(schemas, broker)
            let owner = UUID.v4()
            for _ in 0..<3 { try await stage.create(owner: owner) }
            for _ in 0..<6 { try await stage.create(owner: .v4()) }
            try await stage.settle()
            #expect(try await stage.faults() == [])

            // A record twice, one of an old lease, and one that no relay wrote; the mark of an old lease is no fault.
            let partition = stage.partition(of: owner)
            let records = try await stage.records(partition)
            let end = Int64(records.count)
            let last = try #require(records.last { $0.header(MessageHeaders.position) != nil })
            let mark = try #require(records.first { $0.header(MessageHeaders.position) == nil })
            try await stage.write([
                stage.copy(last), stage.copy(last, [MessageHeaders.epoch: "0"]),
                OutgoingRecord(topic: partition.topic, partition: partition.partition, value: [], headers: []),
                stage.copy(mark, [MessageHeaders.epoch: "0"]),
            ])
            var found = try await stage.faults()
            #expect(found.map(\.kind) == [.duplicate, .zombie, .foreign])
            #expect(found.map(\.place) == (end..<end + 3).map { "\(partition)@\($0)" })

            // A withheld event that was published according to the relay.
            let head = try await stage.create(owner: owner)
            try await schemas.script(.sessions, "update relay set cursor = \(head)")
            found = try await stage.faults().filter { $0.kind == .lost }
            #expect(found.map(\.place) == ["\(partition)"])
            #expect(found.first?.detail.contains("sessions/\(head) SessionCreated") == true)
            try await schemas.script(.sessions, "update relay set cursor = \(head - 1)")

            // A consumer's offset moved.
            let row = "where topic = '\(partition.topic)' and partition = \(partition.partition)"
            try await schemas.script(.quota, "update consumer_partitions set next_offset = next_offset - 1 \(row)")
            found = try await stage.faults().filter { $0.kind == .offsetMoved }
            #expect(found.map(\.place) == ["quota ← \(partition)"])
            try await schemas.script(.quota, "update consumer_partitions set next_offset = next_offset + 1 \(row)")

            // One that would pass by what it has not seen.
            try await schemas.script(.quota, "update consumer_partitions set seen = seen - 1 \(row)")
            found = try await stage.faults().filter { $0.kind == .offsetMoved }
            #expect(found.map(\.place) == ["quota ← \(partition)"])
            #expect(found.first?.detail.contains("it has seen position") == true)
            try await schemas.script(.quota, "update consumer_partitions set seen = seen + 1 \(row)")

            // A poison record, parked by the real consumer.
            let reader = IdleReader()
            reader.poisoned = owner
            try await stage.settle(reader)
            found = try await stage.faults().filter { $0.kind == .parked }
            #expect(found.allSatisfy { $0.place.hasPrefix("quota ← \(partition)@") })
            #expect(found.contains { $0.detail.contains("key \(owner): poison") })
            // The record without headers from above was parked too, under its own key.
            let list = ParkedList(schemas.store(.quota))
            let items = try await list.items()
            #expect(items.map(\.reason) == ["foreign-record", "poison"])
            let writer = schemas.writer(.quota)
            #expect(try await list.free(items[0].id, dropping: true, writer: writer))
            #expect(try await list.free(items[1].id, dropping: false, writer: writer))
            try await stage.consume { try await list.items().isEmpty }
            #expect(try await list.items().isEmpty)

            // The database restored to an earlier moment.
            try await schemas.script(
                .sessions,
                """
                alter table events disable trigger user;
                delete from events where position > \(head - 2);
                update relay set cursor = \(head - 2);
                """)
            found = try await stage.faults().filter { $0.kind == .databaseWentBack }
            #expect(found.count == 2 && found.allSatisfy { $0.detail.contains("the log ends at \(head - 2)") })

            // The topic deleted and recreated.
            await broker.close()
            let fresh = try LedgerStage.broker()
            found = try await LedgerStage(schemas, fresh).faults().filter { $0.kind == .topicReset }
            #expect(found.contains { $0.place == "\(partition)" })
            await fresh.close()
        }
    }

    @Test func `counts what a restored store decided again as said by its new incarnation`() async throws {
        try await AllSchemas.run { schemas in
            let broker = try LedgerStage.broker()
            let stage = LedgerStage(schemas, broker)
            let owner = UUID.v4()
            let partition = stage.partition(of: owner)
            let position = try await stage.create(owner: owner)
            try await stage.settle()
            let log = try #require(schemas.logs[.sessions])
            let message = try #require(
                try await stage.records(partition).last { $0.header(MessageHeaders.position) != nil })

            // A fork before it, and the same event at the same position again.
            let next = UUID.v7()
            _ = try await log.pool.query(
                "select begin_incarnation($1, $2, $2, 1, $3)", [.uuid(next), .int(position - 1), .uuids([])])
            try await schemas.script(.sessions, "update relay set cursor = \(position)")
            var found = try await stage.faults().filter { $0.kind == .lost }
            #expect(found.map(\.place) == ["\(partition)"])

            try await stage.write([
                stage.copy(message, [MessageHeaders.incarnation: "\(next)", MessageHeaders.epoch: "1000000"])
            ])
            found = try await stage.faults().filter { $0.kind == .lost }
            #expect(found.isEmpty, "\(found)")
            await broker.close()
        }
    }

    @Test func `names a record that continues a chain and was never published, and forgets what was disowned`()
        async throws
    {
        try await AllSchemas.run { schemas in
            let broker = try LedgerStage.broker()
            let stage = LedgerStage(schemas, broker)
            let owner = UUID.v4()
            let partition = stage.partition(of: owner)
            let position = try await stage.create(owner: owner)
            try await stage.settle()
            let last = try #require(
                try await stage.records(partition).last { $0.header(MessageHeaders.position) != nil })
            try await stage.write([
                stage.copy(
                    last,
                    [
                        MessageHeaders.id: "\(UUID.v4())", MessageHeaders.position: "\(position + 1)",
                        MessageHeaders.previous: "\(position)",
                    ])
            ])
            let end = Int64(try await stage.records(partition).count) - 1
            // Nobody publishes: the database might have been restored.
            var found = try await stage.faults().filter { $0.kind == .databaseWentBack }
            #expect(found.map(\.place) == ["\(partition)@\(end)"])
            #expect(found.first?.detail.contains("somebody else wrote it") == true)

            // The relay that holds the lease has found that it was not.
            try await schemas.script(.sessions, "update relay set lease_until = now() + interval '1 hour'")
            found = try await stage.faults().filter { $0.kind == .forged }
            #expect(found.map(\.place) == ["\(partition)@\(end)"])
            #expect(try await stage.faults().allSatisfy { $0.kind != .databaseWentBack })

            // One of another service's type or source is seen by everybody.
            try await stage.write([
                stage.copy(last, [MessageHeaders.type: "mirrormate.quota.QuotaReserved.v1"]),
                stage.copy(last, [MessageHeaders.source: "/mirrormate/quota"]),
            ])
            let foreign = try await stage.faults().filter { $0.kind == .foreign }
            #expect(foreign.map(\.place) == [end + 1, end + 2].map { "\(partition)@\($0)" })
            #expect(foreign.first?.detail.contains("mirrormate.quota.QuotaReserved.v1") == true)

            try await schemas.script(.sessions, "update relay set lease_until = '-infinity'")
            let recovery = Recovery(
                store: schemas.logs[.sessions]!, topic: stage.topic, kafka: stage.kafka,
                publication: SessionsService.publication)
            #expect(try await recovery.disown().strangers.map(\.offset) == [end])
            try await stage.create(owner: owner)
            try await stage.settle()
            #expect(try await stage.faults().allSatisfy { [.foreign, .parked].contains($0.kind) })
            await broker.close()
        }
    }

    @Test func `names what is late and why, a wrong order, a broken chain and a store that refuses`()
        async throws
    {
        try await AllSchemas.run { schemas in
            let broker = try LedgerStage.broker()
            let stage = LedgerStage(schemas, broker)
            let owner = UUID.v4()
            let partition = stage.partition(of: owner)
            let first = try await stage.create(owner: owner)

            // Nobody publishes, folds or reads yet.
            var found = try await stage.examine(patience: .zero).faults
            #expect(found.allSatisfy { $0.kind == .late })
            #expect(found.map(\.place) == ["sessions relay", "sessions/session_list", "sessions/practice_log"])
            #expect(found.first?.detail.hasSuffix("nobody holds its lease") == true)
            try await stage.settle()
            #expect(try await stage.faults() == [])
            found = try await stage.examine(patience: .zero).faults
            #expect(!found.contains { $0.place.hasPrefix("quota") }, "who has read all is not late: \(found)")

            // A message is withheld, but its successor is there: the reader waits and reports for what.
            let record = try #require(
                try await stage.records(partition).last { $0.header(MessageHeaders.position) != nil })
            let withheld = try await stage.create(owner: owner)
            let next = try await stage.create(owner: owner)
            func handmade(_ position: Int64, after previous: Int64) async throws -> OutgoingRecord {
                let event = try await schemas.store(.sessions).events(where: "position = $1", [.int(position)])[0]
                return stage.copy(
                    record,
                    [
                        MessageHeaders.position: "\(position)", MessageHeaders.previous: "\(previous)",
                        MessageHeaders.id: event.id.description,
                    ])
            }
            try await stage.write([try await handmade(next, after: withheld)])
            let alarms = "select count(*) from consumer_partitions where alarm is not null"
            try await stage.consume { try await schemas.number(.quota, alarms) == 1 }
            found = try await stage.faults()
            #expect(found.map(\.kind) == [.chainBroken], "\(found)")
            #expect(found.first?.place == "quota ← \(partition)")
            #expect(found.first?.detail.contains("successor of position \(first)") == true, "\(found)")

            // It arrives after all, after its successor.
            try await stage.write([try await handmade(withheld, after: first)])
            found = try await stage.faults().filter { $0.kind == .reordered }
            let end = try await stage.records(partition).last?.offset ?? -1
            #expect(found.map(\.place) == ["\(partition)@\(end)"])
            #expect(found.first?.detail.contains("position \(withheld) comes after \(next)") == true)

            // A store that noticed that it was restored to an earlier state.
            try await schemas.script(.sessions, "update head set refused = 'the topic holds more'")
            found = try await stage.faults().filter { $0.kind == .refused }
            #expect(found.map(\.place) == ["sessions"])
            #expect(found.first?.detail.contains("the topic holds more") == true)
            await broker.close()
        }
    }
    @Test func `blames a record for a death while it waits, and not for ever after`() async throws {
        try await AllSchemas.run { schemas in
            let broker = try LedgerStage.broker()
            let stage = LedgerStage(schemas, broker)
            let owner = UUID.v4()
            let partition = stage.partition(of: owner)
            let first = try await stage.create(owner: owner)
            try await stage.settle()
            let second = try await stage.create(owner: owner)
            try await stage.publish()

            /// Why quota is late, once a record of the topic is what it began last after an unclean end.
            func cause(_ position: Int64) async throws -> (offset: Int64, words: String?) {
                let record = try #require(
                    try await stage.records(partition).last { ChainRecord($0)?.position == position })
                let identity = try #require(ChainRecord(record)?.identity)
                try await schemas.script(
                    .quota,
                    "update consumer_partitions set suspect = '\(identity)', attempts = 2 where partition = \(partition.partition)"
                )
                let late = try await stage.examine(patience: .zero).faults.first { $0.place == "quota ← \(partition)" }
                return (record.offset, late?.detail)
            }
            let done = try await cause(first)
            #expect(done.words?.contains("its process") == false, "It is done long ago: \(done)")
            let waiting = try await cause(second)
            let blame =
                "the record at offset \(waiting.offset) may end its process: it was begun 2 times after an unclean end"
            #expect(waiting.words?.hasSuffix(blame) == true, "\(waiting)")
            await broker.close()
        }
    }
}
