import Contracts
import CoreSimulation
import Glibc
import Kafka
import Primitives
import Runtime
import Testing

/// A broker with one topic on which the conformance suite runs.
@Loop struct BrokerUnderTest {
    enum Kind: String, Sendable, CustomTestStringConvertible {
        case simulated, development, apache

        var testDescription: String {
            switch self {
            case .simulated: "simulated broker"
            case .development: "development broker"
            case .apache: "Apache Kafka"
            }
        }

        /// An Apache Kafka is tested when `KAFKA_TEST_BOOTSTRAP` says where it is, else the development broker.
        static let all: [Kind] = [.simulated, bootstrap == nil ? .development : .apache]
        /// Those whose topics can be made anew under their clients.
        static let lasting: [Kind] = bootstrap == nil ? [.simulated] : [.simulated, .apache]
        static let bootstrap = getenv("KAFKA_TEST_BOOTSTRAP").map { String(cString: $0) }
    }

    let broker: any Broker
    let topic: Topic
    /// Deletes the topic and makes it anew.
    let reset: @Loop () async throws -> Void

    /// Runs a test on a topic of its own with two partitions.
    static func run(_ kind: Kind, _ test: @Loop (BrokerUnderTest) async throws -> Void) async throws {
        let topic = Topic(name: "mirrormate.sessions.t\(UUID.v4())", partitions: 2)
        let definition = TopicDefinition(name: topic.name, partitions: topic.partitions)
        switch kind {
        case .simulated:
            let surroundings = Surroundings(seed: 1, tellsStory: false)
            let broker = SimulatedBroker(surroundings)
            broker.make(topic)
            let access = SimulatedAccess(SimulatedProcess("process", surroundings), broker)
            try await test(
                BrokerUnderTest(broker: access, topic: topic) {
                    broker.delete(topic)
                    broker.make(topic)
                })
        case .development:
            let mock = try MockBroker(topics: [definition])
            try await test(BrokerUnderTest(broker: mock.settings, topic: topic) {})
            await mock.close()
        case .apache:
            let settings = KafkaSettings(bootstrap: try #require(Kind.bootstrap))
            let admin = try KafkaAdmin(settings: settings)
            try await admin.createTopics([definition])
            try await test(
                BrokerUnderTest(broker: settings, topic: topic) {
                    try await admin.deleteTopic(topic.name)
                    try await admin.createTopics([definition])
                })
            await admin.close()
        }
    }

    func place(_ partition: Int32) -> TopicPartition { TopicPartition(topic: topic.name, partition: partition) }

    func record(_ number: UInt8, in partition: Int32) -> OutgoingRecord {
        OutgoingRecord(
            topic: topic.name, partition: partition, key: [number], value: [number, number],
            headers: [("number", [number]), ("empty", [])])
    }

    /// Writes records with a producer of their own.
    func write(_ numbers: [UInt8], to partition: Int32) async throws -> [Int64] {
        let producer = try broker.producer()
        let offsets = try await producer.send(numbers.map { record($0, in: partition) })
        await producer.close()
        return offsets
    }

    /// All that a partition holds.
    func read(_ partition: Int32) async throws -> [UInt8] {
        let reader = try broker.reader()
        let numbers = try await patiently {
            var numbers: [UInt8] = []
            _ = try await reader.readToEnd(place(partition)) { numbers += $0.map { $0.value?.first ?? 0 } }
            return numbers
        }
        await reader.close()
        return numbers
    }
}

/// Tries again what a broker under load has not answered, as relay and consumer do.
@Loop private func patiently<T>(_ work: @Loop () async throws -> T) async throws -> T {
    for _ in 1...50 {
        do { return try await work() } catch let error as KafkaError where error.isRetriable {
            try await Loop.sleep(for: .milliseconds(100))
        }
    }
    return try await work()
}

extension GroupMember {
    /// The next event that is no passing trouble with the connection: a broker under load may be in some.
    fileprivate func news() async throws -> ConsumerEvent {
        while true {
            let event = try await next()
            if case .failure(let error) = event, !error.isFatal { continue }
            return event
        }
    }

    /// Answers what the group asks until the member has so many partitions, and leaves that to be answered.
    fileprivate func share(_ count: Int) async throws -> [TopicPartition] {
        while true {
            switch try await news() {
            case .assigned(let partitions) where partitions.count == count: return partitions
            case .assigned(let partitions): try assign(partitions.map { ($0, KafkaOffset.beginning) })
            case .revoked: try unassign()
            case .failure(let error): throw error
            case .records, .offsetOutOfRange, .woken: break
            }
        }
    }
}

/// Two members that answer what their group asks until they have shared two partitions out between them. Both go on until then: a group
/// under load may give one up and begin again, and waits for the other one's answer.
@Loop private final class Pair {
    private var held: [ObjectIdentifier: [TopicPartition]]

