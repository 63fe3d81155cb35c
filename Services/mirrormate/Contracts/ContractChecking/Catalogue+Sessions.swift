import Contracts

extension Catalogue {
    private static func ended<Message: PublishedMessage>(
        _ type: Message.Type, _ meaning: String, _ more: [FieldRule]
    ) -> DeclaredMessage {
        DeclaredMessage(type, .sessions, meaning, key: "ownerId", subject: "sessionId", [session, owner, kind] + more)
    }

    static let sessions = [
        ended(
            SessionCreated.self, "Somebody wants a session; quota decides whether it may begin.",
            [
                FieldRule(
                    "timeZone", .timeZone, "The owner's IANA time zone, which fixes the local day that is charged."),
                FieldRule("createdAt", .time, "When it was created."),
                FieldRule("expiresAt", .time, "When it expires unless its upload is finalized first."),
                FieldRule(
                    "replaces", .uuid, "The session that the same decision cancelled in favor of this one.",
                    isOptional: true),
            ]),
        ended(
            UploadFinalized.self, "The recording is complete and sealed; analysis may begin.",
            [
                document(
                    "media", "The sealed recording.",
                    [FieldRule("contentType", .text, "The media type, as recognized from the content.")]),
                FieldRule(
                    "maxDurationSeconds", .integer, "The maximum length of recording that the client requested.",
                    unit: .seconds,
                    isOptional: true, minimum: 1),
                FieldRule("language", .text, "The language that is spoken, a BCP 47 tag.", isOptional: true),
                FieldRule(
                    "scenario", .code, "What is spoken for.", isOptional: true,
                    known: ["general", "interview", "pitch", "casual"]),
            ]),
        ended(
            SessionCompleted.self, "A session ended well: its report is readable.",
            [FieldRule("reportId", .uuid, "The report; absent for kinds without one.", isOptional: true)]),
        ended(
            SessionFailed.self, "A session ended because something went wrong.", [failure, retryable]),
        ended(
            SessionCancelled.self, "A session ended because its owner cancelled or replaced it.",
            [
                FieldRule("analysisStarted", .boolean, "Whether analysis had begun, so that cost had arisen."),
                FieldRule("replacedBy", .uuid, "The session that replaces it.", isOptional: true),
            ]),
        ended(SessionExpired.self, "A session ended because its upload was not finalized in time.", []),
        ended(
            SessionDeleted.self,
            "A session and everything that belongs to it was deleted. If it had not ended, it was cancelled just before.",
            [FieldRule("wasComplete", .boolean, "Whether it had been completed; then nothing is refunded.")]),
        logged(
            SessionLogged.self,
            "A session that was over when it was told. It counts on the local day on which it began.",
            []),
        logged(
            SessionCorrected.self, "A logged session was otherwise than it was told before, on the same local day.", []),
        logged(
            SessionWithdrawn.self, "A logged session, as it was told last, no longer counts on its local day.",
            [
                FieldRule(
                    "reason", .code, "Why; of one that moved, the next message logs it on its other day.",
                    known: ["deleted", "moved", "handed-over", "repeated"])
            ]),
        DeclaredMessage(
            MediaKept.self, .sessions,
            "The recording of a completed session is kept until a moment; said again when that comes nearer.",
            key: "ownerId", subject: "sessionId",
            [Catalogue.session, Catalogue.owner, FieldRule("until", .time, "When it goes.")]),
        DeclaredMessage(
            MediaRemoved.self, .sessions, "The recording of a completed session is kept no longer.", key: "ownerId",
            subject: "sessionId", [Catalogue.session, Catalogue.owner]),
        DeclaredMessage(subjectErasedBy: .sessions),
        DeclaredMessage(exportPartOf: .sessions),
    ]

