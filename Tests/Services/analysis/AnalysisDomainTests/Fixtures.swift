import Contracts
import EventSourcingTesting
import Primitives
import Providers

@testable import analysis

typealias Given = Specification<Job>

/// One analysis job and all that can be said of it.
enum Fixture {
    static let id = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0001)
    static let owner = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0002)
    static let job = SessionReference(sessionId: id, ownerId: owner)
    static let hash = String(repeating: "ab", count: 32)
    static let media = MediaReference(key: "sealed/1", sha256: hash, sizeBytes: 9, contentType: "video/mp4")
    static let order = JobOrder(kind: .mirrormate, media: media, maxDurationSeconds: 60)
    static let result = JobResult(
        document: DocumentReference(key: "documents/1", sha256: hash, sizeBytes: 7), durationMs: 8_400,
        engines: ["speech": "moonshine tiny-en", "face": "dlib HOG"])
    static let otherResult = JobResult(
        document: DocumentReference(key: "documents/2", sha256: hash, sizeBytes: 7), durationMs: 8_400, engines: [:])
    /// Of an attempt that still made the report itself.
    static let readyResult = JobResult(content: .report, document: result.document, durationMs: 8_400, engines: [:])

    static let start = Timestamp(seconds: 1_795_000_000)
    static let leaseEnd = start.adding(seconds: 60)
    static let later = start.adding(seconds: 300)
    static let retryAt = start.adding(seconds: 5)
    static let removed = SubjectErased.Removed(rows: 2, objects: 1)

    static func begun(_ attempt: Int64) -> JobEvent {
        .attemptStarted(job, attempt: attempt, worker: "worker-\(attempt)", leaseEndsAt: leaseEnd)
    }
    static func missed(_ attempt: Int64) -> JobEvent {
        .attemptFailed(job, attempt: attempt, code: "engine-busy", retryable: true, retryAt: retryAt)
    }

    static let queued = JobEvent.queued(job, order, maxAttempts: 3)
    static let staged = JobEvent.stageReached(job, attempt: 1, stage: .decode, progressPercent: 40)
    static let extended = JobEvent.leaseExtended(job, attempt: 1, leaseEndsAt: later)
    static let returned = JobEvent.attemptReturned(job, attempt: 1, returnedAt: start)
    static let completed = JobEvent.completed(job, attempt: 1, result)
    static let discarded = JobEvent.resultDiscarded(job, .deleted)
    static let failed = JobEvent.failed(job, attempt: 1, code: "no-video", retryable: false)
    static let cancelled = JobEvent.cancelled(job, .cancelled)
    static let erased = JobEvent.erased(job)
    static let subjectErased = JobEvent.subjectErased(owner, removed)

    static let scope = ConsentScope(provider: "openai", purpose: .transcription)
    static let call = ProviderCall(
        scope: scope, model: "whisper-1", requestSHA256: hash, mostMicros: 3_000, currency: "USD", begunAt: start)
    static let words = DocumentReference(key: "documents/3", sha256: hash, sizeBytes: 7)
    static let answer = ProviderCallOutcome(
        scope: scope, code: "answered", durationMs: 900, attempts: 1, audioMs: 30_000, costMicros: 3_000,
        document: words)
    static let noAnswer = ProviderCallOutcome(
        scope: scope, code: "unavailable", durationMs: 900, attempts: 3, audioMs: 30_000, costMicros: 0)
    static let called = JobEvent.callBegun(job, attempt: 1, call)
    static let answered = JobEvent.callEnded(job, attempt: 1, answer)
    static let unanswered = JobEvent.callEnded(job, attempt: 1, noAnswer)

    static let absent = Given([])
    static let waitingForWorker = Given([queued])
    static let running = Given([queued, begun(1), staged])
    static let calling = Given([queued, begun(1), staged, called])
    static let waiting = Given([queued, begun(1), missed(1)])
    static let lastRun = Given([queued, begun(1), missed(1), begun(2), missed(2), begun(3)])
}

extension FailureCode: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
