import ContractChecking
import Contracts
import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import Glibc
import JSON
import Kafka
import Observability
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

/// A golden record that a story needs is not there yet.
struct StoryStops: Error, CustomStringConvertible {
    let description: String
}

/// One service alone, over a real PostgreSQL: commands are put to its deciders, released records of other services to its
/// handler, and its log goes out through its real relay.
@Loop final class Stage<S: Service> {
    let group: ServiceUnderTest<S>
    let folder: TemporaryFolder
    private let tree: ContractTree
    private let log = Logger(label: "contracts", descriptor: open("/dev/null", O_WRONLY | O_CLOEXEC))
    private var step = 0
    /// The ids of the events that the story has put into the log.
    private(set) var told: Set<UUID> = []
    /// What the story has put into the log, in order.
    private(set) var events: [RecordedEvent] = []
    /// The types of other services' messages that it received.
    private(set) var heard: Set<MessageType> = []
    private var place: Int64 = 0

    init(_ group: ServiceUnderTest<S>, _ folder: TemporaryFolder, _ tree: ContractTree) async throws {
        self.group = group
        self.folder = folder
        self.tree = tree
        // What the service wrote while it was built, such as its own keys, is no part of the story.
        place = try await group.first.store.readLog(after: 0, limit: 1000).last?.position ?? 0
    }

    /// Puts a command to a decider.
    func command<D: Aggregate>(
        _: D.Type, _ command: D.Command, on stream: StreamName, of owner: UUID?,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let id = nextID()
        _ = try await CommandHandler<D>(group.first.store).handle(
            command, on: stream, id: id, requestHash: id.bytes, metadata: metadata(id, owner), thoughErased: true)
        if try await takeNew().isEmpty { Issue.record("The command decided nothing.", sourceLocation: location) }
    }

    /// Appends what several streams decide together.
    func append(_ writes: [StreamWrite], of owner: UUID?) async throws {
        let id = nextID()
        try await group.first.store.append(
            Append(id: id, requestHash: id.bytes, metadata: metadata(id, owner), writes: writes))
        _ = try await takeNew()
    }

    /// The version of a stream.
    func version(of stream: StreamName) async throws -> Int64 {
        try await group.first.store.read(stream).last?.version ?? 0
    }

