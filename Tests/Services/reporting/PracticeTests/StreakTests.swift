import Primitives
import Testing

@testable import Practice

/// A session as the rules of streaks see it: local day and time, and how far the clock there is ahead of UTC.
struct Sitting {
    var start: Int64
    var offset: Int64

    /// - Parameter at: the local time in minutes after midnight of 1 January 2026 plus `day` days.
    init(_ day: Int64, at minutes: Int64, offset hours: Int64 = 0) {
        offset = hours * 3_600
        start = (Self.first + day) * 86_400 + minutes * 60 - offset
    }

    /// 1 January 2026.
    static let first: Int64 = 20_454

    var day: Int64 { (start + offset) / 86_400 }
}

extension [DayFacts] {
    init(_ sittings: [Sitting]) {
        self = Dictionary(grouping: sittings, by: \.day).sorted { $0.key < $1.key }.map { day, sittings in
            DayFacts(
                day: LocalDay(number: day), sessions: Int64(sittings.count), seconds: 600 * Int64(sittings.count),
                early: sittings.map { ($0.start + $0.offset) - day * 86_400 }.filter { $0 < 21_600 }.sorted(),
                firstStartedAt: Timestamp(seconds: sittings.map(\.start).min()!),
                lastStartedAt: Timestamp(seconds: sittings.map(\.start).max()!),
                westmostOffset: sittings.map(\.offset).min()!, eastmostOffset: sittings.map(\.offset).max()!)
        }
    }
}

private func day(_ number: Int64) -> LocalDay { LocalDay(number: Sitting.first + number) }

/// A local time as a moment.
private func moment(_ day: Int64, _ minutes: Int64, offset hours: Int64 = 0) -> Timestamp {
    Timestamp(seconds: Sitting(day, at: minutes, offset: hours).start)
}

@Suite("A streak") struct StreakTests {
    private func streaks(_ sittings: [Sitting], grace: Int64 = 180, frozen: [Int64] = []) -> Streaks {
        Streaks([DayFacts](sittings), StreakRules(graceSeconds: grace * 60, frozen: Set(frozen.map { day($0) })))
    }

    private struct Example {
        let name: String
        let sittings: [Sitting]
        var grace: Int64 = 180
        var frozen: [Int64] = []
        /// The longest streak, and how many days can be kept.
        let longest: Int64
        let kept: Int64
    }