    init(_ one: any GroupMember, _ two: any GroupMember) {
        held = [ObjectIdentifier(one): [], ObjectIdentifier(two): []]
    }

    var shares: [TopicPartition] { held.values.flatMap(\.self) }

    private var isShared: Bool { held.values.allSatisfy { $0.count == 1 } }

    func serve(_ member: any GroupMember, beside other: any GroupMember) async throws {
        while !isShared {
            switch try await member.news() {
            case .assigned(let partitions):
                held[ObjectIdentifier(member)] = partitions
                try member.assign(partitions.map { ($0, KafkaOffset.beginning) })
                if isShared { other.wake() }
            case .revoked:
                held[ObjectIdentifier(member)] = []
                try member.unassign()
            case .failure(let error): throw error
            case .records, .offsetOutOfRange, .woken: break
            }
        }
    }
}

/// A client answered something else.
private struct Unexpected: Error {
    let description: String

    init(_ description: String) { self.description = description }
}

/// What relay and consumer build on must hold for Kafka and for the simulated broker alike.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A broker` {
    @Test(arguments: BrokerUnderTest.Kind.all)
    func `acknowledges each record with its offset, and keeps order over batches in flight`(
        _ kind: BrokerUnderTest.Kind
    ) async throws {
        try await BrokerUnderTest.run(kind) { test in
            let producer = try test.broker.producer()
            #expect(try await producer.send([]) == [])
            var sending: [Task<[Int64], any Error>] = []
            for number in UInt8(0)..<20 {
                sending.append(
                    Loop.task {
                        try await producer.send([
                            test.record(number, in: 0), test.record(100 + number, in: 1),
                            test.record(200 + number, in: 0),
                        ])
                    })
            }
            for (index, task) in sending.enumerated() {
                let place = Int64(index)
                #expect(try await task.value == [place * 2, place, place * 2 + 1])
            }
            await producer.close()
            let error = await #expect(throws: KafkaError.self) { try await producer.send([test.record(1, in: 0)]) }
            #expect(error?.code == .closed)
            #expect(try await test.read(1) == Array(100..<120))
            #expect(try await test.read(0) == (0..<20).flatMap { [$0, 200 + $0] })
        }
    }

    @Test(arguments: BrokerUnderTest.Kind.all)
    func `gives records back as they were written, and tells where a partition ends`(_ kind: BrokerUnderTest.Kind)
        async throws
    {
        try await BrokerUnderTest.run(kind) { test in
            let reader = try test.broker.reader()
            #expect(try await patiently { try await reader.watermarks(test.place(0)) } == .init(low: 0, high: 0))
            #expect(try await patiently { try await reader.record(at: 0, of: test.place(0)) } == nil)
            #expect(try await test.write([1, 2, 3], to: 0) == [0, 1, 2])
            #expect(try await patiently { try await reader.watermarks(test.place(0)) } == .init(low: 0, high: 3))
            let found = try await patiently { try await reader.record(at: 1, of: test.place(0)) }
            let record = try #require(found)
            #expect(record.offset == 1 && record.key == [2] && record.value == [2, 2])
            #expect(record.topicPartition == test.place(0) && record.header("number") == "\u{2}")
            #expect(record.headers.map(\.0) == ["number", "empty"])
            for missing in [Int64(-1), 3, 50] {
                #expect(try await patiently { try await reader.record(at: missing, of: test.place(0)) } == nil)
            }
            let step = try await patiently {
                try await reader.assign(test.place(0), from: 2)
                return try await reader.next()
            }
            guard case .records(let rest) = step else { throw Unexpected("no records") }
            #expect(rest.map(\.offset) == [2])
            guard case .end(let end) = try await reader.next() else { throw Unexpected("no end") }
            #expect(end == 3)
            try await reader.assign(test.place(0), from: 9)
            let error = await #expect(throws: KafkaError.self) { try await reader.next() }
            #expect(error?.code == .offsetOutOfRange)
            await reader.close()
        }
    }

