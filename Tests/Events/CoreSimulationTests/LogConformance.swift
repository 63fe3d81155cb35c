import Contracts
import CoreSimulation
import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import JSON
import Kafka
import Postgres
import PostgresTesting
import Primitives
import Runtime
import Testing

/// A log on which the conformance suite runs, as two processes know it.
@Loop struct LogUnderTest {
    enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case simulated, postgres

        var testDescription: String { self == .simulated ? "simulated log" : "PostgreSQL" }
    }

    let first: any RelayLog & ConsumerLog
    let second: any RelayLog & ConsumerLog
    /// Ends all connections.
    let breakConnections: @Loop () async throws -> Void

    /// Runs a test on a log of its own.
    static func run(_ kind: Kind, _ test: @Loop (LogUnderTest) async throws -> Void) async throws {
        switch kind {
        case .simulated:
            let surroundings = Surroundings(seed: 1, tellsStory: false)
            let database = SimulatedDatabase("log", DatabaseState(incarnation: .v7()))
            let stores = (1...2).map { SimulatedStore(SimulatedProcess("process-\($0)", surroundings), database) }
            try await test(
                LogUnderTest(first: stores[0], second: stores[1]) { database.breakConnections() })
            for store in stores { store.close() }
        case .postgres:
            let database = try await TestPostgres.makeDatabase(schemas: ["log"])
            _ = try await Migrator(
                schema: "log", role: "log", migrations: Migration.eventStore + Migration.relay + Migration.consumer
            ).run(database.administrator)
            let stores = [EventStore(database.roles["log"]!), EventStore(database.roles["log"]!)]
            try await test(
                LogUnderTest(first: stores[0], second: stores[1]) {
                    let connection = try await PostgresConnection.open(database.administrator)
                    defer { connection.close() }
                    _ = try await connection.query(
                        """
                        select pg_terminate_backend(pid) from pg_stat_activity
                        where usename = 'log' and datname = current_database()
                        """)
                })
            for store in stores { await store.close() }
        }
    }

    /// An append of words to a stream.
    func append(
        _ numbers: [Int64], to stream: StreamName, after version: Int64 = 0, id: UUID = .v7(), hash: [UInt8] = [],
        calls: [RowCall] = []
    ) -> Append {
        Append(
            id: id, requestHash: hash, metadata: EventMetadata(owner: nil, correlation: id, actor: "test"),
            writes: [
                StreamWrite(
                    stream, expectedVersion: version, events: numbers.map { NewEvent(Word.kept(number: $0)) })
            ], calls: calls)
    }

    func errors(_ results: [AppendResult]) -> [AppendError?] {
        results.map { if case .failure(let error) = $0 { error } else { nil } }
    }
}

