package import Primitives

/// The rules of a streak, in words in `docs/practice.md`.
///
/// A streak of N days is a run of calendar days in which N days have a session of their own, and every other day is frozen or was
/// lost to travel. A session can keep one day: the local day on which it began or, when it began within the grace after
/// midnight, the day before. Where there is a choice, the one counts that makes the streak longest; so another session never makes
/// it shorter, but for one that shows that a day was not lost to travel.
package struct Streaks: Sendable {
    /// How a day of a run is kept.
    package enum Keeping: Sendable, Equatable {
        /// A session began on it.
        case ownSession
        /// A session that began within the grace after it counts for it.
        case grace
        /// It is empty, and frozen: it protects and does not count.
        case frozen
        /// It is empty, and was lost to travel: it does not count.
        case travel

        /// Whether the day counts.
        package var counts: Bool { self == .ownSession || self == .grace }
    }

    /// A run of days, as long as it can be.
    package struct Run: Sendable, Equatable {
        /// How many of its days count.
        package var days: Int64
        /// The last of its days, which may be a protected one.
        package var end: LocalDay
        /// Its days, the oldest first.
        package var kept: [(day: LocalDay, keeping: Keeping)]

        package static func == (left: Run, right: Run) -> Bool {
            left.days == right.days && left.end == right.end
                && left.kept.elementsEqual(right.kept) { $0.day == $1.day && $0.keeping == $1.keeping }
        }
    }

    /// The best run that ends with a day, for one way of having kept it.
    private struct Best {
        var count: Int64
        var keeping: Keeping
        /// Whether the run goes on from the step before with its ``Step/plain`` or its ``Step/borrowing``; nil where it begins.
        var from: Way?
    }

    private enum Way { case plain, borrowing }

    /// One day of the walk.
    private struct Step {
        var day: LocalDay
        /// Kept without the help of the day after.
        var plain: Best?
        /// Kept by a session of the day after, which therefore has one session less.
        var borrowing: Best?
    }

    private let days: [DayFacts]
    private let rules: StreakRules
    private let steps: [Step]

    /// - Parameter days: each day with sessions once, the oldest first.
    package init(_ days: [DayFacts], _ rules: StreakRules) {
        self.days = days
        self.rules = rules
        steps = Self.walk(days, rules)
    }

    // MARK: What follows

    /// The longest streak of the whole history, in days.
    package var longest: Int64 {
        steps.reduce(0) { max($0, $1.plain?.count ?? 0, $1.borrowing?.count ?? 0) }
    }

    /// The run that is the longest; of several the last.
    package var longestRun: Run? {
        var found: (index: Int, way: Way, count: Int64)?
        for (index, step) in steps.enumerated() {
            for (way, best) in [(Way.plain, step.plain), (.borrowing, step.borrowing)] {
                if let best, best.keeping.counts, best.count >= found?.count ?? 1 { found = (index, way, best.count) }
            }
        }
        return found.map { run(at: $0.index, $0.way) }
    }

    /// The streak that has not ended.
    package struct Current: Sendable, Equatable {
        package var run: Run
        /// When it ends unless a session begins before.
        package var atRiskUntil: Timestamp

        /// Whether a day, or one after it, has a session of its own: one that was needed for the day before does not keep it.
        package func isKept(since day: LocalDay) -> Bool { run.kept.contains { $0.day >= day && $0.keeping.counts } }
    }

    /// The streak that has not ended at a moment; nil when there is none.
    ///
    /// - Parameter offset: how far the clocks of the place where it is asked are ahead of UTC, in seconds.
    package func current(at now: Timestamp, utcOffsetSeconds offset: Int64) -> Current? {
        guard let last = days.last, let end = steps.indices.last else { return nil }
        var found: Current?
        // Its only session may have been needed for the day before: then the streak still waits for one of its own.
        let before = steps.lastIndex { $0.day == last.day - 1 && $0.borrowing != nil }
        for (index, way) in [(end, Way.plain)] + (before.map { [($0, Way.borrowing)] } ?? []) {
            let until = deadline(of: steps[index].day + 1, offset)
            guard now < until else { continue }
            let run = run(at: index, way)
            if run.days > found?.run.days ?? 0 { found = Current(run: run, atRiskUntil: until) }
        }
        return found
    }

    /// When a day is over that a streak waits for: on the clock that gives most time, of the place where it is asked and of that of
    /// the last session, with the grace.
    private func deadline(of day: LocalDay, _ offset: Int64) -> Timestamp {
        guard let last = days.last else { return .epoch }
        let west = min(offset, last.westmostOffset)
        let until = (day + 1).start(utcOffsetSeconds: west).adding(seconds: rules.graceSeconds)
        guard offset > last.westmostOffset, day > last.day else { return until }
        return max(until, deadlineInTheEast(after: last, offset))
    }

    /// The last moment at which a session on a clock that is ahead of the last day's goes on with the streak: days that travel would
    /// take away are not waited for.
    private func deadlineInTheEast(after last: DayFacts, _ offset: Int64) -> Timestamp {
        var until = Timestamp.epoch
        /// How many days between the last one and the next are empty and not frozen.
        var empty: Int64 = 0
        var next = last.day + 1
        let shown = LocalDay(of: last.lastStartedAt, utcOffsetSeconds: offset)
        while empty <= Self.mostLost {
            let gap = next - last.day
            let end = (next + 1).start(utcOffsetSeconds: offset)
            if empty <= gap - max(1, next - shown) {
                until = max(until, end)
            } else if gap > empty {
                // As long as the last day's clock shows a day that is near enough.
                let near = (last.day + (gap - empty) + 1).start(utcOffsetSeconds: last.westmostOffset)
                    .adding(seconds: rules.graceSeconds)
                if near > next.start(utcOffsetSeconds: offset) { until = max(until, min(near, end)) }
            }
            if !rules.frozen.contains(next) { empty += 1 }
            next = next + 1
        }
        return until
    }

    /// Clocks differ by 26 hours at most.
    private static let mostLost: Int64 = 3

    /// How many days can have a session of their own; of all, or of those from one day to another.
    package func keptDays(from first: LocalDay? = nil, through last: LocalDay? = nil) -> Int64 {
        var count: Int64 = 0
        var previous: LocalDay?
        var borrowed: Int64 = 0
        for facts in days {
            if let last, facts.day > last + 1 { break }
            if let first, facts.day < first { continue }
            let early = facts.early(within: rules.graceSeconds)
            let before = facts.day - 1
            // The day before has nothing of its own left: one that began in the night after it counts for it.
            let isFree = previous != before
            if isFree, early > 0, first.map({ before >= $0 }) ?? true {
                count += 1
                borrowed = 1
            }
            if let last, facts.day > last { break }
            if facts.sessions > borrowed {
                count += 1
                previous = facts.day
            } else {
                previous = nil
            }
            borrowed = 0
        }
        return count
    }

    // MARK: The walk

    private static func walk(_ days: [DayFacts], _ rules: StreakRules) -> [Step] {
        var steps: [Step] = []
        steps.reserveCapacity(days.count + days.count / 4)
        var before: DayFacts?
        for (index, facts) in days.enumerated() {
            let travelled = before.map { TravelledDays.days(between: $0, and: facts, rules) } ?? []
            let early = facts.early(within: rules.graceSeconds)
            var day = before.map { $0.day + 1 } ?? facts.day - 1
            while day < facts.day {
                let isLast = day == facts.day - 1
                let isProtected = rules.frozen.contains(day) || travelled.contains(day)
                // Nothing goes on over an empty day, so the walk goes on at the last one, which a late session can keep.
                let lives = isProtected && steps.last?.day == day - 1
                if !isLast, !lives {
                    day = facts.day - 1
                    continue
                }
                let keeping: Keeping? = !isProtected ? nil : rules.frozen.contains(day) ? .frozen : .travel
                if let step = empty(day, after: steps.last, keeping, earlyOfNext: isLast ? early : 0) {
                    steps.append(step)
                }
                day = day + 1
            }
            let next = index + 1 < days.count && days[index + 1].day == facts.day + 1 ? days[index + 1] : nil
            steps.append(
                practised(
                    facts, after: steps.last, earlyOfNext: next?.early(within: rules.graceSeconds) ?? 0,
                    isFrozen: rules.frozen.contains(facts.day)))
            before = facts
        }
        // What comes may be frozen already.
        while let last = steps.last, rules.frozen.contains(last.day + 1),
            let step = empty(last.day + 1, after: last, .frozen, earlyOfNext: 0)
        {
            steps.append(step)
        }
        return steps
    }

    /// A day without sessions; nil when nothing keeps it.
    private static func empty(
        _ day: LocalDay, after last: Step?, _ keeping: Keeping?, earlyOfNext: Int64
    ) -> Step? {
        let previous = last?.day == day - 1 ? last : nil
        var step = Step(day: day)
        let best = previous.flatMap(better)
        if earlyOfNext > 0 { step.borrowing = Best(count: (best?.count ?? 0) + 1, keeping: .grace, from: best?.way) }
        if let keeping, let best { step.plain = Best(count: best.count, keeping: keeping, from: best.way) }
        return step.plain == nil && step.borrowing == nil ? nil : step
    }

    /// A day with sessions, of which the day before may need one.
    private static func practised(
        _ facts: DayFacts, after last: Step?, earlyOfNext: Int64, isFrozen: Bool
    ) -> Step {
        let previous = last?.day == facts.day - 1 ? last : nil
        var step = Step(day: facts.day)
        var ways: [(count: Int64, way: Way?)] = [(0, nil)]
        if let plain = previous?.plain { ways.append((plain.count, .plain)) }
        if let borrowing = previous?.borrowing, facts.sessions > 1 { ways.append((borrowing.count, .borrowing)) }
        let best = ways.max { $0.count < $1.count } ?? (0, nil)
        step.plain = Best(count: best.count + 1, keeping: .ownSession, from: best.way)
        // Its only session is the one that the day before needs.
        if let borrowing = previous?.borrowing, facts.sessions == 1 {
            if earlyOfNext > 0 {
                step.borrowing = Best(count: borrowing.count + 1, keeping: .grace, from: .borrowing)
            }
            if isFrozen, borrowing.count > best.count + 1 {
                step.plain = Best(count: borrowing.count, keeping: .frozen, from: .borrowing)
            }
        }
        return step
    }

    private static func better(_ step: Step) -> (count: Int64, way: Way)? {
        switch (step.plain, step.borrowing) {
        case (let plain?, let borrowing?):
            borrowing.count > plain.count ? (borrowing.count, .borrowing) : (plain.count, .plain)
        case (let plain?, nil): (plain.count, .plain)
        case (nil, let borrowing?): (borrowing.count, .borrowing)
        case (nil, nil): nil
        }
    }

    private func run(at index: Int, _ way: Way) -> Run {
        var kept: [(day: LocalDay, keeping: Keeping)] = []
        var index = index
        var next: Way? = way
        var days: Int64 = 0
        while let way = next, let best = way == .plain ? steps[index].plain : steps[index].borrowing {
            if kept.isEmpty { days = best.count }
            kept.append((steps[index].day, best.keeping))
            next = best.from
            index -= 1
        }
        kept.reverse()
        return Run(days: days, end: kept.last?.day ?? LocalDay(number: 0), kept: kept)
    }
}
