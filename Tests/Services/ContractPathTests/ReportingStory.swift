import Contracts
import EventSourcing
import EventStore
import JSON
import ObjectStorage
import Primitives
import Providers
import Runtime
import ServiceTesting
import Testing

@testable import reporting

enum ReportingStory: Story {
    static func variables(_ folder: String) -> [String: String] { ["OBJECT_STORE": "file://\(folder)"] }

    static func tell(_ stage: Stage<ReportingService>) async throws {
        try await stage.hear(
            .identity, "SigningKeyPublished", about: World.signingKey, becomes: ["SigningKeyLearned"])
        for session in [World.completed, World.deletedComplete] {
            try await store(session, stage)
            try await stage.hear(.analysis, "AnalysisCompleted", about: session, becomes: ["ReportWritten"])
        }
        // Its document is not there.
        try await stage.hear(.analysis, "AnalysisCompleted", about: World.unreported, becomes: ["ReportFailed"])
        try await stage.hear(.sessions, "SessionFailed", about: World.unreported, becomes: [])
        for (name, session) in [
            ("SessionDeleted", World.deletedComplete), ("SessionCancelled", World.cancelled),
            ("SessionFailed", World.failed), ("SessionExpired", World.expired),
        ] {
            try await stage.hear(.sessions, name, about: session, becomes: ["ReportDeleted"])
        }
        try await stage.hear(
            .identity, "UserErased", about: World.ada, becomes: ["ReportErased", "SubjectErased"])
        try await stage.hear(
            .identity, "SigningKeyRetired", about: World.signingKey, becomes: ["SigningKeyRetirementLearned"])
        try await stage.hearSigned(erasing: [])
        try await store(World.measured, stage)
        try await stage.hear(
            .analysis, "AnalysisCompleted", version: 2, about: World.measured, becomes: ["ReportWritten"])
        try await sits(stage)
        try await stage.hearOfAppToken()
        let frozen = World.practice(at: 0).day + 2
        try await stage.command(
            Practitioner.self, .freeze(ownerId: World.device, frozen, today: frozen),
            on: Practitioner.stream(World.device), of: World.device)
        try await stage.hear(.identity, "DeviceHandedOver", about: World.device, becomes: ["DayFrozen"])
        try await stage.hear(.sessions, "SessionCreated", about: World.replaced, becomes: ["RecordingLearned"])
        try await aims(stage)
        let later = frozen + 40
        try await stage.command(
            Practitioner.self, .freeze(ownerId: World.device, later, today: later),
            on: Practitioner.stream(World.device), of: World.device)
        try await stage.hear(
            .identity, "DeviceHandedOver", version: 2, about: World.device, becomes: ["DayFrozen"])
        try await shares(stage)
        // First until one moment, then until an earlier one.
        try await stage.hear(
            .sessions, "MediaKept", about: World.measured, becomes: ["RetentionLearned", "RetentionLearned"])
        try await stage.hear(.sessions, "MediaRemoved", about: World.measured, becomes: ["RetentionLearned"])
        try await exports(stage)
        try await stage.hearOfAPIKey()
        try await stage.hear(.identity, "ConsentGiven", about: World.grace, becomes: ["ConsentLearned"])
        try await words(stage)
        try await stage.hear(.identity, "ConsentWithdrawn", about: World.grace, becomes: ["ConsentWithdrawalLearned"])
        try await meets(stage)
    }

