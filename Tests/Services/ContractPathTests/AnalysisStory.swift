import Contracts
import EventSourcing
import JSON
import Measuring
import Primitives
import Providers
import Runtime
import ServiceTesting
import Testing

@testable import analysis

enum AnalysisStory: Story {
    static func variables(_ folder: String) -> [String: String] {
        [
            "OBJECT_STORE": "file://\(folder)", "SCRATCH_DIR": "\(folder)/scratch", "MODELS_DIR": folder,
            "MEDIA_HELPER": "/bin/true",
        ]
    }

    static func tell(_ stage: Stage<AnalysisService>) async throws {
        try await stage.hear(
            .identity, "SigningKeyPublished", about: World.signingKey, becomes: ["SigningKeyLearned"])
        try await begin(stage, World.completed)
        try await put(stage, .extendLease(attempt: 1, leaseEndsAt: World.minutes(12)), World.completed)
        try await put(stage, .reportStage(attempt: 1, stage: .probe, progressPercent: 10), World.completed)
        try await put(stage, .reportStage(attempt: 1, stage: .transcribe, progressPercent: 55), World.completed)
        try await complete(stage, World.completed)

        try await begin(stage, World.deletedComplete)
        try await complete(stage, World.deletedComplete)
        try await stage.hear(
            .sessions, "SessionDeleted", about: World.deletedComplete, becomes: ["ResultDiscarded"])
        try await begin(stage, World.cancelled)
        try await stage.hear(.sessions, "SessionCancelled", about: World.cancelled, becomes: ["JobCancelled"])
        try await stage.hear(.sessions, "SessionExpired", about: World.expired, becomes: ["JobCancelled"])
        try await fail(stage)
        try await begin(stage, World.unreported)
        try await complete(stage, World.unreported)
        // Ada's three jobs.
        try await stage.hear(
            .identity, "UserErased", about: World.ada,
            becomes: [String](repeating: "JobErased", count: 3) + ["SubjectErased"])
        try await stage.hear(
            .identity, "SigningKeyRetired", about: World.signingKey, becomes: ["SigningKeyRetirementLearned"])
        try await stage.hearSigned(erasing: [])
        try await measure(stage)
        try await stage.hearOfAppToken()
        try await stage.hear(.identity, "ConsentGiven", about: World.grace, becomes: ["ConsentLearned"])
        try await call(stage)
        try await stage.hear(.identity, "ConsentWithdrawn", about: World.grace, becomes: ["ConsentWithdrawalLearned"])
        try await stage.hearOfAPIKey()
    }

    /// What is handed in since version 2 of the outcome; those above are as they were published before.
    private static func measure(_ stage: Stage<AnalysisService>) async throws {
        let job = SessionReference(sessionId: World.measured, ownerId: World.owner(of: World.measured))
        let order = JobOrder(
            kind: .mirrormate, media: World.media("sealed/\(World.measured)"),
            brief: RecordingBrief(scenario: .pitch))
        try await put(stage, .queue(job, order), World.measured)
        try await start(stage, World.measured, at: 30)
        try await complete(stage, World.measured, .measurements)
    }

    /// A call to a provider that has an answer.
    private static func call(_ stage: Stage<AnalysisService>) async throws {
        let session = World.transcribed
        let job = SessionReference(sessionId: session, ownerId: World.owner(of: session))
        let order = JobOrder(kind: .mirrormate, media: World.media("sealed/\(session)"))
        try await put(stage, .queue(job, order), session)
        try await start(stage, session, at: 40)
        let call = ProviderCall(
            scope: ConsentScope(provider: "openai", purpose: .transcription), model: "whisper-1",
            requestSHA256: String(repeating: "ef", count: 32), mostMicros: 3_000, currency: "USD",
            begunAt: World.minutes(40))
        try await put(stage, .beginCall(attempt: 1, call), session)
        let outcome = ProviderCallOutcome(
            scope: call.scope, code: "answered", durationMs: 900, attempts: 1, audioMs: 30_000, costMicros: 3_000,
            document: World.document(of: session))
        try await put(stage, .endCall(attempt: 1, outcome), session)
    }

    /// An attempt that is given back, one that fails and is tried again, and one that fails for good.
    private static func fail(_ stage: Stage<AnalysisService>) async throws {
        try await begin(stage, World.failed)
        try await put(stage, .returnAttempt(attempt: 1, now: World.minutes(11)), World.failed)
        try await start(stage, World.failed, at: 12)
        try await put(
            stage, .failAttempt(attempt: 2, code: .analysisCrashed, retryable: true, now: World.minutes(13)),
            World.failed)
        try await start(stage, World.failed, at: 20)
        try await put(
            stage, .failAttempt(attempt: 3, code: .mediaMissing, retryable: false, now: World.minutes(21)),
            World.failed)
        try await stage.hear(.sessions, "SessionFailed", about: World.failed, becomes: [])
    }

    private static func begin(_ stage: Stage<AnalysisService>, _ session: UUID) async throws {
        try await stage.hear(.sessions, "UploadFinalized", about: session, becomes: ["JobQueued"])
        try await start(stage, session, at: 10)
    }

    private static func start(_ stage: Stage<AnalysisService>, _ session: UUID, at minute: Int64) async throws {
        try await put(
            stage,
            .startAttempt(worker: "worker-1", now: World.minutes(minute), leaseEndsAt: World.minutes(minute + 1)),
            session)
    }

    private static func complete(
        _ stage: Stage<AnalysisService>, _ session: UUID, _ content: JobResult.Content = .report
    ) async throws {
        let result = JobResult(
            content: content, document: World.document(of: session), durationMs: 4_200, engines: ["speech": "moonshine"]
        )
        try await put(stage, .complete(attempt: 1, result: result), session)
    }

    private static func put(_ stage: Stage<AnalysisService>, _ command: JobCommand, _ session: UUID) async throws {
        try await stage.command(Job.self, command, on: Job.stream(session), of: World.owner(of: session))
    }

    static func rewrite(_ type: EventType, _ data: JSONObject) throws -> (EventType, JSONObject) {
        try rewritten(JobEvent.self, type, data)
    }

}
