import Contracts
import EventSourcingTesting
import Primitives
import Providers

@testable import reporting

typealias Given = Specification<Report>

/// One report and all that can be said of it.
enum Fixture {
    static let id = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0001)
    static let owner = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0002)
    static let report = ReportIdentity(sessionId: id, ownerId: owner)
    static let start = Timestamp(seconds: 1_795_000_000)
    static let document = DocumentReference(
        key: "documents/1", sha256: String(repeating: "ab", count: 32), sizeBytes: 7)
    static let otherDocument = DocumentReference(
        key: "documents/2", sha256: String(repeating: "cd", count: 32), sizeBytes: 8)
    static let summary = ReportSummary(
        confidenceScore: 82, scoreCoverage: 65, scoreRange: 80...84, paceWordsPerMin: 150, eyeContactPct: 0.9,
        fillerCount: 4, durationSec: 28,
        tags: ["confident", "poised"])
    static let emptySummary = ReportSummary(
        confidenceScore: nil, paceWordsPerMin: nil, eyeContactPct: nil, fillerCount: nil, durationSec: 3, tags: [])
    static let wording = ReportWording(language: "en", variants: ["feedback.strong": 1, "strength.facesCamera": 0])
    static let basis = ReportBasis(
        rulesVersion: 4, language: "en-GB", scenario: "pitch", engines: ["asr": "moonshine", "face": "dlib-hog 19.24"],
        measures: [
            "confidenceScore": .init(82), "tonalVariety": .init(0.75, isUncertain: true, version: 2),
            "clarity": .init(nil, code: "too-noisy"), "postureScore": .init(nil),
        ], exercise: ["tonalVariety"])
    static let recording = Recording(
        kind: .mirrormate, timeZone: "Asia/Tokyo", utcOffsetSeconds: 32_400, begunAt: start.adding(seconds: -300))
    static let removed = SubjectErased.Removed(rows: 2, objects: 1)

    static let draft = ReportDraft(document, summary, wording, basis)
    static let scope = ConsentScope(provider: "openai", purpose: .wording)
    static let otherScope = ConsentScope(provider: "another", purpose: .wording)
    static let giveUpAt = start.adding(seconds: 45)
    static func call(_ scope: ConsentScope = scope) -> ProviderCall {
        ProviderCall(
            scope: scope, model: "gpt-4o-mini", requestSHA256: String(repeating: "ef", count: 32), mostMicros: 900,
            currency: "USD", begunAt: start)
    }
    static func came(_ code: String, cost: Int64, _ scope: ConsentScope = scope) -> ProviderCallOutcome {
        ProviderCallOutcome(
            scope: scope, code: code, durationMs: 800, attempts: 1, inputTokens: cost > 0 ? 1_000 : nil,
            outputTokens: cost > 0 ? 100 : nil, costMicros: cost)
    }
    /// Sentences; none, certainly for nothing; none, though they are charged.
    static let answer = came("answered", cost: 210)
    static let noAnswer = came("unavailable", cost: 0)
    static let paidInVain = came("nothing-usable", cost: 210)
    /// The figures of a report that is worded: its feedback has another length.
    static let wordedBasis = ReportBasis(rulesVersion: 4, measures: ["feedback": .init(181)])
    static let drafted = ReportEvent.wording(.drafted(report, draft))
    static let asked = ReportEvent.wording(.callBegun(report, call(), giveUpAt: giveUpAt))
    static let unanswered = ReportEvent.wording(.callEnded(report, noAnswer))
    static let paid = ReportEvent.wording(.callEnded(report, paidInVain))

    static let written = ReportEvent.written(report, document, summary, wording, basis, nil)
    static let writtenPlaced = ReportEvent.written(report, document, summary, wording, basis, recording)
    static let learned = ReportEvent.recordingLearned(report, recording)
    static let kept = ReportEvent.retentionLearned(report, until: start)
    static let failed = ReportEvent.failed(report, .reportUnreadable)
    static let deleted = ReportEvent.deleted(report, .deleted, wasWritten: true)
    static let deletedEarly = ReportEvent.deleted(report, .cancelled, wasWritten: false)
    static let erased = ReportEvent.erased(report)
    static let subjectErased = ReportEvent.subjectErased(owner, removed)

    static let day = PracticeDayIdentity(ownerId: owner, kind: .meditation, day: time().day)
    static let counted = ReportEvent.practiceCounted(day, sessionId: id, time())
    static let countedLonger = ReportEvent.practiceCounted(day, sessionId: id, time(active: 900))
    static let withdrawn = ReportEvent.practiceWithdrawn(day, sessionId: id)
    static let forgotten = ReportEvent.practiceForgotten(day)
    static let grace = ReportEvent.graceChanged(ownerId: owner, graceMinutes: 60)
    static let frozen = ReportEvent.dayFrozen(ownerId: owner, day.day)
    static let thawed = ReportEvent.dayThawed(ownerId: owner, day.day)
    static let milestone = ReportEvent.milestoneReached(ownerId: owner, .meditation, streakDays: 7)

    static let goal = Goal(
        goalId: UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0003), kind: .mirrormate,
        measure: "paceWordsPerMin", atLeast: 130, atMost: 160, recordings: 2, days: 7, setAt: start,
        endsAt: start.adding(seconds: 604_800), timeZone: "Europe/Berlin")
    static let hits = [
        GoalHit(sessionId: id, value: 150, rulesVersion: 4), GoalHit(sessionId: owner, value: 140.5, rulesVersion: nil),
    ]
    static let goalSet = ReportEvent.goalSet(ownerId: owner, goal)
    static let goalMet = ReportEvent.goalMet(ownerId: owner, goalId: goal.goalId, hits)
    static let goalMissed = ReportEvent.goalMissed(ownerId: owner, goalId: goal.goalId, [hits[0]])
    static let goalDropped = ReportEvent.goalDropped(ownerId: owner, goalId: goal.goalId)

    static let uploadNoted = ReportEvent.uploadNoted(report, sizeBytes: 1_048_576)

    static let export = ExportIdentity(
        exportId: UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0004), ownerId: owner)
    static let exportTerms = ExportTerms(
        requestedAt: start, deadline: start.adding(seconds: 900), lifetimeSeconds: 86_400)
    static let exportPart = ExportPart(index: document, files: 3, sizeBytes: 700)
    static let exportRequested = ReportEvent.export(.requested(export, exportTerms))
    static func exportReceived(_ service: String) -> ReportEvent {
        .export(.partReceived(export, service: service, exportPart))
    }
    static let exportEmpty = ReportEvent.export(
        .partReceived(export, service: "quota", ExportPart(index: nil, files: 0, sizeBytes: 0)))
    static let exportReady = ReportEvent.export(
        .ready(export, readyAt: start.adding(seconds: 5), expiresAt: start.adding(seconds: 86_405)))
    static let exportFailed = ReportEvent.export(.failed(export, missing: ["identity", "quota"]))
    static let exportExpired = ReportEvent.export(.closed(export, .expired))
    static let exportDeleted = ReportEvent.export(.closed(export, .deleted))
    static let share = Share(
        shareId: UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0004), sessionId: id,
        parts: [.score, .workOn], maxViews: 50, sharedAt: start, expiresAt: start.adding(seconds: 604_800))
    static let shared = ReportEvent.reportShared(ownerId: owner, share)
    static let revoked = ReportEvent.shareRevoked(ownerId: owner, shareId: share.shareId)

    static func time(active: Int64 = 600) -> PracticeTime {
        PracticeTime(
            startedAt: start, endedAt: start.adding(seconds: 1_200), activeSeconds: active,
            timeZone: "Europe/Berlin", utcOffsetSeconds: 3_600)
    }

    static let completed = AnalysisCompletedV2(
        SessionReference(sessionId: id, ownerId: owner), attempt: 1, document: document, durationMs: 8_000)
    /// Of an analysis that made the report itself.
    static let completedReady = AnalysisCompleted(
        SessionReference(sessionId: id, ownerId: owner), attempt: 1, document: document, durationMs: 8_000)
}