    /// A report that waits for a provider's sentences, which come to nothing, and whose session is removed.
    private static func words(_ stage: Stage<ReportingService>) async throws {
        let session = World.transcribed
        let report = ReportIdentity(sessionId: session, ownerId: World.owner(of: session))
        let stream = Report.stream(session)
        let summary = ReportSummary(
            confidenceScore: 82, scoreCoverage: 65, scoreRange: 80...84, paceWordsPerMin: 150, eyeContactPct: 0.9,
            fillerCount: 4, durationSec: 28, tags: ["confident"])
        let draft = ReportDraft(
            World.document(of: session), summary,
            ReportWording(language: "en", variants: ["feedback.strong": 1]),
            ReportBasis(
                rulesVersion: 4, scenario: "pitch", engines: ["asr": "moonshine"], measures: ["clarity": .init(0.8)]))
        try await stage.command(
            Report.self, .wording(.draft(report, draft, content: ["durationSec": 28])), on: stream, of: report.ownerId)
        // The consent that was heard of is for something else, so the call is put into the log as it is.
        let call = ProviderCall(
            scope: ConsentScope(provider: "openai", purpose: .wording), model: "gpt-4o-mini",
            requestSHA256: String(repeating: "ef", count: 32), mostMicros: 900, currency: "USD",
            begunAt: World.minutes(50))
        let begun = NewEvent(ReportEvent.wording(.callBegun(report, call, giveUpAt: World.minutes(51))))
        try await stage.append(
            [StreamWrite(stream, expectedVersion: 1, events: [begun])], of: report.ownerId)
        let outcome = ProviderCallOutcome(
            scope: call.scope, code: "nothing-usable", durationMs: 900, attempts: 1, inputTokens: 1_000,
            outputTokens: 100, costMicros: 210)
        try await stage.command(Report.self, .wording(.end(report, outcome)), on: stream, of: report.ownerId)
        try await stage.command(Report.self, .discard(report, .deleted), on: stream, of: report.ownerId)
    }

    /// An export that is fetched until its time is over, and one of which a part is missing.
    private static func exports(_ stage: Stage<ReportingService>) async throws {
        let whole = ExportIdentity(exportId: World.export, ownerId: World.grace)
        let inVain = ExportIdentity(exportId: World.exportInVain, ownerId: World.grace)
        let terms = ExportTerms(requestedAt: World.morning, deadline: World.minutes(15), lifetimeSeconds: 86_400)
        try await put(stage, .request(whole, terms))
        let part = ExportPart(
            index: DocumentReference(
                key: "export-reporting/\(World.grace)/\(World.export)/1", sha256: String(repeating: "cd", count: 32),
                sizeBytes: 1_024), files: 9, sizeBytes: 40_000)
        try await put(stage, .receive(whole, service: "reporting", part, at: World.minutes(1)))
        for service in [ServiceName.identity, .sessions] {
            try await stage.hear(
                service, "ExportPartWritten", about: World.export, becomes: ["ExportPartReceived"])
            // The document that it names is not there.
            try await stage.hear(service, "ExportPartWritten", about: World.exportInVain, becomes: [])
        }
        try await stage.hear(
            .quota, "ExportPartWritten", about: World.export, becomes: ["ExportPartReceived", "ExportReady"])
        // After the last part, whenever that was published.
        try await put(stage, .look(whole, at: Timestamp(seconds: 4_000_000_000)))
        try await put(stage, .request(inVain, terms))
        try await put(stage, .look(inVain, at: terms.deadline))
        try await stage.hear(.sessions, "UploadFinalized", about: World.failed, becomes: ["UploadNoted"])
    }

    private static func put(_ stage: Stage<ReportingService>, _ command: ExportsCommand) async throws {
        try await stage.command(Exports.self, command, on: Exports.stream(World.grace), of: World.grace)
    }

    /// Days, streaks and what somebody chooses for them.
    private static func sits(_ stage: Stage<ReportingService>) async throws {
        try await stage.hear(.sessions, "SessionLogged", about: World.sat, becomes: ["PracticeCounted"])
        try await stage.hear(.sessions, "SessionCorrected", about: World.sat, becomes: ["PracticeCounted"])
        // On one day, and on the other one.
        try await stage.hear(
            .sessions, "SessionLogged", about: World.satOtherDay, becomes: ["PracticeCounted", "PracticeCounted"])
        try await stage.hear(.sessions, "SessionWithdrawn", about: World.satOtherDay, becomes: ["PracticeWithdrawn"])
        try await stage.hear(.sessions, "SessionLogged", about: World.satInVain, becomes: ["PracticeCounted"])
        try await stage.hear(.sessions, "SessionWithdrawn", about: World.satInVain, becomes: ["PracticeWithdrawn"])
        let day = PracticeDayIdentity(
            ownerId: World.grace, kind: .meditation, day: World.practice(at: 0).day)
        let commands: [PractitionerCommand] = [
            .setGrace(ownerId: World.grace, minutes: 240),
            .freeze(ownerId: World.grace, day.day + 1, today: day.day),
            .thaw(ownerId: World.grace, day.day + 1),
            .reach(ownerId: World.grace, .meditation, longestStreakDays: 14),
        ]
        for command in commands {
            try await stage.command(
                Practitioner.self, command, on: Practitioner.stream(World.grace), of: World.grace)
        }
        try await stage.command(Report.self, .erase, on: day.stream, of: World.grace)
    }