    private static func logged<Message: PublishedMessage>(
        _ type: Message.Type, _ meaning: String, _ more: [FieldRule]
    ) -> DeclaredMessage {
        DeclaredMessage(
            type, .sessions, meaning, key: "ownerId", subject: "sessionId",
            [
                session, owner, FieldRule("kind", .code, "What was practised.", known: ["meditation"]),
                FieldRule("startedAt", .time, "When it began."),
                FieldRule("endedAt", .time, "When it ended, pauses included."),
                FieldRule(
                    "activeSeconds", .integer, "How long it was practised, without pauses.", unit: .seconds, minimum: 1,
                    maximum: 86_400),
                FieldRule("timeZone", .timeZone, "The IANA time zone of the place."),
                FieldRule(
                    "utcOffsetSeconds", .integer,
                    "How far clocks there were ahead of UTC when it began; negative in the west. With startedAt it fixes the local day.",
                    unit: .seconds, minimum: -86_400, maximum: 86_400),
            ] + more)
    }

    private static func charged<Message: PublishedMessage>(
        _ type: Message.Type, _ meaning: String, _ more: [FieldRule]
    ) -> DeclaredMessage {
        DeclaredMessage(type, .quota, meaning, key: "ownerId", subject: "sessionId", [session, owner, kind] + more)
    }

    private static func window(_ name: String, _ meaning: String) -> FieldRule {
        FieldRule(
            name, .object, meaning, isOptional: true,
            fields: [
                FieldRule(
                    "limit", .integer, "Units of the window; nil when unlimited.", unit: .count, isOptional: true,
                    minimum: 0),
                FieldRule("used", .integer, "Units charged in the window.", unit: .count, minimum: 0),
                FieldRule(
                    "reserved", .integer, "Units held by sessions that have not ended, this one among them.",
                    unit: .count, minimum: 1),
                FieldRule("endsAt", .time, "When the window ends and its units are there again."),
            ])
    }

    static let quota = [
        charged(
            QuotaReserved.self, "A unit is reserved for a session: it may begin.",
            [
                FieldRule("plan", .code, "The plan that was in force.", known: ["free", "premium"]),
                FieldRule(
                    "limit", .integer, "Units of the window; absent if unlimited.", unit: .count, isOptional: true,
                    minimum: 0),
                FieldRule("used", .integer, "Units charged in the window.", unit: .count, minimum: 0),
                FieldRule(
                    "reserved", .integer, "Units held by sessions that have not ended, this one among them.",
                    unit: .count, minimum: 1),
                FieldRule("windowEndsAt", .time, "When the window ends and the units are available again."),
            ]),
        charged(
            QuotaReservedV2.self,
            "A unit is reserved for a session: it may begin. For an allowance with several windows; with one it is version 1.",
            [
                FieldRule("plan", .code, "The plan that was in force.", known: ["free", "premium"]),
                FieldRule(
                    "windows", .object, "All windows of the allowance, by their names; more may come.",
                    fields: [
                        window("hour", "The hour from its first use on."),
                        window("local-day", "The owner's local day."),
                    ]),
            ]),
        charged(
            QuotaRefused.self, "No unit for a session: it does not begin.",
            [
                FieldRule("code", .code, "Why.", known: ["quota-exceeded", "session-open"]),
                FieldRule(
                    "window", .code, "The limit that is full; of several, the one that stays full longest.",
                    isOptional: true, known: ["hour", "local-day", "at-once", "burst"]),
                FieldRule("resetsAt", .time, "When units are available again."),
                FieldRule(
                    "heldBy", .object, "The session that holds the last unit, for session-open.", isOptional: true,
                    fields: [
                        FieldRule("sessionId", .uuid, "The session to finish, cancel or replace."),
                        FieldRule(
                            "expiresAt", .time, "When it expires unless its upload is finalized first."),
                    ]),
            ]),
        charged(QuotaCommitted.self, "A completed session was charged.", []),
        charged(
            QuotaReleased.self, "What a session had reserved is free again.",
            [
                FieldRule(
                    "reason", .code, "Why.",
                    known: ["failed", "unusable", "cancelled", "expired", "deleted", "orphaned"])
            ]),
        DeclaredMessage(
            PlanChanged.self, .quota, "A different plan is in force for a user.", key: "ownerId", subject: "ownerId",
            [
                FieldRule("ownerId", .uuid, "The user."),
                FieldRule("plan", .code, "The plan from now on.", known: ["free", "premium"]),
            ]),
        DeclaredMessage(subjectErasedBy: .quota),
        DeclaredMessage(exportPartOf: .quota),
    ]
}