/// What relay and consumer build on must hold for PostgreSQL and for the simulated log alike.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A log` {
    private let stream = StreamName("word", UUID(high: 0x7000, low: 1 << 63))
    private let place = TopicPartition(topic: "mirrormate.sessions.v1", partition: 1)

    @Test(arguments: LogUnderTest.Kind.allCases)
    func `numbers what it accepts without gaps, and shows it to everyone at once`(_ kind: LogUnderTest.Kind)
        async throws
    {
        try await LogUnderTest.run(kind) { test in
            let receipt = try await test.first.append(test.append([1, 2], to: stream))
            #expect(receipt.position == 1 && !receipt.isRepeat)
            let refused = await test.second.append(together: [test.append([9], to: stream)])
            #expect(test.errors(refused) == [.conflict(stream, actualVersion: 2)])
            #expect(try await test.second.append(test.append([3], to: stream, after: 2)).position == 3)
            for log in [test.first, test.second] {
                let events = try await log.readLog(after: 1, limit: 10)
                #expect(events.map(\.position) == [2, 3] && events.map(\.version) == [2, 3])
                #expect(try await log.readLog(after: 3, limit: 10).isEmpty)
                #expect(try await log.readLog(after: 0, limit: 1).map(\.position) == [1])
            }
            let seen = try await test.first.withLeaseConnection { connection in
                (try await connection.eventID(at: 3), try await connection.eventID(at: 4))
            }
            #expect(seen.0 != nil && seen.1 == nil)
        }
    }

    @Test(arguments: LogUnderTest.Kind.allCases)
    func `knows a repeat by its id, and refuses the id to another request`(_ kind: LogUnderTest.Kind) async throws {
        try await LogUnderTest.run(kind) { test in
            let id = UUID.v7()
            _ = try await test.first.append(test.append([1], to: stream, id: id, hash: [1]))
            let again = try await test.second.append(test.append([1], to: stream, id: id, hash: [1]))
            #expect(again.isRepeat && again.position == 1)
            let other = await test.second.append(together: [test.append([1], to: stream, id: id, hash: [2])])
            #expect(test.errors(other) == [.idReused])
            #expect(try await test.first.readLog(after: 0, limit: 10).count == 1)
        }
    }

    @Test(arguments: LogUnderTest.Kind.allCases)
    func `accepts a group as a whole or not at all`(_ kind: LogUnderTest.Kind) async throws {
        try await LogUnderTest.run(kind) { test in
            let other = StreamName("word", .v7())
            let refused = await test.first.append(together: [
                test.append([1], to: stream), test.append([2], to: other, after: 7),
                test.append([3], to: stream, after: 1),
            ])
            #expect(
                test.errors(refused) == [.groupRefused, .conflict(other, actualVersion: 0), .groupRefused])
            let accepted = await test.first.append(together: [
                test.append([1], to: stream), test.append([2], to: other), test.append([3], to: stream, after: 1),
            ])
            let positions = accepted.map { (try? $0.get())?.position }
            #expect(positions == [1, 2, 3])
        }
    }

    @Test(arguments: LogUnderTest.Kind.allCases)
    func `refuses appends from the relay's verdict until a restore is confirmed`(_ kind: LogUnderTest.Kind) async throws
    {
        try await LogUnderTest.run(kind) { test in
            _ = try await test.first.append(test.append([1, 2, 3], to: stream))
            let before = try await test.first.lineage()
            try await test.first.withLeaseConnection { connection in
                let lease = try #require(try await connection.takeLease(.v7()))
                // Neither another lease nor another history is judged.
                try await connection.refuseAppends("late", lease.epoch - 1, before.incarnation)
                try await connection.refuseAppends("elsewhere", lease.epoch, .v7())
                #expect(try await connection.refusal() == nil)
                try await connection.refuseAppends("because", lease.epoch, before.incarnation)
            }
            let refused = await test.first.append(together: [test.append([4], to: stream, after: 3)])
            #expect(test.errors(refused) == [.storeRefused("because")])
            #expect(try await test.first.withLeaseConnection { try await $0.refusal() } == "because")
            let (next, found) = (UUID.v7(), UUID.v7())
            let strange = DisownedRecord(position: 3, id: .v7())
            try await test.first.begin(
                next, fork: 2, published: 1, topEpoch: 40, found: [before.incarnation, found], disowning: [strange])
            _ = try await test.first.append(test.append([4], to: stream, after: 3))
            let after = try await test.second.lineage()
            #expect(after.incarnation == next && after.parent == before.incarnation && after.fork == 2)
            #expect(before.disowned == nil && after.disowned == [strange])
            #expect(after.shared[next] == .max && after.shared[before.incarnation] == 2 && after.shared[found] == 2)
            let lease = try await test.first.withLeaseConnection { try await $0.takeLease(.v7()) }
            #expect(lease?.epoch == 42 && lease?.cursor == 0 && lease?.lineage.incarnation == next)
        }
    }

    @Test(arguments: LogUnderTest.Kind.allCases)
    func `gives its lease to one holder, and moves the cursor for nobody else`(_ kind: LogUnderTest.Kind) async throws {
        try await LogUnderTest.run(kind) { test in
            let (one, two) = (UUID.v7(), UUID.v7())
            _ = try await test.first.append(test.append([1, 2, 3], to: stream))
            try await test.first.withLeaseConnection { first in
                let lease = try #require(try await first.takeLease(one))
                #expect(lease.epoch == 1 && lease.cursor == 0 && lease.rewindTo == nil)
                let taken = try await test.second.withLeaseConnection { try await $0.takeLease(two) }
                #expect(taken == nil)
                let tail = PartitionTail(partition: 1, offset: 5, position: 2, epoch: 1)
                #expect(try await first.advance(1, from: 0, to: 2, [tail], rewound: nil))
                #expect(try await !first.advance(1, from: 0, to: 3, [tail], rewound: nil))
                #expect(try await !first.advance(9, from: 2, to: 3, [tail], rewound: nil))
                #expect(try await first.cursor() == 2)
                let noted = try await first.notedTails()
                #expect(noted.count == 1 && noted[0].offset == 5 && noted[0].position == 2 && noted[0].epoch == 1)
                #expect(try await test.second.isHeld(1, renewing: true, isRewinding: false))
                // Its own holder takes it anew at any time.
                #expect(try await first.takeLease(one)?.epoch == 2)
                #expect(try await !test.second.isHeld(1, renewing: true, isRewinding: true))
                #expect(try await !first.advance(1, from: 2, to: 3, [], rewound: nil))
                #expect(try await first.raise(2, to: 7))
                #expect(try await !first.raise(2, to: 9))
                try await test.first.release(7)
                let now = try await test.second.withLeaseConnection { try await $0.takeLease(two) }
                #expect(now?.epoch == 8)
                try await test.first.rewind(to: 1)
                #expect(try await !test.second.isHeld(8, renewing: false, isRewinding: true))
                let again = try #require(try await first.takeLease(one))
                #expect(again.epoch == 10 && again.rewindTo == 1 && again.cursor == 2)
                for renewing in [true, false] {
                    #expect(try await test.second.isHeld(10, renewing: renewing, isRewinding: true))
                    // A holder who believes that it is done has another database's row before it.
                    #expect(try await !test.second.isHeld(10, renewing: renewing, isRewinding: false))
                }
                // Fulfilled is what was asked for when the lease began; who has asked to go back further meanwhile waits.
                #expect(try await first.advance(10, from: 2, to: 2, [], rewound: 3))
                #expect(try await !test.second.isHeld(10, renewing: true, isRewinding: false))
                #expect(try await first.advance(10, from: 2, to: 3, [], rewound: 1))
                #expect(try await test.second.isHeld(10, renewing: true, isRewinding: false))
                #expect(try await first.takeLease(one)?.rewindTo == nil)
            }
        }
    }

    @Test(arguments: LogUnderTest.Kind.allCases)
    func `breaks the lease's connection for good, and answers on others`(_ kind: LogUnderTest.Kind) async throws {
        try await LogUnderTest.run(kind) { test in
            _ = try await test.first.append(test.append([1], to: stream))
            try await test.first.withLeaseConnection { connection in
                _ = try await connection.takeLease(.v7())
                try await test.breakConnections()
                for _ in 1...2 {
                    let error = await #expect(throws: PostgresError.self) { try await connection.cursor() }
                    #expect(error?.isRetriable == true)
                }
            }
            #expect(try await test.first.readLog(after: 0, limit: 1).count == 1)
            #expect(try await test.first.append(test.append([2], to: stream, after: 1)).position == 2)
        }
    }

    @Test(arguments: LogUnderTest.Kind.allCases)
    func `moves a watermark for its owner alone, from where it stands, with the effect or without`(
        _ kind: LogUnderTest.Kind
    ) async throws {
        try await LogUnderTest.run(kind) { test in
            let old = try await test.first.claim(place)
            #expect(old.epoch == 1 && old.nextOffset == 0 && old.seen == 0 && old.wasClean && old.lastIdentity == nil)
            let own = try await test.second.claim(place)
            #expect(own.epoch == 2 && !own.wasClean)
            var next = own
            (next.nextOffset, next.seen, next.lastIdentity) = (4, 3, "here")
            (next.incarnation, next.sourceEpoch, next.fork) = (UUID.v7(), 6, 2)
            let late = await test.first.append(together: [test.append([1], to: stream, calls: [old.move(to: next)])])
            #expect(test.errors(late) == [.guarded(.watermark)])
            #expect(try await !test.first.move(old, to: next))
            #expect(try await !test.first.stands(next))
            _ = try await test.first.append(test.append([1], to: stream, calls: [own.move(to: next)]))
            #expect(try await test.first.stands(next))
            #expect(try await !test.first.stands(own))
            #expect(try await !test.first.move(own, to: next))
            var further = next
            further.nextOffset = 9
            #expect(try await test.first.move(next, to: further))
            try await test.first.release(further, isClean: true, uncounting: nil)
            let third = try await test.first.claim(place)
            #expect(third.epoch == 3 && third.wasClean && third.nextOffset == 9 && third.seen == 3)
            #expect(third.lastIdentity == "here" && third.incarnation == next.incarnation)
            #expect(third.sourceEpoch == 6 && third.fork == 2)
            // The event stood or fell with the move.
            #expect(try await test.first.readLog(after: 0, limit: 10).count == 1)
        }
    }

    @Test(arguments: LogUnderTest.Kind.allCases)
    func `counts attempts at one record, for the owner alone`(_ kind: LogUnderTest.Kind) async throws {
        try await LogUnderTest.run(kind) { test in
            let own = try await test.first.claim(place)
            #expect(try await test.first.countAttempt(own, at: "a") == 1)
            #expect(try await test.first.countAttempt(own, at: "a") == 2)
            try await test.first.release(own, isClean: false, uncounting: "a")
            let next = try await test.second.claim(place)
            #expect(!next.wasClean)
            #expect(try await test.first.countAttempt(own, at: "a") == nil)
            #expect(try await test.second.countAttempt(next, at: "a") == 2)
            // Who lost the partition is alive: its attempt was no death, and that is all that it may still say.
            try await test.first.release(own, isClean: true, uncounting: "a")
            try await test.first.release(own, isClean: true, uncounting: "b")
            #expect(try await test.second.countAttempt(next, at: "a") == 2)
            try await test.second.release(next, isClean: false, uncounting: nil)
            #expect(try await test.first.claim(place).wasClean == false)
            let last = try await test.second.claim(place)
            #expect(try await test.second.countAttempt(last, at: "a") == 3)
            #expect(try await test.second.countAttempt(last, at: "b") == 1)
        }
    }

    @Test(arguments: LogUnderTest.Kind.allCases)
    func `counts attempts at each last word by itself, for the owner alone`(_ kind: LogUnderTest.Kind) async throws {
        try await LogUnderTest.run(kind) { test in
            let own = try await test.first.claim(place)
            #expect(try await test.first.countLastWord(own, at: "a") == 1)
            #expect(try await test.first.countLastWord(own, at: "b") == 1)
            #expect(try await test.first.countLastWord(own, at: "a") == 2)
            let next = try await test.second.claim(place)
            #expect(try await test.first.countLastWord(own, at: "a") == nil)
            #expect(try await test.second.countLastWord(next, at: "a") == 3)
            try await test.first.uncountLastWord(place, at: "b")
            #expect(try await test.second.countLastWord(next, at: "b") == 1)
            #expect(try await test.second.countLastWord(next, at: "a") == 4)
            // The attempts at other records are another count.
            #expect(try await test.second.countAttempt(next, at: "a") == 1)
        }
    }

    @Test(arguments: LogUnderTest.Kind.allCases)
    func `sets messages aside and lets a key's messages go in their order`(_ kind: LogUnderTest.Kind) async throws {
        try await LogUnderTest.run(kind) { test in
            let own = try await test.first.claim(place)
            for (offset, key) in [(Int64(0), "a"), (1, "b"), (2, "a"), (3, "a")] {
                let record = KafkaRecord(
                    topic: place.topic, partition: place.partition, offset: offset, timestampMs: 0,
                    key: Array(key.utf8),
                    value: [1, 2, UInt8(offset)], headers: [("name", [0, 255])])
                for _ in 1...2 {
                    _ = try await test.first.append(
                        Append(
                            id: .v7(), requestHash: [],
                            metadata: EventMetadata(owner: nil, correlation: .v7(), actor: "test"), writes: [],
                            calls: [ParkedMessage.park(record, .unreadable("reason"))]))
                }
            }
            #expect(try await test.second.parkedKeys(place) == ["a", "b"])
            #expect(try await test.second.releasedMessages(place).isEmpty)
            #expect(try await test.second.partitionsWithReleases().isEmpty)
            // Taken off by hand: the release goes on to the key's next message.
            let first = KafkaRecord(
                topic: place.topic, partition: place.partition, offset: 0, timestampMs: 0, key: Array("a".utf8),
                value: [1, 2, 0], headers: [])
            let parked = ParkedMessage(
                place, offset: 0, key: "a", headers: .array([]), value: [1, 2, 0],
                identity: ParkedMessage.identity(of: first), isDropped: false)
            let unpark = { (epoch: Int64) in
                Append(
                    id: .v7(), requestHash: [], metadata: EventMetadata(owner: nil, correlation: .v7(), actor: "test"),
                    writes: [], calls: [parked.unpark(epoch: epoch)])
            }
            #expect(test.errors(await test.first.append(together: [unpark(own.epoch + 1)])) == [.guarded(.watermark)])
            // Never before an earlier message of its key.
            let second = ParkedMessage(
                place, offset: 2, key: "a", headers: .array([]), value: [1, 2, 2],
                identity: ParkedMessage.identity(
                    of: KafkaRecord(
                        topic: place.topic, partition: place.partition, offset: 2, timestampMs: 0,
                        key: Array("a".utf8), value: [1, 2, 2], headers: [])), isDropped: false)
            let early = Append(
                id: .v7(), requestHash: [], metadata: EventMetadata(owner: nil, correlation: .v7(), actor: "test"),
                writes: [], calls: [second.unpark(epoch: own.epoch)])
            #expect(test.errors(await test.first.append(together: [early])) == [.guarded(.watermark)])
            _ = try await test.first.append(unpark(own.epoch))
            #expect(test.errors(await test.first.append(together: [unpark(own.epoch)])) == [.guarded(.notParked)])
            let released = try await test.second.releasedMessages(place)
            #expect(released.map(\.record.offset) == [2] && released.first?.key == "a")
            #expect(released.first?.record.value == [1, 2, 2] && released.first?.record.headers.first?.1 == [0, 255])
            #expect(try await test.second.partitionsWithReleases() == [place])
            let head = try #require(released.first)
            #expect(try await test.first.countTry(head) == 1)
            #expect(try await test.first.countTry(head) == 2)
            try await test.first.keep(head)
            #expect(try await test.second.releasedMessages(place).isEmpty)
            #expect(try await test.first.countTry(head) == 1)
            #expect(try await test.second.parkedKeys(place) == ["a", "b"])
        }
    }
}
