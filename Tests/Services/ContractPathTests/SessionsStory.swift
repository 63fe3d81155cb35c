import Contracts
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import sessions

enum SessionsStory: Story {
    static func variables(_ folder: String) -> [String: String] {
        ["OBJECT_STORE": "file://\(folder)", "UPLOAD_KEY": "an upload key of at least 16 characters"]
    }

    static func tell(_ stage: Stage<SessionsService>) async throws {
        try await stage.hear(
            .identity, "SigningKeyPublished", about: World.signingKey, becomes: ["SigningKeyLearned"])
        try await refusals(stage)
        try await completions(stage)
        try await endings(stage)
        try await create(stage, World.erasedOpen, at: 70)
        try await admit(stage, World.erasedOpen)
        // Ada's five sessions that have not been forgotten before.
        try await stage.hear(
            .identity, "UserErased", about: World.ada,
            becomes: [String](repeating: "SessionErased", count: 5) + ["SubjectErased"])
        try await stage.hear(
            .identity, "SigningKeyRetired", about: World.signingKey, becomes: ["SigningKeyRetirementLearned"])
        try await dances(stage)
        try await stage.hearSigned(erasing: [])
        try await sits(stage)
        try await stage.hearOfAppToken()
        try await handsOver(stage)
        try await keeps(stage, World.measured)
        try await stage.hearOfExport()
        try await stage.hearOfAPIKey()
        try await sendsAgain(stage, World.resent)
    }

    /// Its owner says nothing of the file before, as an app of the compatible surface, sends a wrong one, and removes it.
    private static func sendsAgain(_ stage: Stage<SessionsService>, _ session: UUID) async throws {
        let owner = World.owner(of: session)
        var (identity, creation) = particulars(session, at: 80, maxDurationSeconds: nil)
        creation.isAnnounced = false
        try await put(stage, .create(identity, creation), session)
        let reserved = QuotaReserved(
            identity, plan: .free, limit: 1, used: 0, reserved: 1, windowEndsAt: World.minutes(900))
        try await put(stage, .quotaReserved(reserved), session)
        try await put(stage, .storeUpload(by: owner, World.media("uploads/first-\(session)")), session)
        try await put(stage, .removeUpload(by: owner), session)
    }

    /// Its owner keeps recordings, then for a shorter time, then not at all.
    private static func keeps(_ stage: Stage<SessionsService>, _ session: UUID) async throws {
        let owner = World.owner(of: session)
        func choose(_ days: Int64, at minute: Int64) async throws {
            try await stage.command(
                MediaRetention.self, .choose(ownerId: owner, keepMediaDays: days, most: 30, at: World.minutes(minute)),
                on: MediaRetention.stream(owner), of: owner)
        }
        try await choose(7, at: 60)
        try await create(stage, session, at: 61)
        let reserved = QuotaReserved(
            SessionIdentity(sessionId: session, ownerId: owner, kind: .mirrormate), plan: .free, limit: 1, used: 0,
            reserved: 1, windowEndsAt: World.minutes(900))
        try await put(stage, .quotaReserved(reserved), session)
        try await upload(stage, session)
        // At moments that are the same each time.
        let ready = ReportReady(
            SessionReference(sessionId: session, ownerId: owner), reportId: World.reportID(of: session))
        let period = MediaPeriod(since: World.minutes(62), until: World.minutes(62 + 7 * 1_440))
        try await put(stage, .reportReady(ready, keeping: period), session)
        try await choose(1, at: 63)
        try await put(stage, .limitMedia(until: World.minutes(62 + 1_440), at: World.minutes(63)), session)
        try await choose(0, at: 64)
        try await put(stage, .limitMedia(until: World.minutes(62), at: World.minutes(64)), session)
    }

    /// What was logged on a device comes to an account.
    private static func handsOver(_ stage: Stage<SessionsService>) async throws {
        let handovers = PracticeHandovers(stage.group.context)
        let moved = ["SessionWithdrawn", "SessionLogged", "PracticeHandoverFinished"]
        try await logOnDevice(stage, World.satOnDevice, at: 0)
        // She has told the same sitting, and takes it back.
        try await sit(stage, World.sat, .delete(by: World.grace))
        try await stage.hear(
            .identity, "DeviceHandedOver", about: World.device, becomes: ["PracticeHandoverBegun"])
        try await stage.goOn(becomes: moved) { try await handovers.work() }
        try await logOnDevice(stage, World.satOnDeviceLater, at: 30)
        try await stage.hear(
            .identity, "DeviceHandedOver", version: 2, about: World.device, becomes: ["PracticeHandoverBegun"])
        try await stage.goOn(becomes: moved) { try await handovers.work() }
    }