    private static let noon: Int64 = 720
    private static let examples: [Example] = [
        Example(name: "nobody", sittings: [], longest: 0, kept: 0),
        Example(name: "one day", sittings: [Sitting(0, at: noon)], longest: 1, kept: 1),
        Example(name: "twice a day", sittings: [Sitting(0, at: noon), Sitting(0, at: 800)], longest: 1, kept: 1),
        Example(
            name: "three days in a row", sittings: [0, 1, 2].map { Sitting($0, at: noon) }, longest: 3, kept: 3),
        Example(name: "a day left out", sittings: [0, 1, 3].map { Sitting($0, at: noon) }, longest: 2, kept: 3),
        Example(
            name: "after midnight for the day before",
            sittings: [Sitting(0, at: 1_430), Sitting(2, at: 10), Sitting(2, at: 1_430)], longest: 3, kept: 3),
        Example(
            name: "after midnight, night after night",
            sittings: [Sitting(0, at: noon), Sitting(2, at: 10), Sitting(3, at: 20), Sitting(4, at: 179)], longest: 4,
            kept: 4),
        Example(
            name: "every second night: a session keeps one day, not two",
            sittings: [Sitting(0, at: 10), Sitting(2, at: 10), Sitting(4, at: 10), Sitting(6, at: 10)], longest: 2,
            kept: 4),
        Example(
            name: "behind the grace", sittings: [Sitting(0, at: noon), Sitting(2, at: 180)], longest: 1, kept: 2),
        Example(
            name: "without grace", sittings: [Sitting(0, at: noon), Sitting(2, at: 1)], grace: 0, longest: 1, kept: 2),
        Example(
            name: "early risers lose nothing to the grace",
            sittings: [Sitting(0, at: 150), Sitting(1, at: 200), Sitting(2, at: 170)], longest: 3, kept: 3),
        Example(
            name: "a frozen day protects and does not count", sittings: [0, 1, 3].map { Sitting($0, at: noon) },
            frozen: [2], longest: 3, kept: 3),
        Example(
            name: "a frozen day with a session counts", sittings: [0, 1, 2].map { Sitting($0, at: noon) },
            frozen: [1], longest: 3, kept: 3),
        Example(
            name: "two empty days, one frozen", sittings: [0, 3].map { Sitting($0, at: noon) }, frozen: [1], longest: 1,
            kept: 2),
        Example(
            name: "a flight from Los Angeles to Tokyo takes Tuesday away",
            sittings: [
                Sitting(0, at: 1_320, offset: -8), Sitting(2, at: 420, offset: 9), Sitting(3, at: 420, offset: 9),
            ],
            longest: 3, kept: 3),
        Example(
            name: "who stays away for longer misses a day there too",
            sittings: [Sitting(0, at: 1_320, offset: -8), Sitting(3, at: 1_200, offset: 9)], longest: 1, kept: 2),
        Example(
            name: "a flight back west repeats a day and breaks nothing",
            sittings: [
                Sitting(0, at: noon, offset: 9), Sitting(1, at: 420, offset: 9), Sitting(1, at: 1_200, offset: -8),
                Sitting(2, at: noon, offset: -8),
            ], longest: 3, kept: 3),
        Example(
            name: "a frozen day beside one that the flight took",
            sittings: [Sitting(0, at: noon, offset: -8), Sitting(3, at: 420, offset: 9)], frozen: [1], longest: 2,
            kept: 2),
        Example(
            name: "clocks that are put forward",
            sittings: [
                Sitting(0, at: 1_439, offset: 1), Sitting(1, at: 1_439, offset: 1), Sitting(2, at: 1_439, offset: 2),
            ],
            longest: 3, kept: 3),
        Example(
            name: "clocks that are put back",
            sittings: [Sitting(0, at: 1, offset: 2), Sitting(1, at: 1_439, offset: 1), Sitting(2, at: 1, offset: 1)],
            longest: 3, kept: 3),
    ]

    @Test("is as long as its days allow", arguments: examples.indices) func length(row: Int) {
        let example = Self.examples[row]
        let found = streaks(example.sittings, grace: example.grace, frozen: example.frozen)
        #expect(found.longest == example.longest, "\(example.name)")
        #expect(found.keptDays() == example.kept, "\(example.name)")
        #expect(found.longestRun?.days ?? 0 == example.longest, "\(example.name)")
        #expect(Int64(found.longestRun?.kept.count { $0.keeping.counts } ?? 0) == example.longest, "\(example.name)")
    }

