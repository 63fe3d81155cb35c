import Contracts
import Primitives
import Runtime

@testable import analysis
@testable import identity
@testable import quota
@testable import reporting
@testable import sessions

/// A user, a session and what followed from it, recorded in five services' logs.
@Loop struct RecordedSession {
    let owner = UUID.v4()
    let id = UUID.v4()
    private(set) var created: Int64 = 0
    private(set) var reserved: Int64 = 0
    private(set) var admitted: Int64 = 0
    private(set) var finalized: Int64 = 0
    private(set) var queued: Int64 = 0

    nonisolated var session: SessionIdentity { SessionIdentity(sessionId: id, ownerId: owner, kind: .mirrormate) }

    /// Appends everything to the logs, as the services would.
    static func write(to schemas: AllSchemas) async throws -> RecordedSession {
        var result = RecordedSession()
        let (owner, id) = (result.owner, result.id)
        let now = Timestamp.now()
        let session = result.session
        let hash = String(repeating: "ab", count: 32)
        let media = MediaReference(key: "uploads/1", sha256: hash, sizeBytes: 9, contentType: "video/mp4")
        var sealed = media
        sealed.key = "sealed/1"
        _ = try await schemas.append(
            .identity, User.stream(owner), [UserEvent.registered(owner, .user, timeZone: "Europe/Berlin")])
        let creation = SessionCreation(
            timeZone: "Europe/Berlin", createdAt: now, expiresAt: now.adding(seconds: 900), contentType: "video/mp4",
            contentLength: 9)
        result.created = try await schemas.append(
            .sessions, Session.stream(id), [SessionEvent.created(session, creation)])
        let day = now.adding(seconds: 3_600)
        let reservation = try Allowance.decide(
            .reserve(
                UnitRequest(
                    sessionId: id, ownerId: owner, kind: .mirrormate, createdAt: now, expiresAt: creation.expiresAt,
                    timeZone: "Europe/Berlin", localDayEndsAt: day, plans: .builtIn)), .initial)
        result.reserved = try await schemas.answer(
            .quota, Allowance.stream(owner), reservation, to: .sessions, result.created)
        result.admitted = try await schemas.answer(
            .sessions, Session.stream(id), [SessionEvent.admitted(session)], from: 1, to: .quota, result.reserved)
        _ = try await schemas.append(
            .sessions, Session.stream(id), [SessionEvent.uploadStored(session, media)], from: 2)
        result.finalized = try await schemas.append(
            .sessions, Session.stream(id),
            [SessionEvent.uploadFinalized(session, sealed, maxDurationSeconds: nil, deadline: day)], from: 3)
        let jobs = try Job.decide(
            .queue(SessionReference(sessionId: id, ownerId: owner), JobOrder(kind: .mirrormate, media: sealed)),
            .initial)
        result.queued = try await schemas.answer(.analysis, Job.stream(id), jobs, to: .sessions, result.finalized)
        let begun = Report.decide(
            .learn(
                ReportIdentity(sessionId: id, ownerId: owner),
                Recording(kind: .mirrormate, timeZone: "Europe/Berlin", utcOffsetSeconds: 3_600, begunAt: now)),
            .initial)
        _ = try await schemas.answer(
            .reporting, Report.stream(id), begun, to: .sessions, result.created)
        _ = try await schemas.answer(
            .reporting, Report.stream(id),
            [ReportEvent.uploadNoted(ReportIdentity(sessionId: id, ownerId: owner), sizeBytes: media.sizeBytes)],
            from: 1, to: .sessions, result.finalized)
        return result
    }
}
