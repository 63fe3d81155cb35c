package import Contracts
package import EventSourcing
package import JSON
package import Primitives

/// What happened to a report. The names in ``type`` are durable; data carries numbers and references, never its texts.
package enum ReportEvent: PrivateEvent, Equatable {
    /// With how it is worded and what its figures rest on, each nil for a report that does not say; and with the session as it
    /// was begun, nil when that was not known by then.
    case written(ReportIdentity, DocumentReference, ReportSummary, ReportWording?, ReportBasis?, Recording?)
    /// When and where a session was begun that a report may follow, or has followed.
    case recordingLearned(ReportIdentity, Recording)
    case failed(ReportIdentity, FailureCode)
    /// Not wanted any more; `wasWritten` is false when that was known before there was a report.
    case deleted(ReportIdentity, DiscardReason, wasWritten: Bool)
    /// Its owner was erased.
    case erased(ReportIdentity)
    /// A logged session counts on a local day, or counts there otherwise than before.
    case practiceCounted(PracticeDayIdentity, sessionId: UUID, PracticeTime)
    /// A logged session no longer counts on a local day.
    case practiceWithdrawn(PracticeDayIdentity, sessionId: UUID)
    /// The owner of a local day's sessions was erased.
    case practiceForgotten(PracticeDayIdentity)
    /// Somebody has another grace after midnight.
    case graceChanged(ownerId: UUID, graceMinutes: Int64)
    /// Somebody may leave a local day empty.
    case dayFrozen(ownerId: UUID, LocalDay)
    /// Somebody may not leave it empty any more.
    case dayThawed(ownerId: UUID, LocalDay)
    /// Somebody's longest streak has reached a number that is worth telling.
    case milestoneReached(ownerId: UUID, SessionKind, streakDays: Int64)
    /// Nothing of an erased user is left in this service; the only event of a stream `subject-<user id>`.
    case subjectErased(UUID, SubjectErased.Removed)
    /// Somebody wants a measure to be so and so in some recordings of the next days.
    case goalSet(ownerId: UUID, Goal)
    /// As many recordings as a goal asked for were as it wants them.
    ///
    /// - isAnnounced: whether others hear of it; not of one of before they could.
    case goalMet(ownerId: UUID, goalId: UUID, [GoalHit], isAnnounced: Bool = true)
    /// The time of a goal was over before as many recordings were as it wants them; these were.
    case goalMissed(ownerId: UUID, goalId: UUID, [GoalHit])
    /// Somebody does not want a goal any more, whether it was met or not.
    case goalDropped(ownerId: UUID, goalId: UUID)
    /// The recording of a session has come, of so many bytes.
    case uploadNoted(ReportIdentity, sizeBytes: Int64)
    /// Something happened to an export of all that somebody has.
    case export(ExportEvent)
    /// Something happened to a report that a provider may word before it is written.
    case wording(WordingEvent)
    /// Somebody lets whoever has a link see some of a report, for a while.
    case reportShared(ownerId: UUID, Share)
    /// Somebody takes such a link back.
    case shareRevoked(ownerId: UUID, shareId: UUID)
    /// Until when the recording of its session is kept; nil when it is kept no longer.
    case retentionLearned(ReportIdentity, until: Timestamp?)

    /// The report of the event; nil for what is about no report.
    package var report: ReportIdentity? {
        switch self {
        case .written(let report, _, _, _, _, _), .recordingLearned(let report, _), .failed(let report, _),
            .deleted(let report, _, _), .erased(let report), .retentionLearned(let report, _),
            .uploadNoted(let report, _):
            report
        case .wording(let event): event.report
        case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .export: nil
        case .practiceCounted, .practiceWithdrawn, .practiceForgotten, .graceChanged, .dayFrozen, .dayThawed,
            .milestoneReached, .subjectErased:
            nil
        }
    }

    /// The local day of the event; nil for what is about no day's sessions.
    package var practiceDay: PracticeDayIdentity? {
        switch self {
        case .practiceCounted(let day, _, _), .practiceWithdrawn(let day, _), .practiceForgotten(let day): day
        case .written, .recordingLearned, .failed, .deleted, .erased, .graceChanged, .dayFrozen, .dayThawed,
            .milestoneReached, .subjectErased:
            nil
        case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .uploadNoted, .export,
            .wording:
            nil
        case .retentionLearned: nil
        }
    }

    /// Whose goals the event changes; nil for all others.
    package var aspirant: UUID? {
        switch self {
        case .goalSet(let owner, _), .goalMet(let owner, _, _, _), .goalMissed(let owner, _, _),
            .goalDropped(let owner, _),
            .subjectErased(let owner, _):
            owner
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten, .graceChanged, .dayFrozen, .dayThawed, .milestoneReached, .reportShared, .shareRevoked,
            .retentionLearned, .uploadNoted, .export, .wording:
            nil
        }
    }

    /// Who shared what the event is about; nil for all others.
    package var sharer: UUID? {
        switch self {
        case .reportShared(let owner, _), .shareRevoked(let owner, _): owner
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten, .graceChanged, .dayFrozen, .dayThawed, .milestoneReached, .subjectErased, .goalSet,
            .goalMet, .goalMissed, .goalDropped, .uploadNoted, .export, .wording:
            nil
        case .retentionLearned: nil
        }
    }

    /// Whose streaks the event changes besides sessions; nil for all others.
    package var practitioner: UUID? {
        switch self {
        case .graceChanged(let owner, _), .dayFrozen(let owner, _), .dayThawed(let owner, _),
            .milestoneReached(let owner, _, _), .subjectErased(let owner, _):
            owner
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten:
            nil
        case .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked, .uploadNoted, .export,
            .wording:
            nil
        case .retentionLearned: nil
        }
    }

    package var type: EventType {
        switch self {
        case .written: EventType("ReportWritten", 3)
        case .recordingLearned: EventType("RecordingLearned")
        case .failed: EventType("ReportFailed")
        case .deleted: EventType("ReportDeleted")
        case .erased: EventType("ReportErased")
        case .practiceCounted: EventType("PracticeCounted")
        case .practiceWithdrawn: EventType("PracticeWithdrawn")
        case .practiceForgotten: EventType("PracticeForgotten")
        case .graceChanged: EventType("GraceChanged")
        case .dayFrozen: EventType("DayFrozen")
        case .dayThawed: EventType("DayThawed")
        case .milestoneReached: EventType("MilestoneReached")
        case .subjectErased: EventType("SubjectErased")
        case .goalSet: EventType("GoalSet")
        case .goalMet: EventType("GoalMet", 2)
        case .goalMissed: EventType("GoalMissed")
        case .goalDropped: EventType("GoalDropped")
        case .uploadNoted: EventType("UploadNoted")
        case .export(let event): event.type
        case .wording(let event): event.type
        case .reportShared: EventType("ReportShared")
        case .shareRevoked: EventType("ShareRevoked")
        case .retentionLearned: EventType("RetentionLearned")
        }
    }

    package var data: JSONObject {
        let common =
            report?.reference.json ?? practiceDay?.json
            ?? (practitioner ?? aspirant ?? sharer).map { ["ownerId": .uuid($0)] } ?? [:]
        return switch self {
        case .erased: common
        case .written(_, let document, let summary, let wording, let basis, let recording):
            common.adding([
                "document": .object(document.json), "summary": .object(summary.json),
                "wording": wording.map { .object($0.json) }, "basis": basis.map { .object($0.json) },
                "recording": recording.map { .object($0.json) },
            ])
        case .recordingLearned(_, let recording): common.adding(membersOf: recording.json)
        case .failed(_, let code): common.adding(["code": code.json])
        case .deleted(_, let reason, let wasWritten):
            common.adding(["reason": reason.json, "wasWritten": .bool(wasWritten)])
        case .practiceCounted(_, let session, let time):
            common.adding(["sessionId": .uuid(session)]).adding(membersOf: time.json)
        case .practiceWithdrawn(_, let session): common.adding(["sessionId": .uuid(session)])
        case .practiceForgotten: common
        case .graceChanged(_, let minutes): common.adding(["graceMinutes": .int(minutes)])
        case .dayFrozen(_, let day), .dayThawed(_, let day): common.adding(["day": .string(day.description)])
        case .milestoneReached(_, let kind, let days):
            common.adding(["kind": kind.json, "streakDays": .int(days)])
        case .subjectErased(let subject, let removed): SubjectErased.stored(subject, removed)
        case .goalSet(_, let goal): common.adding(membersOf: goal.json)
        case .goalMet(_, let goal, let hits, let isAnnounced):
            common.adding([
                "goalId": .uuid(goal), "hits": .array(hits.map { .object($0.json) }), "announced": .bool(isAnnounced),
            ])
        case .goalMissed(_, let goal, let hits):
            common.adding(["goalId": .uuid(goal), "hits": .array(hits.map { .object($0.json) })])
        case .goalDropped(_, let goal): common.adding(["goalId": .uuid(goal)])
        case .uploadNoted(_, let size): common.adding(["sizeBytes": .int(size)])
        case .export(let event): event.data
        case .wording(let event): event.data
        case .reportShared(_, let share): common.adding(membersOf: share.json)
        case .shareRevoked(_, let share): common.adding(["shareId": .uuid(share)])
        case .retentionLearned(_, let until): common.adding(["until": until.map(JSONValue.time)])
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> ReportEvent {
        try reading(
            type, data, upcasting: upcasters,
            byName: { (name, data) throws(JSONError) in
                if name == "SubjectErased" { return try SubjectErased.stored(data, as: ReportEvent.subjectErased) }
                if let practice = try read(practice: name, data) { return practice }
                if let goal = try read(goal: name, data) { return goal }
                if let event = try ExportEvent.read(name, data) { return .export(event) }
                if let event = try WordingEvent.read(name, data) { return .wording(event) }
                if let share = try read(share: name, data) { return share }
                return try read(name, of: ReportIdentity(SessionReference(data)), data)
            })
    }

    private static let upcasters = Upcasters([
        // It did not say how the report was worded.
        EventType("ReportWritten", 1): { (data) throws(JSONError) in data },
        // Nor what its figures rest on: that is not known of it.
        EventType("ReportWritten", 2): { (data) throws(JSONError) in data },
        // Nobody else heard of it.
        EventType("GoalMet", 1): { (data) throws(JSONError) in data.adding(["announced": .bool(false)]) },
    ])

    /// An event of a report; nil for an unknown name.
    private static func read(
        _ name: String, of report: ReportIdentity, _ data: JSONObject
    ) throws(JSONError) -> ReportEvent? {
        switch name {
        case "ReportWritten":
            try .written(
                report, DocumentReference(data.object("document")), ReportSummary(data.object("summary")),
                data.optionalObject("wording").map(ReportWording.init),
                data.optionalObject("basis").map(ReportBasis.init),
                data.optionalObject("recording").map(Recording.init))
        case "RecordingLearned": try .recordingLearned(report, Recording(data))
        case "ReportFailed": try .failed(report, data.code("code"))
        case "ReportDeleted": try .deleted(report, data.code("reason"), wasWritten: data.bool("wasWritten"))
        case "ReportErased": .erased(report)
        case "RetentionLearned": try .retentionLearned(report, until: data.optionalTimestamp("until"))
        case "UploadNoted": try .uploadNoted(report, sizeBytes: data.int("sizeBytes"))
        default: nil
        }
    }

    /// An event of days and streaks; nil for an unknown name.
    private static func read(practice name: String, _ data: JSONObject) throws(JSONError) -> ReportEvent? {
        switch name {
        case "PracticeCounted":
            try .practiceCounted(PracticeDayIdentity(data), sessionId: data.uuid("sessionId"), PracticeTime(data))
        case "PracticeWithdrawn":
            try .practiceWithdrawn(PracticeDayIdentity(data), sessionId: data.uuid("sessionId"))
        case "PracticeForgotten": try .practiceForgotten(PracticeDayIdentity(data))
        case "GraceChanged": try .graceChanged(ownerId: data.uuid("ownerId"), graceMinutes: data.int("graceMinutes"))
        case "DayFrozen": try .dayFrozen(ownerId: data.uuid("ownerId"), data.day("day"))
        case "DayThawed": try .dayThawed(ownerId: data.uuid("ownerId"), data.day("day"))
        case "MilestoneReached":
            try .milestoneReached(
                ownerId: data.uuid("ownerId"), data.code("kind"), streakDays: data.int("streakDays"))
        default: nil
        }
    }
}

/// Sessions that count are what there is most of: a hundred thousand of one person alone.
extension ReportEvent {
    package static func decode(_ type: EventType, stored text: [UInt8]) throws(EventDecodingError) -> ReportEvent {
        if type == countedType, let event = text.withUnsafeBufferPointer(readCounted) { return event }
        return try decode(type, parsing: text)
    }

    private static let countedType = EventType("PracticeCounted")

    /// Its data with the members that ``data`` writes, in their order; nil for any other.
    static func readCounted(_ text: UnsafeBufferPointer<UInt8>) -> ReportEvent? {
        var reader = FlatReader(text)
        guard reader.begin(), let owner = reader.uuid("ownerId"), let kind = reader.text("kind"),
            let day = reader.day("day"), let session = reader.uuid("sessionId"),
            let startedAt = reader.time("startedAt"), let endedAt = reader.time("endedAt"),
            let activeSeconds = reader.int("activeSeconds"), let timeZone = reader.text("timeZone"),
            let utcOffsetSeconds = reader.int("utcOffsetSeconds"), reader.end()
        else { return nil }
        return .practiceCounted(
            PracticeDayIdentity(ownerId: owner, kind: SessionKind(rawValue: kind), day: day), sessionId: session,
            PracticeTime(
                startedAt: startedAt, endedAt: endedAt, activeSeconds: activeSeconds, timeZone: timeZone,
                utcOffsetSeconds: utcOffsetSeconds))
    }
}

extension ReportEvent {
    /// An event of goals; nil for an unknown name.
    private static func read(goal name: String, _ data: JSONObject) throws(JSONError) -> ReportEvent? {
        switch name {
        case "GoalSet": try .goalSet(ownerId: data.uuid("ownerId"), Goal(data))
        case "GoalMet":
            try .goalMet(
                ownerId: data.uuid("ownerId"), goalId: data.uuid("goalId"), GoalHit.list(data.array("hits")),
                isAnnounced: data.bool("announced"))
        case "GoalMissed":
            try .goalMissed(
                ownerId: data.uuid("ownerId"), goalId: data.uuid("goalId"), GoalHit.list(data.array("hits")))
        case "GoalDropped": try .goalDropped(ownerId: data.uuid("ownerId"), goalId: data.uuid("goalId"))
        default: nil
        }
    }

    /// An event of shares; nil for an unknown name.
    private static func read(share name: String, _ data: JSONObject) throws(JSONError) -> ReportEvent? {
        switch name {
        case "ReportShared": try .reportShared(ownerId: data.uuid("ownerId"), Share(data))
        case "ShareRevoked": try .shareRevoked(ownerId: data.uuid("ownerId"), shareId: data.uuid("shareId"))
        default: nil
        }
    }
}

extension JSONObject {
    /// A local day (ISO 8601, `2026-11-23`).
    ///
    /// - Throws: `JSONError` of code `missing` if the member is missing or null, `type` if it is not a day.
    func day(_ key: String) throws(JSONError) -> LocalDay {
        guard let day = LocalDay(try string(key)) else {
            throw JSONError(.type, at: key, "must be a date such as 2026-11-23")
        }
        return day
    }
}