    @Test("keeps a day by a session of its own, not by one that the day before needs") func keptToday() throws {
        let night = [Sitting(0, at: Self.noon), Sitting(2, at: 10)]
        let waiting = try #require(streaks(night).current(at: moment(2, 600), utcOffsetSeconds: 0))
        #expect(waiting.run.days == 2 && !waiting.isKept(since: day(2)) && waiting.isKept(since: day(1)))
        let done = try #require(
            streaks(night + [Sitting(2, at: Self.noon)]).current(at: moment(2, 800), utcOffsetSeconds: 0))
        #expect(done.run.days == 3 && done.isKept(since: day(2)) && !done.isKept(since: day(3)))
        let frozen = try #require(
            streaks([Sitting(0, at: Self.noon)], frozen: [1]).current(at: moment(1, 600), utcOffsetSeconds: 0))
        #expect(!frozen.isKept(since: day(1)))
    }

    @Test("is never 0 before the day and its grace are over") func atRisk() {
        let found = streaks([0, 1].map { Sitting($0, at: Self.noon) })
        let end = moment(3, 180)
        for (now, days) in [(moment(1, 721), 2), (moment(2, 1_439), 2), (moment(3, 179), 2)] as [(Timestamp, Int64)] {
            let current = found.current(at: now, utcOffsetSeconds: 0)
            #expect(current?.run.days == days)
            #expect(current?.atRiskUntil == end)
        }
        #expect(found.current(at: end, utcOffsetSeconds: 0) == nil)
        #expect(streaks([]).current(at: end, utcOffsetSeconds: 0) == nil)
    }

    @Test("waits for a day of its own after a night that was needed for the day before") func night() {
        let found = streaks([Sitting(0, at: Self.noon), Sitting(1, at: Self.noon), Sitting(3, at: 10)])
        let current = found.current(at: moment(3, 600), utcOffsetSeconds: 0)
        #expect(current?.run.days == 3 && current?.atRiskUntil == moment(4, 180))
        // When that day stays empty, the night counts as what it began: a streak of one.
        let later = found.current(at: moment(4, 180), utcOffsetSeconds: 0)
        #expect(later?.run.days == 1 && later?.atRiskUntil == moment(5, 180))
    }

    @Test("goes on over frozen days to come") func frozen() {
        let found = streaks([0, 1].map { Sitting($0, at: Self.noon) }, frozen: [2, 3])
        let current = found.current(at: moment(4, Self.noon), utcOffsetSeconds: 0)
        #expect(current?.run.days == 2 && current?.atRiskUntil == moment(5, 180))
        #expect(found.current(at: moment(5, 180), utcOffsetSeconds: 0) == nil)
    }

    /// Clocks of Berlin in 2026: two hours ahead from 29 March, one from 25 October.
    private func berlin(_ moment: Timestamp) -> Int64 {
        let (forward, back) = (Sitting(87, at: 60).start, Sitting(297, at: 60).start)
        return (forward..<back).contains(moment.seconds) ? 7_200 : 3_600
    }

    @Test("has the hour more that comes when clocks are put back") func clocksBack() async {
        let friday = [294, 295].map { Sitting($0, at: Self.noon, offset: 2) }
        let saturday = moment(296, 1_200, offset: 2)
        // The last hour before the end comes twice.
        let waiting = await streaks(friday).current(at: saturday, utcOffsetSeconds: berlin)
        #expect(waiting?.run.days == 2 && waiting?.atRiskUntil == moment(297, 180, offset: 1))
        // A day later they have been put back long before.
        let done = friday + [Sitting(296, at: Self.noon, offset: 2)]
        let after = await streaks(done).current(at: saturday, utcOffsetSeconds: berlin)
        #expect(after?.run.days == 3 && after?.atRiskUntil == moment(298, 180, offset: 1))
        // Or there are frozen days until then.
        let early = moment(290, 1_200, offset: 2)
        let frozen = await streaks([Sitting(290, at: Self.noon, offset: 2)], frozen: [291, 292, 293, 294, 295, 296])
            .current(at: early, utcOffsetSeconds: berlin)
        #expect(frozen?.atRiskUntil == moment(298, 180, offset: 1))
        // A session at 2:15 is in time again when 2:30 was reached before: it is not 0 in between.
        for now in [saturday, moment(297, 25), moment(297, 45), moment(297, 89)] {
            let again = await streaks(friday, grace: 150).current(at: now, utcOffsetSeconds: berlin)
            #expect(again?.run.days == 2 && again?.atRiskUntil == moment(297, 150, offset: 1))
        }
        #expect(await streaks(friday, grace: 150).current(at: moment(297, 90), utcOffsetSeconds: berlin) == nil)
        // What ends before they are put back ends then.
        let short = await streaks(friday, grace: 60).current(at: saturday, utcOffsetSeconds: berlin)
        #expect(short?.atRiskUntil == moment(297, 60, offset: 2))
        #expect(
            await streaks(friday, grace: 60).current(at: moment(297, 60, offset: 2), utcOffsetSeconds: berlin) == nil)
        // Whoever keeps to it keeps the streak.
        let kept = streaks(friday + [Sitting(297, at: 179, offset: 1)])
        #expect(kept.longest == 3)
    }

    @Test("has no hour less when clocks are put forward") func clocksForward() async {
        let found = streaks([84, 85].map { Sitting($0, at: Self.noon, offset: 1) })
        let current = await found.current(at: moment(86, 1_200, offset: 1), utcOffsetSeconds: berlin)
        #expect(current?.atRiskUntil == moment(87, 180, offset: 1))
    }

    @Test("is asked for on the clock that gives most time") func travelling() {
        let found = streaks([Sitting(0, at: Self.noon, offset: -8)])
        // When the session began, it was the next day in Tokyo already: that one is not waited for there.
        let tokyo = found.current(at: moment(1, Self.noon, offset: -8), utcOffsetSeconds: 9 * 3_600)
        #expect(tokyo?.atRiskUntil == moment(3, 0, offset: 9))
        // Further west it ends later.
        let hawaii = found.current(at: moment(1, Self.noon, offset: -8), utcOffsetSeconds: -10 * 3_600)
        #expect(hawaii?.atRiskUntil == moment(2, 180, offset: -10))
    }

    @Test("is explained day by day") func explained() {
        let run = streaks(
            [Sitting(0, at: Self.noon), Sitting(2, at: Self.noon), Sitting(4, at: 10), Sitting(4, at: Self.noon)],
            frozen: [1]
        ).longestRun
        #expect(run?.kept.map(\.keeping) == [.ownSession, .frozen, .ownSession, .grace, .ownSession])
        #expect(run?.kept.map(\.day) == (0...4).map { day($0) })
    }

    @Test("of many years is found in a moment, by looking at each day once") func years() {
        let sittings = (0..<3_650).filter { $0 % 50 != 49 }.map { Sitting(Int64($0), at: Self.noon) }
        let found = streaks(sittings)
        #expect(found.longest == 49 && found.keptDays() == 3_577)
        #expect(found.keptDays(from: day(3_600), through: day(3_629)) == 30)
    }
}

