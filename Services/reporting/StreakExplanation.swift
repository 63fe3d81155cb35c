package import Contracts
package import JSON
import Practice
package import Primitives

/// Somebody's streaks of one kind in words: which days they have, and which sessions and rules keep each.
package struct StreakExplanation: Sendable {
    /// One day of a streak.
    package struct Day: Sendable {
        package let day: LocalDay
        /// Whether it counts.
        package let counts: Bool
        /// What keeps it.
        package let words: String
        /// The sessions that can, by the times at which they began.
        package let sessions: [(id: UUID, time: PracticeTime)]
    }

    /// The kind of session.
    package let kind: SessionKind
    /// How it stands, in a sentence.
    package let headline: String
    /// The days of the streak that has not ended; empty when there is none.
    package let current: [Day]
    /// The days of the longest streak; empty when it is the current one.
    package let longest: [Day]

    /// - Parameters:
    ///   - days: the rows of `practice_days` of one owner and kind, the oldest first.
    ///   - practitioner: the owner's row of `practitioners`, if there is one.
    ///   - offset: how far the clocks of the place where it is asked are ahead of UTC at a moment, in seconds.
    /// - Throws: what `offset` throws.
    package init(
        _ days: [PracticeDayRow], _ kind: SessionKind, _ practitioner: PractitionerRow?, at now: Timestamp,
        utcOffsetSeconds offset: (Timestamp) async throws -> Int64
    ) async rethrows {
        self.kind = kind
        let grace = practitioner?.graceMinutes ?? Practitioner.defaultGraceMinutes
        let rules = StreakRules(graceSeconds: grace * 60, frozen: Set(practitioner?.frozenDays ?? []))
        let streaks = Streaks(days.map(\.facts), rules)
        let rows = Dictionary(days.map { ($0.identity.day, $0) }, uniquingKeysWith: { first, _ in first })
        let found = try await streaks.current(at: now, utcOffsetSeconds: offset)
        let best = streaks.longestRun
        current = found.map { Self.days(of: $0.run, rows, graceMinutes: grace) } ?? []
        longest = best == found?.run ? [] : best.map { Self.days(of: $0, rows, graceMinutes: grace) } ?? []
        let end = found.map { "\($0.run.days) days, at risk until \($0.atRiskUntil.rfc3339)" } ?? "none that goes on"
        headline =
            "\(kind.rawValue): streak \(end); longest \(streaks.longest); \(streaks.keptDays()) days kept in all; "
            + "grace \(grace) minutes"
    }

    private static func days(
        of run: Streaks.Run, _ rows: [LocalDay: PracticeDayRow], graceMinutes: Int64
    ) -> [Day] {
        run.kept.map { day, keeping in
            switch keeping {
            case .ownSession:
                Day(
                    day: day, counts: true, words: "a session began on it", sessions: rows[day]?.sessions ?? [])
            case .grace:
                Day(
                    day: day, counts: true,
                    words: "a session began within \(graceMinutes) minutes after it, and the next day does not need it",
                    sessions: rows[day + 1]?.sessions.filter { session in
                        session.time.startedAt
                            < (day + 1).start(utcOffsetSeconds: session.time.utcOffsetSeconds)
                            .adding(seconds: graceMinutes * 60)
                    } ?? [])
            case .frozen: Day(day: day, counts: false, words: "it is empty and frozen: it does not count", sessions: [])
            case .travel:
                Day(
                    day: day, counts: false,
                    words: "it is empty, and travel took it: the clock moved ahead between the days around it",
                    sessions: [])
            }
        }
    }

    package var json: JSONObject {
        [
            "kind": kind.json, "headline": .string(headline), "current": .array(current.map(\.json)),
            "longest": .array(longest.map(\.json)),
        ]
    }
}

extension StreakExplanation.Day {
    fileprivate var json: JSONValue {
        [
            "day": .string(day.description), "counts": .bool(counts), "words": .string(words),
            "sessions": .array(
                sessions.map { .object((["sessionId": .uuid($0.id)] as JSONObject).adding(membersOf: $0.time.json)) }),
        ]
    }
}
