import Contracts
import HTTPServer
import JSON
import ServiceKit
import reporting
import sessions

/// The routes of logged sessions, days and streaks.
extension Operations {
    private static func query(_ name: String, _ meaning: String, _ schema: JSONValue) -> Operation.Parameter {
        Operation.Parameter(name: name, place: "query", meaning: meaning, isRequired: false, schema: schema)
    }

    private static let date: JSONValue = ["type": "string", "format": "date"]

    private static let asked = [
        query(
            "kind", "The kind of session.",
            ["type": "string", "pattern": "^[a-z0-9-]{1,40}$", "default": "meditation"]),
        query(
            "timeZone", "Where it is asked, an IANA time zone; by default that of the latest session.",
            ["type": "string"]),
    ]

    private static let telling: [ProblemCode] = [
        .memberUnknown, .invalidRequest, .kindUnknown, .timeZoneInvalid, .practiceInFuture, .practiceTooOld,
        .practiceDayFull,
    ]

    static let practice = [
        Operation(
            .sessions, "POST", "/v1/practice/sessions", "logPractice",
            "Logs a session that is over. Its id is the client's own: told again, it is answered as it is.", .user,
            body: "PracticeTelling", [ok("PracticeSession", "It is logged.", 201)],
            telling + [.practiceExists, .practiceDeleted]),
        Operation(
            .sessions, "POST", "/v1/practice/sessions/batch", "logPractices",
            "Logs up to 500 sessions that were kept while there was no network; each gets its own verdict.", .user,
            body: "PracticeBatch", [ok("PracticeVerdicts", "One verdict for each, in the same order.")],
            [.memberUnknown, .invalidRequest]),
        Operation(
            .sessions, "GET", "/v1/practice/sessions", "practices", "The caller's logged sessions, newest first.",
            .user, parameters: page, [ok("PracticePage", "A page.")], [.invalidRequest]),
        Operation(
            .sessions, "GET", "/v1/practice/sessions/{id}", "practice", "A logged session.", .user,
            parameters: [header("If-None-Match", "An ETag of before.")],
            [ok("PracticeSession", "The session, with an ETag."), unchanged], [.notFound]),
        Operation(
            .sessions, "PUT", "/v1/practice/sessions/{id}", "correctPractice",
            "Says how a logged session was instead, all of it.", .user, body: "PracticeTelling",
            [ok("PracticeSession", "As it is now.")], telling + [.notFound, .correctionsUsedUp]),
        Operation(
            .sessions, "DELETE", "/v1/practice/sessions/{id}", "deletePractice",
            "Deletes a logged session: it counts no longer.", .user, [nothing("It is gone.")], [.notFound]),
        Operation(
            .sessions, "GET", "/v1/practice/export", "exportPractice",
            "All of the caller's logged sessions in one file, the oldest first.", .user,
            parameters: [
                query(
                    "format", "The form of the file.",
                    ["type": "string", "enum": ["json", "csv"], "default": "json"])
            ],
            [
                ok("PracticeExport", "The file."),
                Operation.Answer(
                    status: 200, meaning: "The file.", schema: "PracticeTable",
                    contentType: "text/csv"),
            ], [.invalidRequest]),
        Operation(
            .reporting, "GET", "/v1/practice/analytics", "practiceAnalytics",
            "What was practised in a range, by day, week, month and hour, and the streaks of all time.", .user,
            parameters: [
                query(
                    "range", "The range that ends today; by default 7d.",
                    ["type": "string", "enum": ["7d", "1m", "3m", "6m", "1y", "3y", "5y"]]),
                query("startDate", "Instead of range: its first day.", date),
                query("endDate", "Instead of range: its last day.", date),
            ] + asked, [ok("PracticeAnalytics", "The numbers.")], [.invalidRequest, .timeZoneInvalid]),
        Operation(
            .reporting, "GET", "/v1/practice/streak", "practiceStreak",
            "The streak, until when it is at risk, and milestones.", .user, parameters: asked,
            [ok("PracticeStreak", "As it stands.")], [.timeZoneInvalid]),
        Operation(
            .reporting, "GET", "/v1/practice/settings", "practiceSettings", "The caller's grace and frozen days.",
            .user, [ok("PracticeSettings", "Both.")]),
        Operation(
            .reporting, "PATCH", "/v1/practice/settings", "changePracticeSettings",
            "Changes how long after midnight a session can still count for the day before.", .user,
            body: "PracticeSettingsChange", [ok("PracticeSettings", "As it is now.")],
            [.memberUnknown, .graceOutOfRange, .practiceChangesUsedUp]),
        Operation(
            .reporting, "PUT", "/v1/practice/freezes/{date}", "freezeDay",
            "Freezes a local day: it may stay empty without ending a streak, and does not count.", .user,
            parameters: asked, [ok("PracticeSettings", "As it is now.")],
            [.notFound, .timeZoneInvalid, .freezesUsedUp, .freezeOutOfRange, .practiceChangesUsedUp]),
        Operation(
            .reporting, "DELETE", "/v1/practice/freezes/{date}", "thawDay", "Takes a freeze back.", .user,
            [ok("PracticeSettings", "As it is now.")], [.notFound, .practiceChangesUsedUp]),
    ]
}
