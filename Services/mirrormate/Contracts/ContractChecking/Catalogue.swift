package import Contracts

/// Every message that a service publishes. A test compares it with the sources, so that none can be forgotten.
package enum Catalogue {
    /// All of them, by service.
    package static let messages: [DeclaredMessage] = identity + sessions + quota + analysis + reporting + notifications

    /// The declaration of a type; nil if it is not published.
    package static func message(_ type: MessageType) -> DeclaredMessage? { messages.first { $0.type == type } }

    // Members that many messages have.
    static let session = FieldRule("sessionId", .uuid, "The session.")
    static let owner = FieldRule("ownerId", .uuid, "The user whose session it is.")
    static let kind = FieldRule("kind", .code, "What the session records.", known: ["mirrormate"])
    static let attempt = FieldRule(
        "attempt", .integer, "Which attempt of the job, from 1; the outcome of an older attempt never counts.",
        unit: .count, minimum: 1)
    static let retryable = FieldRule("retryable", .boolean, "Whether a retry with the same recording may succeed.")
    static let failure = FieldRule(
        "code", .code, "What went wrong; shown to clients as the error's stable code.",
        known: [
            "processing-timeout", "worker-lost", "report-missing", "report-unreadable", "too-short", "no-speech",
            "no-sound",
            "black-picture",
        ])

    static func document(_ name: String, _ meaning: String, _ more: [FieldRule] = []) -> FieldRule {
        FieldRule(
            name, .object, meaning,
            fields: [
                FieldRule("key", .text, "The object's key in the store."),
                FieldRule("sha256", .sha256, "SHA-256 of the bytes."),
                FieldRule("sizeBytes", .integer, "The number of bytes.", unit: .bytes, minimum: 0),
            ] + more)
    }

    private static let identity = [
        DeclaredMessage(
            UserRegistered.self, .identity,
            "A user exists: an anonymous device, or somebody who signed up. Published again when a device becomes an account.",
            key: "userId", subject: "userId",
            [
                FieldRule("userId", .uuid, "The user."),
                FieldRule("kind", .code, "How the user came to be.", known: ["user", "device"]),
            ]),
        DeclaredMessage(
            UserProfileChanged.self, .identity, "The part of a profile that other services may know has changed.",
            key: "userId", subject: "userId",
            [
                FieldRule("userId", .uuid, "The user."),
                FieldRule("timeZone", .timeZone, "The IANA time zone from now on."),
            ]),
        DeclaredMessage(
            UserErased.self, .identity,
            "A user was erased; every service removes the user's data and answers with SubjectErased.",
            key: "userId", subject: "userId", [FieldRule("userId", .uuid, "The user.")]),
        DeclaredMessage(
            UserErasedV2.self, .identity,
            "A user was erased, signed; every service removes the user's data and answers with SubjectErased.",
            key: "userId", subject: "userId", [FieldRule("userId", .uuid, "The user.")]),
        DeclaredMessage(
            DeviceHandedOver.self, .identity,
            "What was practised on an anonymous device so far is an account's, signed: who signed in has shown the device's secret.",
            key: "userId", subject: "userId",
            [
                FieldRule("userId", .uuid, "The device's user, who stays an anonymous device."),
                FieldRule("accountId", .uuid, "The account."),
            ]),
        DeclaredMessage(
            DeviceHandedOverV2.self, .identity,
            "What was practised on an anonymous device so far is an account's, signed with its moment: who signed in has shown the device's secret.",
            key: "userId", subject: "userId",
            [
                FieldRule("userId", .uuid, "The device's user, who stays an anonymous device."),
                FieldRule("accountId", .uuid, "The account."),
                FieldRule(
                    "handedOverAt", .time, "When the device's secret was shown; what began later stays the device's."),
            ]),
        DeclaredMessage(
            SigningKeyPublished.self, .identity, "A key that signs access tokens (ES256).", key: nil, subject: "kid",
            signingKey),
        DeclaredMessage(
            SigningKeyPublishedV2.self, .identity, "A key that signs access tokens (ES256), announced signed.",
            key: nil, subject: "kid", signingKey),
        DeclaredMessage(
            SigningKeyRetired.self, .identity, "A signing key is withdrawn.", key: nil, subject: "kid", retirement),
        DeclaredMessage(
            SigningKeyRetiredV2.self, .identity, "A signing key is withdrawn, announced signed.", key: nil,
            subject: "kid", retirement),
        DeclaredMessage(
            AnnouncementsBegun.self, .identity,
            "From this message on identity signs its announcements; what came before is announced again behind it.",
            key: nil, subject: "announcementKey",
            [
                FieldRule(
                    "announcementKey", .text, "The id of the key that it signs with: its thumbprint (RFC 7638).")
            ]),
        DeclaredMessage(
            LoginSessionEnded.self, .identity,
            "A login session was ended before its time, signed; access tokens that name it count no longer.",
            key: "userId", subject: "loginSessionId",
            [
                FieldRule("userId", .uuid, "The user."),
                FieldRule("loginSessionId", .uuid, "The login session, as access tokens name it (sid)."),
                FieldRule(
                    "reason", .code, "Why it was ended.",
                    known: [
                        "signed-out", "password-changed", "password-reset", "refresh-token-reused", "too-many",
                        "forgotten",
                    ]),
                FieldRule("tokensUntil", .time, "No access token of it lasts longer."),
            ]),
        DeclaredMessage(
            AppTokenIssued.self, .identity,
            "A token was made for an app whose client cannot refresh one, signed; it opens that app's routes alone.",
            key: "userId", subject: "loginSessionId",
            [
                FieldRule("userId", .uuid, "The user."),
                FieldRule("loginSessionId", .uuid, "The login session that it belongs to, and ends with."),
                FieldRule("tokenSHA256", .sha256, "SHA-256 of the token's text."),
                FieldRule("surface", .code, "Where it counts.", known: ["practice"]),
                FieldRule("timeZone", .timeZone, "The user's time zone when it was made."),
                FieldRule("expiresAt", .time, "It counts no longer than that."),
            ]),
        DeclaredMessage(
            APIKeyIssued.self, .identity,
            "An API key of the compatible surface counts from now on, signed.", key: nil, subject: "keyId",
            [
                FieldRule("keyId", .uuid, "The key's name, by which it is revoked."),
                FieldRule("keySHA256", .sha256, "SHA-256 of the key's text."),
                FieldRule("role", .code, "Whom it stands for.", known: ["anon", "service_role"]),
            ]),
        DeclaredMessage(
            APIKeyRevoked.self, .identity,
            "An API key of the compatible surface counts no longer, signed; whatever comes later.", key: nil,
            subject: "keyId", [FieldRule("keyId", .uuid, "The key's name.")]),
        DeclaredMessage(
            DeviceSecretRevoked.self, .identity,
            "No secret of an anonymous device lets anybody in any more, signed: the device is lost, or somebody else may know the secret.",
            key: "userId", subject: "userId", [FieldRule("userId", .uuid, "The device's user.")]),
        DeclaredMessage(
            ConsentGiven.self, .identity,
            "A user lets a provider outside this deployment have data for a purpose, signed. Takes the place of what was said of both before.",
            key: "userId", subject: "userId",
            consentScope + [
                FieldRule(
                    "dataClasses", .object, "The kinds of data that the text names, each true; no others may be sent.",
                    fields: [
                        FieldRule("audio", .boolean, "The sound of a recording.", isOptional: true),
                        FieldRule("transcript", .boolean, "What was said in a recording.", isOptional: true),
                        FieldRule("measures", .boolean, "Numbers that were measured in it.", isOptional: true),
                        FieldRule("pictures", .boolean, "Some pictures of a recording.", isOptional: true),
                        FieldRule("recording", .boolean, "The whole of a recording.", isOptional: true),
                    ]),
                FieldRule("version", .text, "The version of the text that was agreed to."),
                FieldRule("locale", .code, "The language of that text, a BCP 47 tag.", known: ["en"]),
                FieldRule("textSHA256", .sha256, "SHA-256 of that text."),
                FieldRule("givenAt", .time, "When; later than all that the user said of consents before."),
            ]),
        DeclaredMessage(
            ConsentWithdrawn.self, .identity,
            "A user lets a provider have no more data for a purpose, signed.", key: "userId", subject: "userId",
            consentScope + [
                FieldRule("withdrawnAt", .time, "When; later than all that the user said of consents before.")
            ]),
        DeclaredMessage(exportPartOf: .identity),
    ]

    private static let consentScope = [
        FieldRule("userId", .uuid, "The user."),
        FieldRule("provider", .code, "Who, by the name that the deployment gives it.", known: ["openai"]),
        FieldRule("purpose", .code, "What for.", known: ["emotions", "transcription", "video", "vision", "wording"]),
    ]

    private static let signingKey = [
        FieldRule("kid", .text, "The key's id in token headers (RFC 7517, section 4.5)."),
        FieldRule("x", .base64url, "The x coordinate (RFC 7518, section 6.2.1)."),
        FieldRule("y", .base64url, "The y coordinate, likewise."),
        FieldRule("notBefore", .time, "Tokens are signed with it from then on."),
        FieldRule("expiresAt", .time, "No token signed with it is accepted after."),
    ]
    private static let retirement = [
        FieldRule("kid", .text, "The key's id."),
        FieldRule("retiredAt", .time, "No token signed with it is accepted from then on."),
    ]

    private static let analysis = [
        DeclaredMessage(
            AnalysisStarted.self, .analysis, "An attempt to analyze a recording has begun.", key: "ownerId",
            subject: "sessionId", [session, owner, attempt]),
        DeclaredMessage(
            AnalysisProgressed.self, .analysis, "A stage of analysis is done; at most eight per job.", key: "ownerId",
            subject: "sessionId",
            [
                session, owner, attempt,
                FieldRule(
                    "stage", .code, "The stage that is done.",
                    known: ["probe", "decode", "transcribe", "voice", "picture", "measure"]),
                FieldRule(
                    "progressPercent", .integer, "How much of the analysis is done.", unit: .percent, minimum: 0,
                    maximum: 100),
            ]),
        DeclaredMessage(
            AnalysisCompleted.self, .analysis,
            "Analysis is done and made the report itself, as it did before version 2; the report is in object storage.",
            key: "ownerId", subject: "sessionId",
            [
                session, owner, attempt, document("document", "The report, as a JSON document."), analysisTime,
            ]),
        DeclaredMessage(
            AnalysisCompletedV2.self, .analysis,
            "Analysis is done; what it measured is in object storage, and nobody has judged it yet.",
            key: "ownerId", subject: "sessionId",
            [
                session, owner, attempt,
                document("document", "What was measured and how it is to be judged, as a JSON document."), analysisTime,
            ]),
        DeclaredMessage(
            AnalysisFailed.self, .analysis, "Analysis gave up; no further attempt follows.", key: "ownerId",
            subject: "sessionId", [session, owner, attempt, failure, retryable]),
        DeclaredMessage(subjectErasedBy: .analysis),
    ]

    private static let analysisTime = FieldRule(
        "durationMs", .integer, "How long the analysis took.", unit: .milliseconds, minimum: 0)

    private static let reporting = [
        DeclaredMessage(
            ReportReady.self, .reporting, "A report is written and readable.", key: "ownerId", subject: "sessionId",
            [session, owner, FieldRule("reportId", .uuid, "The report.")]),
        DeclaredMessage(
            ReportFailed.self, .reporting, "No report could be made of the findings.", key: "ownerId",
            subject: "sessionId", [session, owner, failure]),
        DeclaredMessage(
            ReportDeleted.self, .reporting, "A report is removed.", key: "ownerId", subject: "sessionId",
            [session, owner]),
        DeclaredMessage(
            GoalMet.self, .reporting, "A goal is met: once for each.", key: "ownerId", subject: "goalId",
            [FieldRule("ownerId", .uuid, "Whose goal it is."), FieldRule("goalId", .uuid, "The goal.")]),
        DeclaredMessage(
            MilestoneReached.self, .reporting,
            "Somebody's longest streak has reached a number of days that is worth telling: once for each number, kind and user.",
            key: "ownerId", subject: "ownerId",
            [
                FieldRule("ownerId", .uuid, "Whose streak it is."),
                FieldRule("kind", .code, "What was practised.", known: ["meditation"]),
                FieldRule("streakDays", .integer, "How many days the streak has.", unit: .count, minimum: 7),
            ]),
        DeclaredMessage(
            ExportRequested.self, .reporting,
            "Somebody has asked for all that the platform has of them; every service with something writes its part.",
            key: "ownerId", subject: "exportId",
            [
                FieldRule("exportId", .uuid, "The export."),
                FieldRule("ownerId", .uuid, "The user whose data it is."),
                FieldRule("deadline", .time, "Until when parts are waited for."),
            ]),
        DeclaredMessage(
            ExportClosed.self, .reporting, "An export is over: every service removes its part of it.", key: "ownerId",
            subject: "exportId",
            [
                FieldRule("exportId", .uuid, "The export."),
                FieldRule("ownerId", .uuid, "The user whose data it was."),
            ]),
        DeclaredMessage(subjectErasedBy: .reporting),
    ]

    private static let notifications = [DeclaredMessage(subjectErasedBy: .notifications)]
}