    private static func logOnDevice(
        _ stage: Stage<SessionsService>, _ session: UUID, at minute: Int64
    ) async throws {
        let identity = SessionIdentity(sessionId: session, ownerId: World.device, kind: .meditation)
        try await stage.command(
            LoggedSession.self, .log(identity, LoggedPractice(World.practice(at: minute))),
            on: LoggedSession.stream(session), of: World.device)
    }

    /// Sessions that are logged when they are over.
    private static func sits(_ stage: Stage<SessionsService>) async throws {
        let pause = LoggedPractice.Pause(startedAt: World.minutes(5), endedAt: World.minutes(7))
        try await log(stage, World.sat, LoggedPractice(World.practice(at: 0), pauses: [pause]))
        try await sit(
            stage, World.sat, .correct(by: World.grace, LoggedPractice(World.practice(at: 0, activeSeconds: 600))))
        try await log(stage, World.satOtherDay, LoggedPractice(World.practice(at: 60)))
        try await sit(stage, World.satOtherDay, .correct(by: World.grace, LoggedPractice(World.practice(at: 1_500))))
        try await log(stage, World.satInVain, LoggedPractice(World.practice(at: 120)))
        try await sit(stage, World.satInVain, .delete(by: World.grace))
    }

    private static func log(
        _ stage: Stage<SessionsService>, _ session: UUID, _ practice: LoggedPractice
    ) async throws {
        let identity = SessionIdentity(sessionId: session, ownerId: World.grace, kind: .meditation)
        try await sit(stage, session, .log(identity, practice))
    }

    private static func sit(
        _ stage: Stage<SessionsService>, _ session: UUID, _ command: LoggedSessionCommand
    ) async throws {
        try await stage.command(LoggedSession.self, command, on: LoggedSession.stream(session), of: World.grace)
    }

    /// Of another kind, with several windows.
    private static func dances(_ stage: Stage<SessionsService>) async throws {
        try await create(stage, World.danced, at: 50)
        try await create(stage, World.refusedDance, at: 51)
        try await stage.hear(
            .quota, "QuotaReserved", version: 2, about: World.danced, becomes: ["SessionAdmitted"])
        try await stage.hear(.quota, "QuotaRefused", about: World.refusedDance, becomes: ["SessionRefused"])
    }

    private static func refusals(_ stage: Stage<SessionsService>) async throws {
        try await create(stage, World.completed, at: 0, maxDurationSeconds: 60)
        try await admit(stage, World.completed)
        try await create(stage, World.refusedOpen, at: 1)
        try await stage.hear(.quota, "QuotaRefused", about: World.refusedOpen, becomes: ["SessionRefused"])
        // A unit that comes after all is given back.
        let late = QuotaReserved(
            SessionIdentity(sessionId: World.refusedOpen, ownerId: World.ada, kind: .mirrormate), plan: .free, limit: 1,
            used: 0, reserved: 1, windowEndsAt: World.minutes(900))
        try await put(stage, .quotaReserved(late), World.refusedOpen)
    }

    private static func completions(_ stage: Stage<SessionsService>) async throws {
        try await upload(stage, World.completed)
        try await stage.hear(.analysis, "AnalysisStarted", about: World.completed, becomes: ["AnalysisStarted"])
        try await stage.hear(
            .analysis, "AnalysisProgressed", about: World.completed,
            becomes: ["AnalysisProgressed", "AnalysisProgressed"])
        try await stage.hear(.reporting, "ReportReady", about: World.completed, becomes: ["SessionCompleted"])
        try await create(stage, World.refusedUsedUp, at: 20)
        try await stage.hear(.quota, "QuotaRefused", about: World.refusedUsedUp, becomes: ["SessionRefused"])

        try await create(stage, World.deletedComplete, at: 30)
        try await admit(stage, World.deletedComplete)
        try await upload(stage, World.deletedComplete)
        try await stage.hear(.reporting, "ReportReady", about: World.deletedComplete, becomes: ["SessionCompleted"])
        try await put(stage, .delete(by: World.ada), World.deletedComplete)
    }

