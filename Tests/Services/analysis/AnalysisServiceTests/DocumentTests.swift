import Contracts
import EventSourcing
import EventStore
import JSON
import ObjectStorage
import Observability
import Primitives
import Processes
import Providers
import Runtime
import ServiceKit
import Testing

@testable import analysis

@Suite(.timeLimit(.minutes(10))) @Loop struct `A document` {
    private let job = SessionReference.fresh()

    @Test func `of an attempt that was taken over is refused and removed`() async throws {
        try await Workshop.run(.succeed) { shop in
            let end = Timestamp.now().adding(seconds: 60)
            try await shop.order(
                [
                    .attemptStarted(job, attempt: 1, worker: "slow", leaseEndsAt: end),
                    .attemptFailed(job, attempt: 1, code: .workerLost, retryable: true, retryAt: end),
                    .attemptStarted(job, attempt: 2, worker: "other", leaseEndsAt: end),
                ], job: job)
            let attempt = Attempt(try await shop.tools(), job.sessionId)
            let claim = try await shop.claim(job, attempt: 1)
            await #expect(throws: JobRefusal.superseded(current: 2)) {
                _ = try await attempt.handIn(try shop.helper.found, claim)
            }
            #expect(try await shop.story(job).last == "AttemptStarted")
            #expect(try await shop.objects.keys(under: "documents/").isEmpty)
            #expect(try await shop.intents().map(\.isUnwanted) == [true])
        }
    }

    @Test func `that the sweeper gave up before it was in use fails its attempt`() async throws {
        try await Workshop.run(.succeed) { shop in
            let end = Timestamp.now().adding(seconds: 60)
            try await shop.order([.attemptStarted(job, attempt: 1, worker: "slow", leaseEndsAt: end)], job: job)
            let claim = try await shop.claim(job, attempt: 1)
            let key = "documents/\(job.ownerId)/\(job.sessionId)/1.json"
            try await shop.intend(key, claim, secondsLeft: -1)
            try await shop.sweeper.sweep()
            #expect(try await shop.intents().isEmpty)
            let result = JobResult(
                document: DocumentReference(key: key, sha256: "", sizeBytes: 1), durationMs: 1, engines: [:])
            await #expect(throws: AppendError.guarded(.objectNotIntended)) {
                _ = try await claim.commands.put(.complete(attempt: 1, result: result)) { _ in
                    [KitRows.keepObject(key)]
                }
            }
            #expect(try await shop.story(job).last == "AttemptStarted")
        }
    }

    @Test func `is removed when its session ends otherwise afterwards`() async throws {
        try await Workshop.run(.succeed) { shop in
            try await shop.startInstance()
            try await shop.order(job: job)
            try await shop.wait(job, until: ["JobCompleted"])
            #expect(try await shop.objects.keys(under: "documents/").count == 1)
            try await shop.put(.cancel(job, .deleted), job)
            try await shop.sweeper.sweep()
            #expect(try await shop.objects.keys(under: "documents/").isEmpty)
            #expect(try await shop.intents().isEmpty)
            #expect(try await shop.story(job).last == "ResultDiscarded")
        }
    }

    @Test func `that is unwanted keeps its row until its writer's time is up, and its bytes go each time`() async throws
    {
        try await Workshop.run(.succeed) { shop in
            try await shop.order(job: job)
            let claim = try await shop.claim(job, attempt: 1)
            let keys = (1...2).map { "documents/\(job.ownerId)/\(job.sessionId)/\($0).json" }
            try await shop.intend(keys[0], claim, secondsLeft: 3600)
            try await shop.intend(keys[1], claim, secondsLeft: 1)
            for key in keys { try await claim.commands.write([KitRows.discardObject(key)]) }
            for _ in 1...2 {
                try await shop.write(keys[0])
                try await shop.sweeper.sweep()
                #expect(try await shop.objects.keys(under: "documents/").isEmpty)
            }
            try await eventually {
                try await shop.sweeper.sweep()
                return try await shop.intents().map(\.key) == [keys[0]]
            }
        }
    }

    @Test func `that is wanted or still being written is left alone`() async throws {
        try await Workshop.run(.succeed) { shop in
            try await shop.order(job: job)
            let claim = try await shop.claim(job, attempt: 1)
            let keys = (1...2).map { "documents/\(job.ownerId)/\(job.sessionId)/\($0).json" }
            for key in keys {
                try await shop.intend(key, claim, secondsLeft: 60)
                try await shop.write(key)
            }
            try await claim.commands.write([KitRows.keepObject(keys[0])])
            #expect(try await shop.sweeper.sweep() == 0)
            #expect(try await shop.objects.keys(under: "documents/") == keys)
            #expect(try await shop.intents().map(\.hasDeadline) == [false, true])
        }
    }
}

extension Workshop {
    /// - Parameter isUpToDate: whether what was said before the start is known.
    func tools(isUpToDate: Bool = true) async throws -> WorkerTools {
        WorkerTools(
            store: store, objects: objects, scratch: try await ScratchSpace.open(settings.scratch, for: "analysis"),
            settings: settings, providers: settings.providers.declarations.map { Provider($0) },
            isUpToDate: { _ in isUpToDate }, log: .init(label: "test"))
    }

    /// What an attempt knows that believes that it holds a job.
    func claim(_ job: SessionReference, attempt: Int64) async throws -> Attempt.Claim {
        let commands = WorkerCommands<Job>(store: store, stream: Job.stream(job.sessionId), metadata: metadata(job))
        let order = try #require(try await CommandHandler<Job>(store).load(commands.stream).state.order)
        return Attempt.Claim(commands: commands, job: job, order: order, number: attempt, calls: [:], isLast: false)
    }

    /// Announces an object.
    func intend(_ key: String, _ claim: Attempt.Claim, secondsLeft: Int64) async throws {
        let deadline = try await WorkerCommands<Job>.now(store).adding(seconds: secondsLeft)
        try await claim.commands.write([
            KitRows.intendObject(key, claim.job.ownerId, "test", deadline)
        ])
    }

    func write(_ key: String) async throws {
        try await objects.write([1], to: key)
    }
}
