import Contracts
import HTTPServer
import JSON
import ServiceKit
import reporting

/// The routes about all of somebody's reports together.
extension Operations {
    private static func query(
        _ name: String, _ meaning: String, _ schema: JSONValue, required: Bool = false
    ) -> Operation.Parameter {
        Operation.Parameter(name: name, place: "query", meaning: meaning, isRequired: required, schema: schema)
    }

    private static let kind = query(
        "kind", "The kind of session.", ["type": "string", "pattern": "^[a-z0-9-]{1,40}$", "default": "mirrormate"])
    private static let moment: JSONValue = ["type": "string", "format": "date-time"]
    private static let session: JSONValue = ["type": "string", "format": "uuid"]

    /// What narrows a list of reports.
    static let reportFilters = [
        query("from", "Only reports written at this time or later.", moment),
        query("to", "Only reports written before this time.", moment),
        query("kind", "Only reports of this kind of session.", ["type": "string"]),
        query("tag", "Only reports with this impression tag.", ["type": "string"]),
    ]

    static let progress = [
        Operation(
            .reporting, "GET", "/v1/progress", "progress",
            """
            What changed over all reports: totals, best, the trend of each measure over comparable reports, days, weeks and months \
            where they were recorded, and the streak of recording days.
            """, .user,
            parameters: [
                kind,
                query(
                    "timeZone",
                    "Where it is asked, an IANA time zone; by default that of the latest recording, else the caller's.",
                    ["type": "string"]),
            ], [ok("Progress", "As it stands.")], [.timeZoneInvalid]),
        Operation(
            .reporting, "GET", "/v1/progress/{measure}", "measureSeries",
            "The values of a measure, newest first, each with whether it can be compared with the newest report.",
            .user,
            parameters: page + [kind], [ok("MeasureSeries", "A page.")], [.invalidRequest, .notFound]),
        Operation(
            .reporting, "GET", "/v1/reports/compare", "compareReports",
            "Two reports side by side: what can be compared, what not, and why.", .user,
            parameters: [
                query("a", "The session of the first report.", session, required: true),
                query("b", "The session of the second report.", session, required: true),
            ], [ok("ReportComparison", "Both, and each measure of both.")], [.invalidRequest, .notFound]),
        Operation(
            .reporting, "POST", "/v1/goals", "setGoal",
            """
            Sets a goal: a measure at least or at most so much, in so many recordings of the next days. It is met as soon as they are, and \
            missed when its last local day is over.
            """, .user,
            parameters: [
                header("Idempotency-Key", "The client's own value, the same when it repeats the request.")
            ], body: "GoalSetting", [ok("Goal", "It is set.", 201)],
            [
                .memberUnknown, .timeZoneInvalid, .goalImpossible, .goalMeasureTaken, .goalsUsedUp,
                .idempotencyKeyReused, .notFound,
            ]),
        Operation(
            .reporting, "GET", "/v1/goals", "goals",
            "The caller's goals, newest first, with what counts so far, and the one that is worth most next.", .user,
            [ok("Goals", "All of them.")]),
        Operation(
            .reporting, "DELETE", "/v1/goals/{id}", "dropGoal", "Takes a goal away, open or not.", .user,
            [nothing("It is gone.")], [.notFound]),
    ]
}