    @Test(arguments: BrokerUnderTest.Kind.all)
    func `shares a group's partitions out, anew whenever a member comes or goes`(_ kind: BrokerUnderTest.Kind)
        async throws
    {
        try await BrokerUnderTest.run(kind) { test in
            _ = try await test.write([1, 2, 3], to: 0)
            let one = try test.broker.join(group: "group-\(test.topic.name)", topics: [test.topic.name])
            let all = try await one.share(2)
            #expect(Set(all) == [test.place(0), test.place(1)])
            try one.assign([(test.place(0), 1), (test.place(1), KafkaOffset.beginning)])
            var offsets: [Int64] = []
            while offsets.count < 2 {
                if case .records(let records) = try await one.news() { offsets += records.map(\.offset) }
            }
            #expect(offsets == [1, 2])

            // The second one gets its share once the first one has given up all of its own.
            let two = try test.broker.join(group: "group-\(test.topic.name)", topics: [test.topic.name])
            let pair = Pair(one, two)
            let joining = Loop.task { try await pair.serve(two, beside: one) }
            while true {
                if case .revoked(let revoked, let lost) = try await one.news() {
                    #expect(Set(revoked) == Set(all) && !lost)
                    break
                }
            }
            try one.unassign()
            try await pair.serve(one, beside: two)
            try await joining.value
            #expect(Set(pair.shares) == Set(all))

            // What it leaves behind goes to who stays.
            await two.close()
            while true {
                if case .revoked = try await one.news() { break }
            }
            try one.unassign()
            let again = try await one.share(2)
            #expect(Set(again) == Set(all))
            try one.assign(again.map { ($0, $0.partition == 0 ? Int64(3) : KafkaOffset.beginning) })
            one.wake()
            guard case .woken = try await one.news() else { throw Unexpected("not woken") }
            _ = try await test.write([4], to: 0)
            guard case .records(let new) = try await one.news() else { throw Unexpected("no records") }
            #expect(new.map(\.offset) == [3])
            await one.close()
        }
    }

    @Test(arguments: BrokerUnderTest.Kind.all)
    func `lets a member go that owes the group an answer`(_ kind: BrokerUnderTest.Kind) async throws {
        try await BrokerUnderTest.run(kind) { test in
            let group = "group-\(test.topic.name)"
            let one = try test.broker.join(group: group, topics: [test.topic.name])
            _ = try await one.share(2)
            await one.close()
            let two = try test.broker.join(group: group, topics: [test.topic.name])
            try two.assign(try await two.share(2).map { ($0, KafkaOffset.beginning) })
            let three = try test.broker.join(group: group, topics: [test.topic.name])
            let joining = Loop.task { try await three.share(2) }
            while true {
                if case .revoked = try await two.news() { break }
            }
            await two.close()
            #expect(try await joining.value.count == 2)
            await three.close()
        }
    }

    @Test(arguments: BrokerUnderTest.Kind.all)
    func `tells a member that its offset is not there`(_ kind: BrokerUnderTest.Kind) async throws {
        try await BrokerUnderTest.run(kind) { test in
            _ = try await test.write([1, 2, 3], to: 0)
            let member = try test.broker.join(group: "group-\(test.topic.name)", topics: [test.topic.name])
            _ = try await member.share(2)
            try member.assign([(test.place(0), 7), (test.place(1), KafkaOffset.beginning)])
            guard case .offsetOutOfRange(let partition) = try await member.news() else {
                throw Unexpected("the offset was found")
            }
            #expect(partition == test.place(0))
            await member.close()
        }
    }

    @Test(arguments: BrokerUnderTest.Kind.lasting)
    func `begins a topic that is made anew at offset 0, also for a producer that wrote before`(
        _ kind: BrokerUnderTest.Kind
    ) async throws {
        try await BrokerUnderTest.run(kind) { test in
            let producer = try test.broker.producer()
            #expect(try await producer.send([1, 2, 3].map { test.record($0, in: 0) }) == [0, 1, 2])
            try await test.reset()
            #expect(try await test.read(0) == [])
            do {
                #expect(try await producer.send([test.record(4, in: 0)]) == [0])
                #expect(try await test.read(0) == [4])
            } catch let error as KafkaError {
                // Then it must not be used any more.
                #expect(error.code != .closed)
                let again = await #expect(throws: KafkaError.self) { try await producer.send([test.record(4, in: 0)]) }
                #expect(again != nil)
            }
            await producer.close()
        }
    }

    @Test(arguments: BrokerUnderTest.Kind.lasting)
    func `lets a member read on at its offset in a topic that was made anew and has outgrown it`(
        _ kind: BrokerUnderTest.Kind
    ) async throws {
        try await BrokerUnderTest.run(kind) { test in
            _ = try await test.write([1, 2, 3], to: 0)
            let member = try test.broker.join(group: "group-\(test.topic.name)", topics: [test.topic.name])
            let all = try await member.share(2)
            try member.assign(all.map { ($0, KafkaOffset.beginning) })
            var seen: [UInt8] = []
            while seen.count < 3 {
                if case .records(let records) = try await member.news() { seen += records.map { $0.value?.first ?? 0 } }
            }
            try await test.reset()
            _ = try await test.write([11, 12, 13, 14, 15], to: 0)
            // It may be told that its offset is not there, or that its partitions are gone; or it reads on as if nothing
            // had happened, which is why a consumer compares what stands before its offset.
            switch try await member.next() {
            case .records(let records): #expect(records.first?.offset ?? 0 >= 3)
            case .offsetOutOfRange, .revoked, .failure: break
            case .assigned, .woken: Issue.record("neither was to be expected")
            }
            await member.close()
        }
    }
}