@Suite("Days, weeks and months") struct CalendarTests {
    @Test(
        "are those of ISO 8601",
        arguments: [
            ("2026-01-01", "2026-W01", 4), ("2027-01-03", "2026-W53", 7), ("2027-01-04", "2027-W01", 1),
            ("2024-12-30", "2025-W01", 1), ("2026-11-23", "2026-W48", 1), ("1969-12-31", "1970-W01", 3),
        ])
    func weeks(text: String, week: String, weekday: Int64) throws {
        let day = try #require(LocalDay(text))
        #expect(day.description == text && day.week == week && day.weekday == weekday)
    }

    @Test(
        "that do not exist are none",
        arguments: ["2026-02-29", "2026-13-01", "26-01-01", "2026-1-1", "2026-01-01Z", ""])
    func none(text: String) { #expect(LocalDay(text) == nil) }

    @Test("of a range end today")
    func ranges() throws {
        let today = try #require(LocalDay("2026-03-31"))
        let first = PracticeRange.Span.allCases.map { $0.range(through: today).first.description }
        #expect(
            first == [
                "2026-03-25", "2026-03-01", "2026-01-01", "2025-10-01", "2025-04-01", "2023-04-01", "2021-04-01",
            ])
        #expect(PracticeRange.Span.week.range(through: today).days == 7)
    }
}

@Suite("Sessions that overlap") struct OverlapTests {
    private func seconds(_ stretches: [(Int64, Int64, Int64)]) -> Int64 {
        SessionsOfDay.seconds(
            stretches.map {
                .init(
                    startedAt: Timestamp(seconds: $0.0), endedAt: Timestamp(seconds: $0.1), activeSeconds: $0.2)
            })
    }

    @Test("count no more than the time that went by") func overlapping() {
        #expect(seconds([(0, 600, 600), (0, 600, 600)]) == 600)
        #expect(seconds([(0, 600, 300), (300, 900, 300)]) == 600)
        #expect(seconds([(0, 600, 600), (300, 900, 600)]) == 900)
        #expect(seconds([(0, 600, 600), (600, 900, 300)]) == 900)
        #expect(seconds([(900, 1_000, 100), (0, 600, 500)]) == 600)
        #expect(seconds([]) == 0)
    }

    @Test("of less than a second count what was told") func rounding() {
        #expect(
            SessionsOfDay.seconds([
                .init(
                    startedAt: Timestamp(milliseconds: 0), endedAt: Timestamp(milliseconds: 599_500), activeSeconds: 600
                )
            ]) == 600)
    }
}
