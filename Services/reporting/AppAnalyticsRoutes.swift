import Contracts
import EventStore
import HTTPServer
import JSON
import Practice
import Primitives
import Runtime
import ServiceKit

/// What was practised, as the practice timer's own client asks for it (`docs/practice.md`, "The app's own routes"): the native
/// numbers in other words.
///
/// | Route | Answer |
/// |---|---|
/// | `GET /api/analytics?startDate=&endDate=` | totals by day, averages, streaks of all time |
/// | `GET /api/analytics?range=7d` | the same for a range that ends today, days as a list |
@Loop struct AppAnalyticsRoutes {
    private let context: ServiceContext

    init(_ context: ServiceContext) { self.context = context }

    func add(to router: Router) {
        let routes = AppRoutes(router, context, .practice, refusals: ReportingService.problem(of:))
        routes.on("GET", "/api/analytics", orElse: "Failed to fetch analytics data.", analytics)
    }

    private func analytics(_ request: Request, _ caller: Caller) async throws -> Response {
        let asked = try await Asked(request, caller, context)
        let period = try await AppPeriod(request, asked, context.zones)
        let days = try await PracticeHistory.days(of: caller.user, asked.kind, context.owners)
        let practitioner = try await CommandHandler<Practitioner>(context.store)
            .load(Practitioner.stream(caller.user)).state
        let standing = try await Standing(days, practitioner.rules, asked)
        return .json(.object(period.json(days.filter { period.contains($0.day) }, standing)))
    }
}

/// The time that the client asks about.
@Loop struct AppPeriod {
    /// The days, in the place where it is asked; nil for none.
    private let days: PracticeRange?
    /// How long it is, in seconds.
    private let seconds: Int64
    private let startDate: String
    private let endDate: String
    /// The text of `range`; nil when dates were given.
    private let range: String?

    /// Reads a request's query: `range`, or `startDate` and `endDate`, which are dates or times; the end is not part of it. Of days
    /// of which a time is part, all counts. Midnight in UTC is a date, as the client's language writes one.
    ///
    /// - Throws: a problem 400 whose member `message` is the code that the client knows, or `PostgresError`.
    init(_ request: Request, _ asked: Asked, _ zones: TimeZones) async throws {
        range = request.query("range")
        if let range {
            guard let span = PracticeRange.Span(rawValue: range) else {
                throw Self.refused("range.invalid", "range must be one of 7d, 1m, 3m, 6m, 1y, 3y, 5y.")
            }
            let days = span.range(through: asked.today)
            self.days = days
            seconds = days.days * 86_400
            startDate = days.first.description
            endDate = days.last.description
            return
        }
        let start = try await Moment("startDate", request, asked, zones)
        let end = try await Moment("endDate", request, asked, zones)
        guard end.at > start.at else {
            throw Self.refused("endDate.beforeStartDate", "endDate must be after startDate.")
        }
        startDate = start.text
        endDate = end.text
        // A date is a day, however long that was.
        seconds =
            start.isDate && end.isDate
            ? (end.day - start.day) * 86_400 : max(1, (end.at - start.at).components.seconds)
        let last = end.before
        days = start.day <= last ? PracticeRange(first: start.day, last: last) : nil
    }

    /// One end of the period.
    private struct Moment {
        let text: String
        let at: Timestamp
        /// The local day of it.
        let day: LocalDay
        /// The last local day that has something before it.
        let before: LocalDay
        /// Whether it is a local day's midnight.
        let isDate: Bool

        init(_ name: String, _ request: Request, _ asked: Asked, _ zones: TimeZones) async throws {
            guard let text = request.query(name), !text.isEmpty else {
                throw AppPeriod.refused("\(name).missing", "Send \(name), or range.")
            }
            self.text = text
            let time = Timestamp(rfc3339: text)
            let date = LocalDay(text) ?? time.flatMap(Self.midnight)
            isDate = date != nil
            if let date {
                (at, day, before) = (date.start(utcOffsetSeconds: asked.utcOffsetSeconds), date, date - 1)
            } else if let time {
                let offset = try await zones.utcOffsetSeconds(of: asked.timeZone, at: time)
                (at, day) = (time, LocalDay(of: time, utcOffsetSeconds: offset))
                before = LocalDay(of: time - .microseconds(1), utcOffsetSeconds: offset)
            } else {
                throw AppPeriod.refused("\(name).invalid", "\(name) must be a date or a time of ISO 8601.")
            }
        }

        /// The date whose beginning in UTC a time is; nil for any other.
        private nonisolated static func midnight(_ time: Timestamp) -> LocalDay? {
            let day = LocalDay(of: time, utcOffsetSeconds: 0)
            return day.start(utcOffsetSeconds: 0) == time ? day : nil
        }
    }

    private nonisolated static func refused(_ message: String, _ detail: String) -> Problem {
        Problem(.invalidRequest, detail: detail, members: [("message", .string(message))])
    }

    func contains(_ day: LocalDay) -> Bool { days?.contains(day) ?? false }

    /// In the members and units that the app's client knows: whole minutes, and an average over the period as it was asked for.
    ///
    /// - Parameter facts: the days of the period on which something was practised.
    func json(_ facts: [DayFacts], _ standing: Standing) -> JSONObject {
        let total = facts.reduce(0) { $0 + $1.seconds }
        let perDay = Double(total) / 60 / (Double(seconds) / 86_400)
        let average = JSONValue.double((perDay * 10).rounded() / 10)
        let members: JSONObject = [
            "startDate": .string(startDate), "endDate": .string(endDate),
            "summary": .object(
                ([
                    "totalMinutes": .int((total + 30) / 60), "averageMinutesPerDay": average,
                    "totalSessions": .int(facts.reduce(0) { $0 + $1.sessions }),
                    "daysWithSessions": .int(Int64(facts.count)),
                ] as JSONObject).adding(membersOf: standing.json)),
        ]
        guard let range else {
            return members.adding([
                "dailyTotals": .object(JSONObject(unique: facts.map { ($0.day.description, .int($0.seconds)) }))
            ])
        }
        return members.adding([
            "range": .string(range), "averageMinutes": average,
            "dailyTotals": .array(
                facts.map { ["date": .string($0.day.description), "seconds": .int($0.seconds)] }),
        ])
    }
}
