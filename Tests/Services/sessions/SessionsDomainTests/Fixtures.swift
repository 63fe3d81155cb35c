import Contracts
import EventSourcingTesting
import Primitives

@testable import sessions

typealias Given = Specification<Session>

/// One session and all that can be said of it.
enum Fixture {
    static let id = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0001)
    static let owner = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0002)
    static let other = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0003)
    static let report = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0004)
    static let start = Timestamp(seconds: 1_795_000_000)
    static let expiry = start.adding(seconds: 900)
    static let deadline = start.adding(seconds: 3_600)
    static let hash = String(repeating: "ab", count: 32)

    static let session = SessionIdentity(sessionId: id, ownerId: owner, kind: .mirrormate)
    static let creation = SessionCreation(
        timeZone: "Europe/Berlin", createdAt: start, expiresAt: expiry, contentType: "video/mp4",
        contentLength: 1_000, sha256: hash, maxDurationSeconds: 60)
    static let brief = RecordingBrief(language: "pt-BR", scenario: .pitch)
    static let upload = media("uploads/1")
    static let sealed = media("sealed/1")
    static let denial = QuotaDenial(
        code: .sessionOpen, resetsAt: deadline, heldBy: HeldBy(sessionId: other, expiresAt: expiry))

    static func media(_ key: String, size: Int64 = 1_000, hash: String = hash) -> MediaReference {
        MediaReference(key: key, sha256: hash, sizeBytes: size, contentType: "video/mp4")
    }

    // Events.

    static let created = SessionEvent.created(session, creation)
    static let admitted = SessionEvent.admitted(session)
    static let stored = SessionEvent.uploadStored(session, upload)
    static let finalized = SessionEvent.uploadFinalized(session, sealed, maxDurationSeconds: 60, deadline: deadline)
    static let started = SessionEvent.analysisStarted(session, attempt: 2)
    static let progressed = SessionEvent.analysisProgressed(
        session, attempt: 2, stage: .voice, progressPercent: 40)
    static let completed = SessionEvent.completed(session, reportId: report)
    static let failed = SessionEvent.failed(session, .processingTimeout, retryable: true)
    static let cancelled = SessionEvent.cancelled(session, analysisStarted: false, replacedBy: nil)
    static let expired = SessionEvent.expired(session)
    static let refused = SessionEvent.refused(session, denial)
    static let declined = SessionEvent.reservationDeclined(session)
    static let deleted = SessionEvent.deleted(session, wasComplete: false)
    static let erased = SessionEvent.erased(session)
    static let subjectErased = SessionEvent.subjectErased(owner, .init(rows: 3, objects: 1))

    static let period = MediaPeriod(since: deadline, until: deadline.adding(seconds: 7 * 86_400))
    static let mediaKept = SessionEvent.mediaKept(session, sealed, since: period.since, until: period.until)
    static let mediaRemoved = SessionEvent.mediaRemoved(session)
    static let uploadRemoved = SessionEvent.uploadRemoved(session)
    static let retentionChosen = SessionEvent.retentionChosen(ownerId: owner, keepMediaDays: 7, chosenAt: start)

    // Histories.

    static let absent = Given([])
    static let queued = Given([created])
    static let open = Given([created, admitted])
    static let uploaded = Given([created, admitted, stored])
    static let processing = Given([created, admitted, stored, finalized])
    static let analyzing = Given([created, admitted, stored, finalized, started, progressed])

    // Commands.

    static let create = SessionCommand.create(session, creation)
    static let finalize = SessionCommand.finalize(
        by: owner, uploaded: "uploads/1", sealed: "sealed/1", deadline: deadline)
    static let reserved = SessionCommand.quotaReserved(
        QuotaReserved(
            SessionIdentity(sessionId: id, ownerId: owner, kind: .mirrormate), plan: .free, limit: 1, used: 0,
            reserved: 1, windowEndsAt: deadline))
    static let reservedInWindows = SessionCommand.quotaReservedInWindows(
        QuotaReservedV2(
            session, plan: .free,
            windows: [
                .init(.hour, limit: 2, used: 1, reserved: 1, endsAt: expiry),
                .init(.localDay, limit: nil, used: 1, reserved: 1, endsAt: deadline),
            ]))
    static let denied = SessionCommand.quotaRefused(
        QuotaRefused(
            SessionIdentity(sessionId: id, ownerId: owner, kind: .mirrormate),
            QuotaDenial(code: .sessionOpen, resetsAt: deadline, heldBy: HeldBy(sessionId: other, expiresAt: expiry))))
    static let ready = SessionCommand.reportReady(
        ReportReady(SessionReference(sessionId: id, ownerId: owner), reportId: report))
    static let kept = SessionCommand.reportReady(
        ReportReady(SessionReference(sessionId: id, ownerId: owner), reportId: report), keeping: period)
    static let noReport = SessionCommand.reportFailed(
        ReportFailed(SessionReference(sessionId: id, ownerId: owner), code: FailureCode(rawValue: "report-failed")))
    static let noAnalysis = SessionCommand.analysisFailed(
        AnalysisFailed(
            SessionReference(sessionId: id, ownerId: owner), attempt: 2, code: FailureCode(rawValue: "no-speech"),
            retryable: false))

    static func start(_ attempt: Int64) -> SessionCommand {
        .analysisStarted(AnalysisStarted(SessionReference(sessionId: id, ownerId: owner), attempt: attempt))
    }

    static func progress(_ attempt: Int64, _ percent: Int64) -> SessionCommand {
        .analysisProgressed(
            AnalysisProgressed(
                SessionReference(sessionId: id, ownerId: owner), attempt: attempt, stage: .voice,
                progressPercent: percent))
    }
}
