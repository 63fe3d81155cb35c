package import Primitives

/// What counts of one local day on which somebody practised.
package struct DayFacts: Sendable, Equatable {
    /// A night owl's grace never reaches further than this into the day, in seconds after midnight.
    package static let longestGraceSeconds: Int64 = 6 * 3_600

    /// The day on the clocks of the place where its sessions began.
    package var day: LocalDay
    /// How many sessions began on it.
    package var sessions: Int64
    /// How long was practised, in seconds; time that several sessions share counts once.
    package var seconds: Int64
    /// When those began that began in the first ``longestGraceSeconds`` of the day, in seconds after midnight.
    package var early: [Int64]
    /// When the first and the last of its sessions began.
    package var firstStartedAt: Timestamp
    package var lastStartedAt: Timestamp
    /// How far the clocks of its places were ahead of UTC: the least and the most of its sessions, in seconds.
    package var westmostOffset: Int64
    package var eastmostOffset: Int64

    package init(
        day: LocalDay, sessions: Int64, seconds: Int64, early: [Int64], firstStartedAt: Timestamp,
        lastStartedAt: Timestamp, westmostOffset: Int64, eastmostOffset: Int64
    ) {
        self.day = day
        self.sessions = sessions
        self.seconds = seconds
        self.early = early
        self.firstStartedAt = firstStartedAt
        self.lastStartedAt = lastStartedAt
        self.westmostOffset = westmostOffset
        self.eastmostOffset = eastmostOffset
    }

    /// How many of its sessions began within a grace after midnight.
    func early(within graceSeconds: Int64) -> Int64 { Int64(early.count { $0 < graceSeconds }) }
}

/// What of somebody's settings counts for streaks.
package struct StreakRules: Sendable, Equatable {
    /// How long after midnight a session can still count for the day before, in seconds.
    package var graceSeconds: Int64
    /// Days that may stay empty.
    package var frozen: Set<LocalDay>

    package init(graceSeconds: Int64 = 3 * 3_600, frozen: Set<LocalDay> = []) {
        self.graceSeconds = graceSeconds
        self.frozen = frozen
    }
}
