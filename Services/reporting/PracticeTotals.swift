import JSON
import Practice
import Primitives
import Runtime

/// How somebody's streaks stand at a moment.
@Loop struct Standing {
    let currentStreak: Int64
    let atRiskUntil: Timestamp?
    let longestStreak: Int64
    let practisedToday: Bool
    private let practisedDays: Int64
    private let consistency7: Int64
    private let consistency30: Int64

    /// - Throws: `PostgresError`.
    init(_ days: [DayFacts], _ rules: StreakRules, _ asked: Asked) async throws {
        // Of a history of years it would hold up other requests.
        let streaks = try await Offload.shared.run { Streaks(days, rules) }
        let current = try await streaks.current(at: asked.now) { try await asked.utcOffsetSeconds(at: $0) }
        currentStreak = current?.run.days ?? 0
        atRiskUntil = current?.atRiskUntil
        longestStreak = streaks.longest
        practisedToday = current?.isKept(since: asked.today) ?? false
        practisedDays = streaks.keptDays()
        // Whoever has travelled east may be a day ahead of the place where it is asked.
        let today = max(asked.today, days.last?.day ?? asked.today)
        consistency7 = streaks.keptDays(from: today - 6, through: today)
        consistency30 = streaks.keptDays(from: today - 29, through: today)
    }

    /// As clients read it of recordings.
    var recorded: JSONObject {
        json.adding(["atRiskUntil": .optional(atRiskUntil), "recordedToday": .bool(practisedToday)])
    }

    var json: JSONObject {
        [
            "currentStreak": .int(currentStreak), "longestStreak": .int(longestStreak),
            "practisedDays": .int(practisedDays), "consistency7": .int(consistency7),
            "consistency30": .int(consistency30),
        ]
    }
}

/// What was practised in a range, by day, week, month and time of day.
@Loop struct PracticeTotals {
    private struct Sum {
        var seconds: Int64 = 0
        var sessions: Int64 = 0
        var days: Int64 = 0

        mutating func add(_ facts: DayFacts) {
            seconds += facts.seconds
            sessions += facts.sessions
            days += 1
        }

        var members: JSONObject {
            ["seconds": .int(seconds), "sessions": .int(sessions), "daysWithSessions": .int(days)]
        }
    }

    private let range: PracticeRange
    private let days: [DayFacts]
    private var total = Sum()
    private var weeks: [(name: String, sum: Sum)] = []
    private var months: [(name: String, sum: Sum)] = []
    private let hours: HourTotals

    /// - Parameter hours: those of the range alone.
    init(_ all: [DayFacts], _ hours: HourTotals, _ range: PracticeRange) {
        self.range = range
        self.hours = hours
        days = all.filter { range.contains($0.day) }
        for facts in days {
            total.add(facts)
            Self.add(facts, to: &weeks, facts.day.week)
            Self.add(facts, to: &months, facts.day.month)
        }
    }

    /// Days come in order, so those of one week or month lie together.
    private static func add(_ facts: DayFacts, to sums: inout [(name: String, sum: Sum)], _ name: String) {
        if sums.last?.name != name { sums.append((name, Sum())) }
        sums[sums.count - 1].sum.add(facts)
    }

    func json(_ asked: Asked, _ standing: Standing) -> JSONObject {
        let perDay = Double(total.seconds) / 60 / Double(range.days)
        let summary = total.members.adding([
            "totalMinutes": .int((total.seconds + 30) / 60),
            "averageMinutesPerDay": .double((perDay * 10).rounded() / 10),
            "averageMinutesPerSession": .double(
                total.sessions == 0 ? 0 : (Double(total.seconds) / 6 / Double(total.sessions)).rounded() / 10),
            "bestHour": .optional(hours.best),
        ]).adding(membersOf: standing.json)
        return asked.json.adding([
            "startDate": .string(range.first.description), "endDate": .string(range.last.description),
            "summary": .object(summary),
            "dailyTotals": .object(JSONObject(unique: days.map { ($0.day.description, .int($0.seconds)) })),
            "weeks": .array(
                weeks.map { .object((["week": .string($0.name)] as JSONObject).adding(membersOf: $0.sum.members)) }),
            "months": .array(
                months.map { .object((["month": .string($0.name)] as JSONObject).adding(membersOf: $0.sum.members)) }),
            "hours": .array(
                hours.practised.map { ["hour": .int($0.hour), "seconds": .int($0.seconds)] }),
        ])
    }
}
