import Contracts
import EventSourcing
import EventStore
import Glibc
import JSON
import Kafka
import ObjectStorage
import Postgres
import Primitives
import Processes
import ProviderTesting
import Runtime
import ServiceTesting
import Testing

@testable import analysis

@Suite(.timeLimit(.minutes(10)), .serialized) @Loop struct `The service itself` {
    private let job = SessionReference.fresh()

    /// The process dies at the point, is started again, and the job has one outcome all the same.
    @Test(arguments: [
        "analysis.after-claim", "analysis.after-child", "analysis.after-document", "analysis.after-complete-append",
    ])
    func `completes a job once though it is killed on the way`(point: String) async throws {
        try await Workshop.run(.succeed) { shop in
            let broker = try MockBroker(
                topics: ServiceName.allCases.map { TopicDefinition(name: Topic($0).name, partitions: 8) })
            let first = try start(shop, broker, crashingAt: point, log: "first.log")
            try await shop.order(job: job)
            try #require(try await first.wait() == .signal(SIGKILL))
            let second = try start(shop, broker, crashingAt: point, log: "second.log")
            try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
            let story = try await shop.story(job)
            #expect(story.filter { $0 == "JobCompleted" }.count == 1)
            #expect(story.filter { $0 == "AttemptStarted" }.count == (point.hasSuffix("append") ? 1 : 2))
            // Ended by SIGTERM it removes its working folder; that of the killed one went at the second's start.
            try await eventually { shop.helper.text("second.log").contains("\"message\":\"serving\"") }
            second.kill(SIGTERM)
            #expect(try await second.wait() == .code(0))
            #expect(folders(shop.settings.scratch).isEmpty)
            guard case .completed(_, _, let result) = try await shop.history(job).last else { return }
            let kept = try await shop.intents().filter { !$0.hasDeadline && !$0.isUnwanted }
            #expect(kept.map(\.key) == [result.document.key])
            #expect(try await shop.objects.keys(under: "documents/").contains(result.document.key))
            await broker.close()
        }
    }

    /// A call that may be paid is made once, and what was stored of it is used: whoever goes on asks nobody again.
    @Test(arguments: deaths)
    func `asks a provider no second time though it is killed on the way`(
        point: String, calls: Int, isUsed: Bool
    ) async throws {
        let offer: JSONObject = ["transcription": ["model": "whisper-1", "microsPerMinute": 6_000]]
        try await dying(at: point, asking: offer, for: .transcription, StandIn.words, calls, isUsed) { shop in
            #expect(shop.helper.words.hasPrefix("openai\n") == isUsed)
            #expect(shop.helper.orders.split(separator: "\n").last?.contains("--words") == isUsed)
        }
    }

    /// The same about pictures: who dies behind the measuring measures again, which costs nothing, and asks nobody again.
    @Test(arguments: deaths)
    func `shows a provider pictures no second time though it is killed on the way`(
        point: String, calls: Int, isUsed: Bool
    ) async throws {
        let seen = StandIn.completion(
            #"{"posture":{"value":0.8,"reason":null},"gestures":{"value":0.5,"reason":null},"#
                + #""expression":{"value":0.5,"reason":null}}"#)
        try await dying(at: point, asking: ["vision": ["model": "gpt-4o-mini"]], for: .vision, seen, calls, isUsed) {
            shop in
            let posture = try await shop.measured(job)["measures"]?["postureScore"]
            #expect(posture?["value"] == (isUsed ? 0.8 : .null))
            #expect(posture?["reason"] == (isUsed ? nil : "no-answer"))
        }
    }

    /// Where the process dies on the way to an answer and behind it, how often the provider has been asked, and whether its answer is used.
    private nonisolated static let deaths: [(String, Int, Bool)] = [
        ("analysis.after-call-begun", 0, false), ("analysis.after-call", 1, false), ("analysis.after-answer", 1, false),
        ("analysis.after-child", 1, true),
    ]

    /// Lets the process die while it does a job with a provider, starts it again, and sees that the job is done and the provider asked once.
    ///
    /// - Parameters:
    ///   - offer: what the provider is declared with.
    ///   - purpose: what its owner lets the provider have data for.
    ///   - answer: the provider's.
    ///   - body: looks at what came of it, while the second process runs.
    private func dying(
        at point: String, asking offer: JSONObject, for purpose: ConsentPurpose, _ answer: [UInt8], _ calls: Int,
        _ isUsed: Bool, _ body: @Loop (Workshop) async throws -> Void
    ) async throws {
        try await StandIn.run(.answer(answer)) { standIn in
            let named: JSONObject = ["name": "openai", "protocol": "openai", "url": .string(standIn.url)]
            let provider = JSONValue.object(named.adding(membersOf: offer))
            try await Workshop.run(.succeed) { shop in
                if purpose == .vision { try shop.helper.see(0) }
                try shop.helper.write(
                    "providers.json", JSONValue.object(["version": 1, "providers": [provider]]).text)
                let broker = try MockBroker(
                    topics: ServiceName.allCases.map { TopicDefinition(name: Topic($0).name, partitions: 8) })
                try await shop.service.deliver(
                    ConsentGiven(
                        userId: job.ownerId, to: ConsentScope(provider: "openai", purpose: purpose),
                        dataClasses: purpose.dataClasses, version: "2026-11", locale: "en",
                        textSHA256: String(repeating: "ab", count: 32), givenAt: .now()))
                let variables = ["PROVIDERS_FILE": "\(shop.helper.home)/providers.json"]
                let first = try start(shop, broker, crashingAt: point, log: "first.log", variables)
                try await shop.order(job: job)
                try #require(try await first.wait() == .signal(SIGKILL))
                let second = try start(shop, broker, crashingAt: point, log: "second.log", variables)
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                let story = try await shop.story(job)
                #expect(story.last == "JobCompleted")
                #expect(story.filter { $0 == "ProviderCallBegun" }.count == 1)
                #expect(story.filter { $0 == "ProviderCalled" }.count == (isUsed ? 1 : 0))
                #expect(standIn.asked.count == calls)
                try await body(shop)
                second.kill(SIGTERM)
                #expect(try await second.wait() == .code(0))
                await broker.close()
            }
        }
    }

    /// The same about a whole recording, which its provider has in no case for good.
    @Test(
        arguments: [
            ("analysis.after-call-begun", 0, false), ("analysis.while-lending", 0, false),
            ("analysis.after-lending", 1, false), ("analysis.after-call", 1, false),
            ("analysis.after-answer", 1, false),
            ("analysis.after-child", 1, true),
        ] as [(String, Int, Bool)])
    func `takes a whole recording back, and asks about it no second time, though it is killed on the way`(
        point: String, questions: Int, isUsed: Bool
    ) async throws {
        let seen = StandIn.generated(
            #"{"posture":{"value":0.8,"reason":null},"gestures":{"value":0.5,"reason":null},"#
                + #""expression":{"value":0.5,"reason":null}}"#)
        try await StandIn.run(StandIn.lending(.answer(seen))) { standIn in
            let provider: JSONValue = [
                "name": "gemini", "protocol": "gemini", "url": .string(standIn.url),
                "video": ["model": "gemini-2.5-flash"],
            ]
            try await Workshop.run(.succeed) { shop in
                try shop.helper.see(0)
                try shop.helper.write(
                    "providers.json", JSONValue.object(["version": 1, "providers": [provider]]).text)
                let broker = try MockBroker(
                    topics: ServiceName.allCases.map { TopicDefinition(name: Topic($0).name, partitions: 8) })
                try await shop.service.deliver(
                    ConsentGiven(
                        userId: job.ownerId, to: ConsentScope(provider: "gemini", purpose: .video),
                        dataClasses: [.recording], version: "2026-11", locale: "en",
                        textSHA256: String(repeating: "ab", count: 32), givenAt: .now()))
                let variables = ["PROVIDERS_FILE": "\(shop.helper.home)/providers.json"]
                let first = try start(shop, broker, crashingAt: point, log: "first.log", variables)
                try await shop.order(job: job)
                try #require(try await first.wait() == .signal(SIGKILL))
                let isLeft = try await shop.lent() == 1
                #expect(isLeft == ["begun", "lending"].contains { point.hasSuffix($0) })
                // As if its question were over.
                _ = try await shop.service.administrator.query("update lent_files set due_at = clock_timestamp()")
                let second = try start(shop, broker, crashingAt: point, log: "second.log", variables)
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                let story = try await shop.story(job)
                #expect(story.last == "JobCompleted")
                #expect(story.filter { $0 == "ProviderCallBegun" }.count == 1)
                #expect(story.filter { $0 == "ProviderCalled" }.count == (isUsed ? 1 : 0))
                #expect(standIn.asked.count { $0.path.hasSuffix(":generateContent") } == questions)
                let posture = try await shop.measured(job)["measures"]?["postureScore"]
                #expect(posture?["value"] == (isUsed ? 0.8 : .null))
                #expect(posture?["reason"] == (isUsed ? nil : "no-answer"))
                try await eventually { try await shop.lent() == 0 }
                #expect(standIn.asked.contains { $0.method == "DELETE" })
                second.kill(SIGTERM)
                #expect(try await second.wait() == .code(0))
                await broker.close()
            }
        }
    }

    private func start(
        _ shop: Workshop, _ broker: MockBroker, crashingAt point: String, log: String, _ more: [String: String] = [:]
    ) throws -> ChildProcess {
        var command = Command(
            try program(), ["serve"],
            environment: [
                "DATABASE_HOST": shop.role.host, "DATABASE_NAME": shop.role.database,
                "DATABASE_PASSWORD": "not asked for here",
                "KAFKA_BOOTSTRAP_SERVERS": broker.bootstrap, "KAFKA_KIND": "development",
                "OBJECT_STORE": "file://\(shop.helper.home)/objects", "SCRATCH_DIR": shop.settings.scratch,
                "MODELS_DIR": shop.settings.models, "MEDIA_HELPER": shop.helper.program, "JOB_LEASE": "1s",
                "MIRRORMATE_CRASH_AT": point, "MIRRORMATE_CRASH_ONCE": "\(shop.helper.home)/crashed",
            ].merging(TestAnnouncements.variables) { $1 }.merging(more) { $1 })
        command.output = .file("\(shop.helper.home)/\(log)")
        command.errorOutput = .file("\(shop.helper.home)/\(log)")
        let child = try ChildProcess.start(command)
        shop.children.append(child)
        return child
    }

    /// The executable that was built with these tests.
    private func program() throws -> String {
        let own = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        let folder = own.split(separator: "/").dropLast().joined(separator: "/")
        let path = (own.hasPrefix("/") ? "/" : "") + folder + "/analysis"
        try #require(access(path, X_OK) == 0)
        return path
    }

    private func folders(_ path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
