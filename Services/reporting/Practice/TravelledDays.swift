import Primitives

/// Days that travel took away: whoever flies east passes midnight early, so the calendar of the new place skips hours, and
/// sometimes a whole day, that nobody could have practised on.
///
/// Between two neighbouring days with sessions, A and B, the calendar has a gap of B − A. When some clock of B is ahead of some
/// clock of A, the gap is also counted on the clocks of one place alone: from A to the day that A's clock showed when B's first
/// session began (within the grace: the day before), and from the day that B's clock showed when A's last session began to B. As
/// many empty days between them as the calendar has more than the smaller of these are lost; those nearest to B that are not
/// frozen.
enum TravelledDays {
    /// How many days are lost between two neighbouring days with sessions.
    static func lost(between a: DayFacts, and b: DayFacts, graceSeconds: Int64) -> Int64 {
        guard b.eastmostOffset > a.westmostOffset else { return 0 }
        let first = b.firstStartedAt.adding(seconds: -graceSeconds)
        let onClockOfA = LocalDay(of: first, utcOffsetSeconds: a.westmostOffset) - a.day
        let onClockOfB = b.day - LocalDay(of: a.lastStartedAt, utcOffsetSeconds: b.eastmostOffset)
        return max(0, (b.day - a.day) - max(1, min(onClockOfA, onClockOfB)))
    }

    /// Which days are lost between two neighbouring days with sessions.
    static func days(between a: DayFacts, and b: DayFacts, _ rules: StreakRules) -> Set<LocalDay> {
        guard b.day - a.day > 1 else { return [] }
        var left = lost(between: a, and: b, graceSeconds: rules.graceSeconds)
        var days: Set<LocalDay> = []
        var day = b.day - 1
        while left > 0, day > a.day {
            if !rules.frozen.contains(day) {
                days.insert(day)
                left -= 1
            }
            day = day - 1
        }
        return days
    }
}
