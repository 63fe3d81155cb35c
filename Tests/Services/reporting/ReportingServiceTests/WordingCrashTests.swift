import Contracts
import EventSourcing
import EventStore
import Glibc
import JSON
import Kafka
import Postgres
import Primitives
import Processes
import ProviderTesting
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import TestingSupport
import TestingTools

@testable import reporting

@Suite(.timeLimit(.minutes(3)), .serialized) @Loop struct `A waiting report of the service itself` {
    private let owner = UUID.v7()
    private let session = UUID.v7()

    /// A call that may be paid is made once. What it came to is in the log with the report, or is lost.
    @Test(
        arguments: [
            ("reporting.after-call-begun", 0, false), ("reporting.after-call", 1, false),
            ("reporting.after-adopted", 1, true),
        ] as [(String, Int, Bool)])
    func `is written once, and no provider is asked a second time`(
        point: String, calls: Int, isWorded: Bool
    ) async throws {
        let folder = TemporaryFolder()
        try await StandIn.run(.answer(StandIn.sentences)) { standIn in
            let file = try NamedProvider(standIn.url, deadline: 1)
            defer { file.remove() }
            try await Desk.run(["PROVIDERS_FILE": file.path]) { desk in
                try await draft(desk)
                let broker = try broker()
                let first = try start(desk, broker, file.path, folder.path, crashingAt: point)
                #expect(try await first.wait() == .signal(SIGKILL))
                let starts = try await starts(desk)
                let second = try start(desk, broker, file.path, folder.path, crashingAt: point)
                defer { second.kill(SIGKILL) }
                // The report may have been written by the first one; the second one is to have its turn.
                #expect(try await desk.group.eventually { try await self.starts(desk) > starts })
                try await written(desk)
                #expect(
                    try await story(desk)
                        == ["ReportDrafted", "ProviderCallBegun"] + (isWorded ? ["ProviderCalled"] : [])
                        + ["ReportWritten"])
                #expect(standIn.asked.count == calls)
                let engines = try await desk.read(session, as: owner).json["engines"]
                #expect(engines?["text"] == (isWorded ? "stand-in/gpt-4o-mini" : "catalogue"))
                second.kill(SIGTERM)
                #expect(try await second.wait() == .code(0))
                await broker.close()
            }
        }
    }

    /// The worker is there at once, and what was said when the service did not run comes a moment later.
    @Test func `is sent to nobody when the consent was withdrawn while nobody listened`() async throws {
        let folder = TemporaryFolder()
        try await StandIn.run(.answer(StandIn.sentences)) { standIn in
            let file = try NamedProvider(standIn.url)
            defer { file.remove() }
            try await Desk.run(["PROVIDERS_FILE": file.path]) { desk in
                try await draft(desk)
                let broker = try broker()
                let producer = try KafkaProducer(settings: broker.settings)
                _ = try await producer.send([try withdrawal()])
                await producer.close()
                let service = try start(desk, broker, file.path, folder.path)
                defer { service.kill(SIGKILL) }
                try await written(desk)
                #expect(try await story(desk) == ["ReportDrafted", "ReportWritten"])
                #expect(standIn.asked.isEmpty)
                service.kill(SIGTERM)
                #expect(try await service.wait() == .code(0))
                await broker.close()
            }
        }
    }

    // MARK: What tests do

    private func broker() throws -> MockBroker {
        try MockBroker(topics: ServiceName.allCases.map { TopicDefinition(name: Topic($0).name, partitions: 8) })
    }

    /// Leaves a report that waits, of somebody who lets the provider word it.
    private func draft(_ desk: Desk) async throws {
        let text = try Checkout.text(of: "Tests/Services/ReportTests/measured.jsonl")
        let recording = try JSONObject.parse(try #require(text.split(separator: "\n").first).utf8)
        try await desk.group.deliver(
            ConsentGiven(
                userId: owner, to: ConsentScope(provider: "stand-in", purpose: .wording),
                dataClasses: [.transcript, .measures], version: "2026-11", locale: "en",
                textSHA256: String(repeating: "ab", count: 32), givenAt: .now()))
        let document = try await desk.store(bytes: Desk.measured(recording))
        #expect(try await desk.measure(session, of: owner, document))
        #expect(try await story(desk) == ["ReportDrafted"])
    }

    /// The record with which identity says that the consent is withdrawn: the first of its topic.
    private func withdrawal() throws -> OutgoingRecord {
        let outgoing = Outgoing(
            ConsentWithdrawn(
                userId: owner, from: ConsentScope(provider: "stand-in", purpose: .wording),
                withdrawnAt: .now() + .seconds(1)))
        let (id, incarnation, topic) = (UUID.v7(), UUID.v4(), Topic(.identity))
        let value = JSONValue.object(outgoing.data).bytes
        let content = AnnouncementContent(
            type: outgoing.type, key: "\(outgoing.key)", id: id, incarnation: incarnation, position: 1, value: value)
        let signature = try #require(AnnouncementSigner(TestAnnouncements.key).seal(content))
        let headers = [
            (MessageHeaders.specVersion, "1.0"), (MessageHeaders.source, ServiceName.identity.source),
            (MessageHeaders.id, "\(id)"), (MessageHeaders.type, "\(outgoing.type)"),
            (MessageHeaders.subject, outgoing.subject), (MessageHeaders.time, Timestamp.now().rfc3339),
            (MessageHeaders.partitionKey, "\(outgoing.key)"), (MessageHeaders.correlationID, "\(UUID.v7())"),
            (MessageHeaders.position, "1"), (MessageHeaders.previous, "0"), (MessageHeaders.epoch, "1"),
            (MessageHeaders.incarnation, "\(incarnation)"), (MessageHeaders.signature, signature),
        ]
        return OutgoingRecord(
            topic: topic.name, partition: topic.partition(of: outgoing.key), key: Array("\(outgoing.key)".utf8),
            value: value, headers: RecordHeaders(headers.map { ($0.0, Array($0.1.utf8)) }))
    }

    private func written(_ desk: Desk) async throws {
        while try await !story(desk).contains("ReportWritten") {
            try await desk.group.store.head.wait(
                for: Report.stream(session), since: desk.group.store.head.position, atMost: .seconds(1))
        }
    }

    /// How many processes of the service have served by now.
    private func starts(_ desk: Desk) async throws -> Int64 {
        try await desk.group.count("select count(*) from events where type = 'ServiceStarted'")
    }

    private func story(_ desk: Desk) async throws -> [String] {
        try await desk.group.store.read(Report.stream(session)).map(\.type.name)
    }

    private func start(
        _ desk: Desk, _ broker: MockBroker, _ providers: String, _ folder: String, crashingAt point: String? = nil
    ) throws -> ChildProcess {
        var command = Command(
            try program(), ["serve"],
            environment: [
                "DATABASE_HOST": desk.group.role.host, "DATABASE_NAME": desk.group.role.database,
                "DATABASE_PASSWORD": "not asked for here", "KAFKA_BOOTSTRAP_SERVERS": broker.bootstrap,
                "KAFKA_KIND": "development", "OBJECT_STORE": "file://\(desk.folder)", "PROVIDERS_FILE": providers,
            ].merging(TestAnnouncements.variables) { $1 })
        if let point {
            command.environment["MIRRORMATE_CRASH_AT"] = point
            command.environment["MIRRORMATE_CRASH_ONCE"] = "\(folder)/crashed"
        }
        command.output = .file("\(folder)/log")
        command.errorOutput = .file("\(folder)/log")
        return try ChildProcess.start(command)
    }

    /// The executable that was built with these tests.
    private func program() throws -> String {
        let own = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        let folder = own.split(separator: "/").dropLast().joined(separator: "/")
        let path = (own.hasPrefix("/") ? "/" : "") + folder + "/reporting"
        try #require(access(path, X_OK) == 0)
        return path
    }
}