    private static func endings(_ stage: Stage<SessionsService>) async throws {
        try await create(stage, World.cancelled, at: 40)
        try await admit(stage, World.cancelled)
        try await upload(stage, World.cancelled)
        try await stage.hear(.analysis, "AnalysisStarted", about: World.cancelled, becomes: ["AnalysisStarted"])
        try await put(stage, .cancel(by: World.ada), World.cancelled)

        try await create(stage, World.replaced, at: 1)
        try await admit(stage, World.replaced)
        try await replace(stage, World.replaced, with: World.expired)
        try await admit(stage, World.expired)
        try await put(stage, .expire(at: World.minutes(90)), World.expired)

        try await create(stage, World.failed, at: 10)
        try await admit(stage, World.failed)
        try await upload(stage, World.failed)
        try await stage.hear(
            .analysis, "AnalysisFailed", about: World.failed, becomes: ["SessionFailed"])

        try await create(stage, World.unreported, at: 20)
        try await admit(stage, World.unreported)
        try await upload(stage, World.unreported)
        try await stage.hear(.reporting, "ReportFailed", about: World.unreported, becomes: ["SessionFailed"])

        try await create(stage, World.deletedOpen, at: 30)
        try await admit(stage, World.deletedOpen)
        try await put(stage, .delete(by: World.grace), World.deletedOpen)

        try await create(stage, World.unheardOf, at: 40)
        try await put(stage, .expire(at: World.minutes(120)), World.unheardOf)
    }

    // MARK: Steps

    private static func particulars(
        _ session: UUID, at minute: Int64, maxDurationSeconds: Int64? = nil, replaces: UUID? = nil
    ) -> (SessionIdentity, SessionCreation) {
        let owner = World.owner(of: session)
        let kind = [World.danced, World.refusedDance].contains(session) ? World.dance : .mirrormate
        return (
            SessionIdentity(sessionId: session, ownerId: owner, kind: kind),
            SessionCreation(
                timeZone: owner == World.ada ? "Europe/Berlin" : "Asia/Tokyo", createdAt: World.minutes(minute),
                expiresAt: World.minutes(minute + 60), contentType: "video/mp4", contentLength: 1_048_576,
                sha256: World.media("").sha256, maxDurationSeconds: maxDurationSeconds, replaces: replaces)
        )
    }

    private static func create(
        _ stage: Stage<SessionsService>, _ session: UUID, at minute: Int64, maxDurationSeconds: Int64? = nil
    ) async throws {
        let (identity, creation) = particulars(session, at: minute, maxDurationSeconds: maxDurationSeconds)
        try await put(stage, .create(identity, creation), session)
    }

    private static func admit(_ stage: Stage<SessionsService>, _ session: UUID) async throws {
        try await stage.hear(.quota, "QuotaReserved", about: session, becomes: ["SessionAdmitted"])
    }

    private static func upload(_ stage: Stage<SessionsService>, _ session: UUID) async throws {
        let owner = World.owner(of: session)
        try await put(stage, .storeUpload(by: owner, World.media("uploads/\(session)")), session)
        try await put(
            stage,
            .finalize(
                by: owner, uploaded: "uploads/\(session)", sealed: "sealed/\(session)", deadline: World.minutes(120)),
            session)
    }

    private static func put(
        _ stage: Stage<SessionsService>, _ command: SessionCommand, _ session: UUID
    ) async throws {
        try await stage.command(
            Session.self, command, on: Session.stream(session), of: World.owner(of: session))
    }

    /// Both decisions in one append, as the route does.
    private static func replace(
        _ stage: Stage<SessionsService>, _ old: UUID, with new: UUID
    ) async throws {
        let commands = CommandHandler<Session>(stage.group.first.store)
        let before = try await commands.load(Session.stream(old))
        let (identity, creation) = particulars(new, at: 2, replaces: old)
        let ending = try Session.decide(.giveWay(by: identity.ownerId, to: new), before.state)
        let beginning = try Session.decide(.create(identity, creation), .absent)
        try await stage.append(
            [
                StreamWrite(
                    Session.stream(old), expectedVersion: before.version, events: ending.map(NewEvent.init)),
                StreamWrite(Session.stream(new), expectedVersion: 0, events: beginning.map(NewEvent.init)),
            ], of: World.grace)
    }

    // MARK: Reading

    static func rewrite(_ type: EventType, _ data: JSONObject) throws -> (EventType, JSONObject) {
        try rewritten(SessionEvent.self, type, data)
    }

}