    /// Receives what another service released about something: the records of its golden file with that subject, in order.
    ///
    /// - Parameter becomes: the names of the private events that follow, of all the records together.
    func hear(
        _ provider: ServiceName, _ name: String, version: Int = 1, about subject: UUID, becomes: [String],
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let records = tree.records(MessageType(provider, name, version)).filter {
            $0.header(MessageHeaders.subject) == subject.description
        }
        if records.isEmpty {
            throw StoryStops(
                description: "There is no released \(provider.rawValue).\(name).v\(version) about \(subject).")
        }
        for record in records.sorted(by: { $0.position < $1.position }) {
            try await group.deliver(ReceivedMessage(KafkaRecord(record)))
        }
        heard.insert(MessageType(provider, name, version))
        let new = try await takeNew()
        #expect(
            new.map(\.type.name) == becomes,
            "\(provider.rawValue).\(name).v\(version) as released becomes other events.",
            sourceLocation: location)
        // What follows from a message says so.
        #expect(
            new.allSatisfy { $0.metadata.origin?.hasPrefix(provider.rawValue + "/") ?? false },
            sourceLocation: location)
    }

    /// Lets work go on that the service does in the background, with all read models folded.
    ///
    /// - Parameter becomes: the names of the private events that follow.
    func goOn(
        becomes: [String], _ location: SourceLocation = #_sourceLocation, _ work: @Loop () async throws -> Void
    ) async throws {
        try await group.foldAll()
        try await work()
        #expect(try await takeNew().map(\.type.name) == becomes, sourceLocation: location)
    }

    /// Hears what identity says with a signature, behind all that it said without one.
    ///
    /// - Parameter erasing: what follows from the erasure of somebody who was erased before.
    func hearSigned(erasing: [String]) async throws {
        try await hear(
            .identity, "AnnouncementsBegun", about: World.announcementKey, becomes: ["AnnouncementsBegunLearned"])
        try await hear(
            .identity, "SigningKeyPublished", version: 2, about: World.signedKey, becomes: ["SigningKeyLearned"])
        try await hear(
            .identity, "SigningKeyRetired", version: 2, about: World.signingKey,
            becomes: ["SigningKeyRetirementLearned"])
        try await hear(.identity, "UserErased", version: 2, about: World.ada, becomes: erasing)
        try await hear(.identity, "LoginSessionEnded", about: World.login, becomes: ["LoginSessionEndLearned"])
    }

    /// Hears of an app's token: the last step, as a step's number is part of the ids that were released.
    func hearOfAppToken() async throws {
        try await hear(.identity, "AppTokenIssued", about: World.appLogin, becomes: ["AppTokenLearned"])
    }

    /// Hears of an API key and of its end: the last step, as above.
    func hearOfAPIKey() async throws {
        try await hear(.identity, "APIKeyIssued", about: World.apiKey, becomes: ["APIKeyLearned"])
        try await hear(.identity, "APIKeyRevoked", about: World.apiKey, becomes: ["APIKeyRevocationLearned"])
    }

    /// Hears of an export whose deadline is over, writes parts by hand, as those of a real one differ each time, and hears that it is
    /// over.
    func hearOfExport() async throws {
        let index = DocumentReference(
            key: "export-\(S.name.rawValue)/\(World.grace)/\(World.exportInVain)/1",
            sha256: String(repeating: "ab", count: 32), sizeBytes: 512)
        for (export, index) in [(World.export, nil), (World.exportInVain, index)] {
            let part = ExportPartEvent.written(exportId: export, ownerId: World.grace, index: index)
            try await append(
                [StreamWrite(ExportPartEvent.stream(export), expectedVersion: 0, events: [NewEvent(part)])],
                of: World.grace)
        }
        try await hear(.reporting, "ExportRequested", about: World.export, becomes: [])
        try await hear(.reporting, "ExportClosed", about: World.export, becomes: [])
        let asked = ExportRequested(
            exportId: .v5(namespace: World.namespace, name: "an export that is asked for"), ownerId: World.grace,
            deadline: World.minutes(900))
        try await append(
            [
                StreamWrite(
                    ExportPartEvent.stream(asked.exportId), expectedVersion: 0,
                    events: [NewEvent(ExportPartEvent.asked(asked))])
            ], of: World.grace)
    }

    private func nextID() -> UUID {
        step += 1
        return .v5(namespace: World.namespace, name: "\(S.name.rawValue)/\(step)")
    }

    private func metadata(_ id: UUID, _ owner: UUID?) -> EventMetadata {
        EventMetadata(
            owner: owner, correlation: .v5(namespace: id, name: "correlation"), actor: owner?.description ?? "system",
            traceparent: World.trace)
    }

    private func takeNew() async throws -> [RecordedEvent] {
        let new = try await group.first.store.readLog(after: place, limit: 1000)
        place = new.last?.position ?? place
        told.formUnion(new.map(\.id))
        events += new
        return new
    }

    // MARK: Publishing

    /// Relays the whole log onto a development broker, and onto a real Kafka when `KAFKA_TEST_BOOTSTRAP` names one, and
    /// reads the topic back.
    ///
    /// - Returns: the records, lease marks first, in the order of the log.
    func publish() async throws -> [PublishedRecord] {
        let topic = Topic(S.name)
        if let bootstrap = getenv("KAFKA_TEST_BOOTSTRAP").map({ String(cString: $0) }), !bootstrap.isEmpty {
            let real = Topic(name: "\(topic.name).\(UUID.v4())", partitions: topic.partitions)
            let settings = KafkaSettings(bootstrap: bootstrap)
            let admin = try KafkaAdmin(settings: settings)
            try await admin.createTopics([TopicDefinition(name: real.name, partitions: real.partitions)])
            await admin.close()
            return try await publish(real, settings, as: topic.name)
        }
        let broker = try MockBroker(topics: [TopicDefinition(name: topic.name, partitions: topic.partitions)])
        do {
            let records = try await publish(topic, broker.settings, as: topic.name)
            await broker.close()
            return records
        } catch {
            await broker.close()
            throw error
        }
    }

    private func publish(_ topic: Topic, _ kafka: KafkaSettings, as name: String) async throws -> [PublishedRecord] {
        let store = group.first.store
        let relay = Relay(
            store: store, service: S.name, topic: topic, kafka: kafka, log: log, seal: group.first.assembly.seal,
            publication: S.publication)
        let task = Loop.task { await relay.run() }
        let deadline = monotonicNanoseconds() + 60_000_000_000
        while relay.cursor < place || relay.state != .publishing {
            if monotonicNanoseconds() > deadline { break }
            try await Loop.sleep(for: .milliseconds(10))
        }
        #expect(relay.cursor == place, "The relay did not publish the whole log: \(relay.state).")
        task.cancel()
        _ = await task.result
        let reader = try PartitionReader(settings: kafka)
        var all: [KafkaRecord] = []
        for partition in 0..<topic.partitions {
            _ = try await reader.readToEnd(TopicPartition(topic: topic.name, partition: partition)) { all += $0 }
        }
        await reader.close()
        return try all.map { try PublishedRecord($0, topic: name) }.sorted { $0.position < $1.position }
    }
}

extension KafkaRecord {
    /// A released record as its consumer would receive it.
    init(_ record: PublishedRecord) {
        self.init(
            topic: record.topic, partition: record.partition, offset: record.position, timestampMs: 0,
            key: record.key.map { Array($0.utf8) }, value: JSONValue.object(record.value).bytes,
            headers: record.headers.map { ($0.name, Array($0.value.utf8)) })
    }
}

extension PublishedRecord {
    /// A record as it lay in a topic; its value must be the strict JSON that is promised.
    init(_ record: KafkaRecord, topic: String) throws {
        self.init(
            topic: topic, partition: record.partition, key: record.key.map { String(decoding: $0, as: UTF8.self) },
            headers: record.headers.map { ($0.0, String(decoding: $0.1, as: UTF8.self)) },
            value: try JSONObject.parse(record.value ?? []))
    }

    /// The record with what differs from run to run put to fixed values: the store's incarnation and the clock.
    func settled(_ service: ServiceName) -> PublishedRecord {
        let isLease = type == MessageType.lease(service)
        return PublishedRecord(
            topic: topic, partition: partition, key: key,
            headers: headers.map { name, value in
                switch name {
                case MessageHeaders.time: (name, World.morning.rfc3339)
                case MessageHeaders.incarnation: (name, World.incarnation(of: service).description)
                case MessageHeaders.id where isLease: (name, World.namespace.description)
                // Another one each time, over the values of that time; its form stays.
                case MessageHeaders.signature: (name, World.signature)
                default: (name, value)
                }
            }, value: value)
    }
}
