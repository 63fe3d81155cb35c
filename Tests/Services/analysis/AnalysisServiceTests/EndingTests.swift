import Contracts
import EventSourcing
import EventStore
import Glibc
import JSON
import Measuring
import Primitives
import Runtime
import ServiceKit
import Testing

@testable import analysis

@Suite(.timeLimit(.minutes(10))) @Loop struct `A child that hangs` {
    private let job = SessionReference.fresh()

    @Test func `is killed when its time is up, and the attempt may be repeated`() async throws {
        try await Workshop.run(.hang) { shop in
            shop.settings = shop.settings.with(maxVideoSeconds: 0, grace: .milliseconds(250))
            try await shop.startInstance()
            try await shop.order(job: job)
            try await shop.wait(job, until: ["AttemptFailed", "JobFailed"])
            guard case .attemptFailed(_, 1, let code, true, _) = try await shop.history(job).last else {
                Issue.record("the attempt cannot be repeated")
                return
            }
            #expect(code == .analysisTimeout)
            #expect(shop.helper.hangingProcess.map(isAlive) == false)
        }
    }

    @Test func `keeps its lease as long as its worker lives`() async throws {
        try await Workshop.run(.hang) { shop in
            // Long enough that a busy machine does not lose it, short enough to outlive it here.
            shop.settings = shop.settings.with(lease: .seconds(15))
            try await shop.startInstance()
            try await shop.startInstance()
            try await shop.order(job: job)
            try await eventually {
                try await shop.history(job).filter { $0.type.name == "LeaseExtended" }.count >= 3
            }
            #expect(shop.helper.runs == 1)
            #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted"])
        }
    }

    @Test func `is killed as soon as its session ends`() async throws {
        try await Workshop.run(.hang) { shop in
            try await shop.startInstance()
            try await shop.order(job: job)
            try await eventually { shop.helper.hangingProcess != nil }
            let child = try #require(shop.helper.hangingProcess)
            try await shop.put(.cancel(job, .cancelled), job)
            try await eventually { !isAlive(child) }
            #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "JobCancelled"])
            #expect(try await shop.intents().isEmpty)
        }
    }

    @Test func `is killed when another worker has taken its job over`() async throws {
        try await Workshop.run(.hang) { shop in
            try await shop.startInstance()
            try await shop.order(job: job)
            try await eventually { shop.helper.hangingProcess != nil }
            let child = try #require(shop.helper.hangingProcess)
            let late = try await WorkerCommands<Job>.now(shop.store).adding(seconds: 3600)
            try await shop.put(
                .startAttempt(worker: "other", now: late, leaseEndsAt: late.adding(seconds: 60)), job)
            try await eventually { !isAlive(child) }
            #expect(try await shop.story(job).last == "AttemptStarted")
        }
    }

    @Test func `is killed when its worker ends cleanly, and the job continues elsewhere with all its attempts`()
        async throws
    {
        try await Workshop.run(.hang) { shop in
            let instance = try await shop.startInstance()
            try await shop.order(job: job)
            try await eventually { shop.helper.hangingProcess != nil }
            let child = try #require(shop.helper.hangingProcess)
            instance.cancel()
            _ = await instance.result
            #expect(!isAlive(child))
            #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "AttemptReturned"])
            try shop.helper.become(.succeed)
            try await shop.startInstance()
            try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
            #expect(
                try await shop.story(job) == [
                    "JobQueued", "AttemptStarted", "AttemptReturned", "AttemptStarted", "JobCompleted",
                ])
        }
    }
}
