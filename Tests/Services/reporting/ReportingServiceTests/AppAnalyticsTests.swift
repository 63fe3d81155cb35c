import Contracts
import Crypto
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import reporting

/// What the practice timer's own client asks about days and streaks.
@Suite(.timeLimit(.minutes(10))) @Loop struct `The practice timer's analytics` {
    private let token = AppToken.make()
    private let owner = UUID.v7()

    /// Somebody who sat ten minutes at noon in Berlin on each of some days.
    private func run(_ days: [LocalDay] = [], _ body: @Loop (Desk) async throws -> Void) async throws {
        try await Desk.run { desk in
            try await desk.group.deliver(
                AppTokenIssued(
                    userId: owner, loginSessionId: .v4(), tokenSHA256: Hex.encode(token.hash), surface: .practice,
                    timeZone: "Europe/Berlin", expiresAt: .now() + .seconds(900)))
            for day in days {
                let start = day.start(utcOffsetSeconds: 3_600).adding(seconds: 43_200)
                try await desk.group.deliver(
                    SessionLogged(
                        SessionIdentity(sessionId: .v7(), ownerId: owner, kind: .meditation),
                        time: PracticeTime(
                            startedAt: start, endedAt: start.adding(seconds: 600), activeSeconds: 600,
                            timeZone: "Europe/Berlin", utcOffsetSeconds: 3_600)))
            }
            try await desk.group.foldAll()
            try await body(desk)
        }
    }

    private func ask(_ desk: Desk, _ query: String) async throws -> Answer {
        try await desk.group.send(
            "GET", "/api/analytics\(query)", headers: [("Authorization", "Bearer \(token.text)")])
    }

    private let days = ["2026-01-12", "2026-01-13", "2026-01-15", "2026-01-20", "2026-07-10"].compactMap {
        LocalDay($0)
    }

    @Test(arguments: [
        // As the client asks: from midnight to the midnight after the last day, in the language's form of a time.
        ("startDate=2026-01-12T00:00:00.000Z&endDate=2026-01-16T00:00:00.000Z", 3, 30, 7.5),
        ("startDate=2026-01-12&endDate=2026-01-16", 3, 30, 7.5),
        // One in the morning over there, and yet the day before is the last.
        ("startDate=2026-01-12T00:00:00.000Z&endDate=2026-01-15T00:00:00.000Z", 2, 20, 6.7),
        // Midnights of a summer there, which the clocks of the winter in which one asks would put into the evening before.
        ("startDate=2026-07-08T22:00:00Z&endDate=2026-07-09T22:00:00Z", 0, 0, 0),
        ("startDate=2026-07-09T22:00:00Z&endDate=2026-07-10T22:00:00Z", 1, 10, 10),
        ("startDate=2026-01-13&endDate=2026-01-15", 1, 10, 5),
        ("startDate=2026-01-20T10:00:00Z&endDate=2026-01-20T12:00:00Z", 1, 10, 120),
        ("startDate=2026-02-01&endDate=2026-03-01", 0, 0, 0),
    ])
    func `are totals by day between two dates`(
        _ query: String, daysWithSessions: Int64, totalMinutes: Int64, perDay: Double
    ) async throws {
        try await run(days) { desk in
            let answer = try await ask(desk, "?\(query)")
            let summary = try #require(answer.json["summary"]?.objectValue)
            #expect(answer.status == 200)
            #expect(summary["daysWithSessions"] == .int(daysWithSessions))
            #expect(summary["totalMinutes"] == .int(totalMinutes))
            #expect(summary["averageMinutesPerDay"]?.doubleValue == perDay)
            // Of all time, whatever is asked about.
            #expect(summary["longestStreak"] == 2 && summary["currentStreak"] == 0)
            let totals = try #require(answer.json["dailyTotals"]?.objectValue)
            #expect(totals.members.count == Int(daysWithSessions) && totals.members.allSatisfy { $0.value == 600 })
            #expect(answer.json["startDate"]?.stringValue.map { query.contains($0) } == true)
        }
    }

    @Test func `are told by their first and last local day, whatever the clock in Greenwich`() async throws {
        try await run(days) { desk in
            let answer = try await ask(desk, "?startDate=2026-01-12&endDate=2026-01-14")
            #expect(answer.json["dailyTotals"] == ["2026-01-12": 600, "2026-01-13": 600])
        }
    }

    @Test func `have a list of days for a range that ends today`() async throws {
        let today = LocalDay(of: .now(), utcOffsetSeconds: 3_600)
        try await run([today - 1]) { desk in
            for range in ["7d", "1m", "3m", "6m", "1y", "3y", "5y"] {
                let answer = try await ask(desk, "?range=\(range)")
                #expect(answer.status == 200 && answer.json["range"] == .string(range))
                #expect(answer.json["dailyTotals"] == [["date": .string("\(today - 1)"), "seconds": 600]])
                #expect(answer.json["endDate"]?.stringValue.flatMap { LocalDay($0) }.map { $0 >= today - 1 } == true)
            }
            #expect(try await ask(desk, "?range=7d").json["averageMinutes"]?.doubleValue == 1.4)
        }
    }

    @Test(arguments: [
        ("", "startDate.missing"), ("?startDate=2026-01-01", "endDate.missing"),
        ("?startDate=&endDate=2026-01-01", "startDate.missing"),
        ("?startDate=soon&endDate=2026-01-01", "startDate.invalid"),
        ("?startDate=2026-01-01&endDate=2026-02-30", "endDate.invalid"),
        ("?startDate=2026-01-02&endDate=2026-01-01", "endDate.beforeStartDate"),
        ("?startDate=2026-01-01&endDate=2026-01-01", "endDate.beforeStartDate"), ("?range=2d", "range.invalid"),
    ])
    func `are refused with the codes that the client knows`(_ query: String, message: String) async throws {
        try await run { desk in
            let refused = try await ask(desk, query)
            #expect(refused.status == 400 && refused.json["message"] == .string(message))
            #expect(refused.json["code"] == "invalid-request" && refused.json["error"]?.stringValue?.isEmpty == false)
        }
    }

    @Test func `are of a place that there is`() async throws {
        try await run { desk in
            let refused = try await ask(desk, "?range=7d&timeZone=Mars/Olympus")
            #expect(refused.status == 422 && refused.json["code"] == "time-zone-invalid")
        }
    }

    @Test func `fail in the client's words, and say no more, where the fault is ours`() async throws {
        try await run(days) { desk in
            _ = try await desk.group.administrator.query("alter table practice_days rename to practice_days_away")
            let failed = try await desk.group.sendInVain(
                "GET", "/api/analytics?range=7d", headers: [("Authorization", "Bearer \(token.text)")])
            #expect(failed.status == 500)
            #expect(
                failed.json == [
                    "error": "Failed to fetch analytics data.", "message": "Failed to fetch analytics data.",
                    "code": "internal",
                ])
        }
    }

    @Test func `are nobody else's, and need the app's token`() async throws {
        try await run(days) { desk in
            let other = AppToken.make()
            try await desk.group.deliver(
                AppTokenIssued(
                    userId: .v7(), loginSessionId: .v4(), tokenSHA256: Hex.encode(other.hash), surface: .practice,
                    timeZone: "UTC", expiresAt: .now() + .seconds(900)))
            let theirs = try await desk.group.send(
                "GET", "/api/analytics?range=5y", headers: [("Authorization", "Bearer \(other.text)")])
            #expect(theirs.json["summary"]?["totalMinutes"] == 0 && theirs.json["dailyTotals"] == [])
            let none = try await desk.group.send("GET", "/api/analytics?range=5y")
            #expect(none.status == 401 && none.json["message"] == "Missing or invalid Bearer token")
        }
    }
}