    /// Goals that are met, missed and dropped.
    private static func aims(_ stage: Stage<ReportingService>) async throws {
        let start = World.practice(at: 0).startedAt
        let goals = [("paceWordsPerMin", 130, 160), ("eyeContactPct", 0.7, nil)].enumerated().map {
            number, wanted -> Goal in
            let (measure, least, most) = wanted as (String, Double, Double?)
            return Goal(
                goalId: UUID.v5(namespace: World.grace, name: "goal \(number)"), kind: .mirrormate, measure: measure,
                atLeast: least, atMost: most, recordings: 1, days: 7, setAt: start,
                endsAt: start.adding(seconds: 604_800), timeZone: "Europe/Berlin")
        }
        let late = goals[1].endsAt.adding(seconds: Goals.patience)
        for goal in goals { try await put(stage, .set(ownerId: World.grace, goal)) }
        // As it was when nobody else heard of it.
        let met = ReportEvent.goalMet(ownerId: World.grace, goalId: goals[0].goalId, hits)
        let members = met.data.members.filter { $0.key != "announced" }.map { ($0.key, $0.value) }
        let old = NewEvent(StoredEvent(type: EventType("GoalMet"), data: JSONObject(members)))
        try await stage.append(
            [StreamWrite(Goals.stream(World.grace), expectedVersion: 2, events: [old])], of: World.grace)
        try await put(stage, .judge(ownerId: World.grace, goalId: goals[1].goalId, hits: [], at: late))
        try await put(stage, .drop(ownerId: World.grace, goalId: goals[0].goalId))
    }

    /// A goal that is met, and of which others hear: the last step, as a step's number is part of the ids that were released.
    private static func meets(_ stage: Stage<ReportingService>) async throws {
        let start = World.practice(at: 0).startedAt.adding(seconds: 864_000)
        let goal = Goal(
            goalId: World.goal, kind: .mirrormate, measure: "paceWordsPerMin",
            atLeast: 130, atMost: 160, recordings: 1, days: 7, setAt: start, endsAt: start.adding(seconds: 604_800),
            timeZone: "Europe/Berlin")
        try await put(stage, .set(ownerId: World.grace, goal))
        try await put(stage, .judge(ownerId: World.grace, goalId: goal.goalId, hits: hits, at: start))
    }

    private static let hits = [GoalHit(sessionId: World.measured, value: 150, rulesVersion: 4)]

    private static func put(_ stage: Stage<ReportingService>, _ command: GoalsCommand) async throws {
        try await stage.command(Goals.self, command, on: Goals.stream(World.grace), of: World.grace)
    }

    /// A link that is made and taken back.
    private static func shares(_ stage: Stage<ReportingService>) async throws {
        let start = World.practice(at: 0).startedAt
        let owner = World.owner(of: World.measured)
        let share = Share(
            shareId: UUID.v5(namespace: World.measured, name: "share"), sessionId: World.measured,
            parts: Share.Part.allCases, maxViews: 50, sharedAt: start, expiresAt: start.adding(seconds: 604_800))
        let commands: [SharesCommand] = [
            .share(
                ownerId: owner, share, over: [], tokenHash: SharedCards.hash("a token"), card: ["firstName": .null]),
            .revoke(ownerId: owner, shareId: share.shareId),
        ]
        for command in commands {
            try await stage.command(Shares.self, command, on: Shares.stream(owner), of: owner)
        }
    }

    /// Puts the document of an analysis where the service looks for it.
    private static func store(_ session: UUID, _ stage: Stage<ReportingService>) async throws {
        let bytes = World.bytes(of: session)
        let writer = try await FileObjectStore(root: stage.folder.path).makeWriter(
            World.document(of: session).key, size: Int64(bytes.count))
        try await writer.write(bytes)
        try await writer.commit()
    }

    static func rewrite(_ type: EventType, _ data: JSONObject) throws -> (EventType, JSONObject) {
        try rewritten(ReportEvent.self, type, data)
    }

}
