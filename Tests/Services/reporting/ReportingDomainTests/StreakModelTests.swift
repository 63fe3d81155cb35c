import Contracts
import EventSourcing
import EventSourcingTesting
import Practice
import Primitives
import Progress
import Testing
import TestingSupport

@testable import reporting

/// What streaks are by definition, by trying: every run of days, with sessions matched to days by augmenting paths. It shares
/// nothing with the rules but their words.
private struct Model {
    struct Sitting: Equatable {
        var id: UUID
        var start: Int64
        var offset: Int64

        var day: Int64 { (start + offset) / 86_400 }

        func days(grace: Int64) -> [Int64] { start + offset - day * 86_400 < grace ? [day - 1, day] : [day] }
    }

    let sittings: [Sitting]
    let grace: Int64
    let frozen: Set<Int64>
    /// The sessions that may count for a day, by their places among all.
    private let places: [Int64: [Int]]

    init(sittings: [Sitting], grace: Int64, frozen: Set<Int64>) {
        (self.sittings, self.grace, self.frozen) = (sittings, grace, frozen)
        var places: [Int64: [Int]] = [:]
        for index in sittings.indices {
            for day in sittings[index].days(grace: grace) { places[day, default: []].append(index) }
        }
        self.places = places
    }

    /// Days that travel has taken, by comparing every session of a day with every one of the next day that has any.
    var travelled: Set<Int64> {
        var taken: Set<Int64> = []
        let days = Set(sittings.map(\.day)).sorted()
        for (a, b) in zip(days, days.dropFirst()) where b - a > 1 {
            let pairs = sittings.filter { $0.day == a }.flatMap { one in
                sittings.filter { $0.day == b }.map { (one, $0) }
            }
            guard pairs.contains(where: { $1.offset > $0.offset }) else { continue }
            var gap = b - a
            for (one, other) in pairs {
                gap = min(gap, (other.start - grace + one.offset) / 86_400 - a)
                gap = min(gap, b - (one.start + other.offset) / 86_400)
            }
            let free = ((a + 1)..<b).reversed().filter { !frozen.contains($0) }
            taken.formUnion(free.prefix(Int(b - a - max(1, gap))))
        }
        return taken
    }

    /// How many of some days can have a session of their own when those that must have one do; nil when they cannot.
    private func matched(must: [Int64], may: [Int64]) -> Int64? {
        var match: [Int: Int64] = [:]
        func augment(_ day: Int64, _ tried: inout Set<Int>) -> Bool {
            for index in places[day] ?? [] {
                guard tried.insert(index).inserted else { continue }
                if match[index].map({ augment($0, &tried) }) ?? true {
                    match[index] = day
                    return true
                }
            }
            return false
        }
        for day in must {
            var tried: Set<Int> = []
            if !augment(day, &tried) { return nil }
        }
        for day in may {
            var tried: Set<Int> = []
            _ = augment(day, &tried)
        }
        return Int64(match.count)
    }

    /// The best runs: how many days count of the best run that ends with each day.
    var bestRuns: [Int64: Int64] {
        guard let first = sittings.map(\.day).min(), let last = sittings.map(\.day).max() else { return [:] }
        let travelled = travelled
        var best: [Int64: Int64] = [:]
        for from in (first - 1)...last {
            var must: [Int64] = []
            var may: [Int64] = []
            for day in from...(last + 3) {
                if frozen.contains(day) || travelled.contains(day) { may.append(day) } else { must.append(day) }
                guard let count = matched(must: must, may: may) else { break }
                best[day] = max(best[day] ?? 0, count)
            }
        }
        return best
    }

    var longest: Int64 { bestRuns.values.max() ?? 0 }

    var keptDays: Int64 {
        let days = Set(sittings.flatMap { $0.days(grace: grace) }).sorted()
        return matched(must: [], may: days) ?? 0
    }

    func keptDays(of stretch: ClosedRange<Int64>) -> Int64 { matched(must: [], may: Array(stretch)) ?? 0 }
}

/// A history of messages, with corrections, deletions and late posts, and what is left of it.
private struct RandomHistory {
    var random: SeededRandom
    private(set) var sittings: [Model.Sitting] = []
    private(set) var rows: [PracticeDayIdentity: PracticeDayRow] = [:]
    private var states: [PracticeDayIdentity: Report] = [:]
    let grace: Int64
    private(set) var frozen: Set<Int64> = []

    static let start: Int64 = 20_500
    private static let offsets: [Int64] = [-11, -8, -5, 0, 1, 5, 9, 13, 14].map { $0 * 3_600 }

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        grace = random.pick([0, 60, 180, 180, 180, 360])! * 60
        var offset = random.pick(Self.offsets)!
        let days = 3 + random.below(14)
        for day in 0..<days {
            if random.chance(15) { offset = random.pick(Self.offsets)! }
            // Summer time begins or ends in the night: what is earlier is by the clock before.
            let before = offset
            if random.chance(5) { offset += random.chance(50) ? 3_600 : -3_600 }
            if random.chance(8) { frozen.insert(Self.start + Int64(day)) }
            guard random.chance(75) else { continue }
            for _ in 0...(random.below(10) / 8) { log(Self.start + Int64(day), offset, before: before) }
        }
        for _ in 0..<random.below(4) { change() }
    }

    /// Minutes after midnight, more often around midnight than not.
    private mutating func minutes() -> Int64 {
        random.chance(40)
            ? Int64(random.below(200))
            : random.chance(30) ? 1_400 + Int64(random.below(40)) : Int64(random.below(1_440))
    }

    private mutating func log(_ day: Int64, _ offset: Int64, before: Int64? = nil) {
        let id = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0000 | random.next() >> 2)
        let minutes = minutes()
        let offset = minutes < 120 ? before ?? offset : offset
        let sitting = Model.Sitting(id: id, start: day * 86_400 + minutes * 60 - offset, offset: offset)
        sittings.append(sitting)
        count(sitting)
    }

    /// A correction, on the same day or to another one, a deletion, or a session that is told late.
    private mutating func change() {
        guard let index = sittings.indices.randomElement(using: &random) else { return }
        let old = sittings[index]
        switch random.below(4) {
        case 0:
            sittings.remove(at: index)
            withdraw(old)
        case 1: log(old.day + Int64(random.below(3)) - 1, old.offset)
        default:
            var new = old
            new.start += Int64(random.below(5) - 2) * 30_000
            sittings[index] = new
            if new.day != old.day { withdraw(old) }
            count(new)
        }
    }

    /// A further session.
    mutating func add(start: Int64, offset: Int64) {
        let id = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0000 | random.next() >> 2)
        let sitting = Model.Sitting(id: id, start: start, offset: offset)
        sittings.append(sitting)
        count(sitting)
    }

    private func time(_ sitting: Model.Sitting) -> PracticeTime {
        PracticeTime(
            startedAt: Timestamp(seconds: sitting.start), endedAt: Timestamp(seconds: sitting.start + 900),
            activeSeconds: 600, timeZone: "Europe/Berlin", utcOffsetSeconds: sitting.offset)
    }

    /// As the service does: decision, event, row; each message comes twice.
    private mutating func put(
        _ command: (PracticeDayIdentity, UUID, PracticeTime) -> ReportCommand, _ sitting: Model.Sitting
    ) {
        let time = time(sitting)
        let day = PracticeDayIdentity(ownerId: Fixture.owner, kind: .meditation, day: time.day)
        let command = command(day, sitting.id, time)
        for _ in 0..<2 {
            for event in Report.decide(command, states[day] ?? .absent) {
                states[day] = Report.evolve(states[day] ?? .absent, event)
                for key in PracticeDayProjection.keys(of: event) {
                    rows[key] = PracticeDayProjection.evolve(rows[key], event, key: key, recordedAt: Fixture.start)
                }
            }
        }
    }

    private mutating func count(_ sitting: Model.Sitting) {
        put({ .count($0, sessionId: $1, $2) }, sitting)
    }

    private mutating func withdraw(_ sitting: Model.Sitting) {
        put({ day, session, _ in .withdraw(day, sessionId: session) }, sitting)
    }

    var model: Model { Model(sittings: sittings, grace: grace, frozen: frozen) }

    /// What counts of each day, the oldest first.
    var facts: [DayFacts] { rows.values.map(\.facts).sorted { $0.day < $1.day } }

    var streaks: Streaks {
        Streaks(
            facts,
            StreakRules(graceSeconds: grace, frozen: Set(frozen.map { LocalDay(number: $0) })))
    }
}

@Suite("Streaks of random histories", .timeLimit(.minutes(10))) struct StreakModelTests {
    private static let seeds: UInt64 = 10_000

    /// Travel, summer time, freezes, corrections, deletions and late posts are among them.
    @Test("are what trying every run of days finds, and never get shorter by another session")
    func definition() {
        var faults: [String] = []
        for seed in 0..<Self.seeds {
            var history = RandomHistory(seed: seed)
            let (model, streaks) = (history.model, history.streaks)
            if streaks.longest != model.longest {
                faults.append("seed \(seed): longest \(streaks.longest), by the model \(model.longest)")
            }
            if streaks.keptDays() != model.keptDays {
                faults.append("seed \(seed): kept \(streaks.keptDays()), by the model \(model.keptDays)")
            }
            // As `consistency7` and `consistency30` look at it.
            let from = RandomHistory.start - 2 + Int64(history.random.below(18))
            let stretch = from...(from + history.random.pick([6, 6, 29, 0])!)
            let days = streaks.keptDays(
                from: LocalDay(number: stretch.lowerBound), through: LocalDay(number: stretch.upperBound))
            if days != model.keptDays(of: stretch) {
                faults.append("seed \(seed): \(days) of \(stretch), by the model \(model.keptDays(of: stretch))")
            }
            if let run = streaks.longestRun, Int64(run.kept.count { $0.keeping.counts }) != streaks.longest {
                faults.append("seed \(seed): the longest run has \(run.kept.count) days")
            }
            if let other = history.sittings.randomElement(using: &history.random) {
                history.add(start: other.start + Int64(history.random.below(200_000)) - 100_000, offset: other.offset)
                let after = history.streaks.longest
                // But for a session on the clock of the place that somebody flew to: then they were there already, and nothing was lost.
                if after < streaks.longest, model.travelled.isSubset(of: history.model.travelled) {
                    faults.append("seed \(seed): \(streaks.longest), then \(after)")
                }
            }
            if faults.count > 5 { break }
        }
        #expect(faults == [])
    }

    /// The days of recordings are kept nowhere but found from the reports, which are written in any order.
    @Test("of recordings rest on the same days as those of logged sessions")
    func recordings() {
        var faults: [String] = []
        let circumstances = Circumstances(
            rulesVersion: 4, kind: "mirrormate", tag: nil, scenario: nil, engines: [:])
        for seed in 0..<Self.seeds {
            var history = RandomHistory(seed: seed)
            let reports = history.sittings.shuffled(using: &history.random).map { sitting in
                ProgressReport(
                    sessionId: sitting.id, createdAt: Timestamp(seconds: sitting.start + 60),
                    begunAt: Timestamp(seconds: sitting.start), utcOffsetSeconds: sitting.offset, isPlaced: true,
                    circumstances: circumstances, confidenceScore: nil, durationSec: 600)
            }
            let expected = history.facts.map { facts in
                var facts = facts
                // A recording counts as long as it is, whatever else was recorded meanwhile.
                facts.seconds = facts.sessions * 600
                return facts
            }
            if ReportProgress(reports).days != expected { faults.append("seed \(seed)") }
            if faults.count > 5 { break }
        }
        #expect(faults == [])
    }

    /// Whoever keeps to `atRiskUntil` keeps the streak, and whoever is told of none has none to keep.
    @Test("end when they are said to, not before and not later")
    func current() {
        var faults: [String] = []
        for seed in 0..<Self.seeds {
            var history = RandomHistory(seed: seed)
            guard let last = history.sittings.max(by: { $0.start < $1.start }) else { continue }
            let asked = history.random.pick([
                last.offset, last.offset, last.offset + 3_600, last.offset - 28_800, last.offset + 32_400,
            ])!
            let now = last.start + Int64(history.random.below(250_000))
            let current = history.streaks.current(at: Timestamp(seconds: now), utcOffsetSeconds: asked)
            // In time by a second, or now; at home, or where it is asked.
            let moment = current.map { $0.atRiskUntil.seconds - 1 } ?? now
            let west = history.sittings.filter { $0.day == history.sittings.map(\.day).max() }.map(\.offset).min()!
            var best: Int64 = 0
            for offset in [asked, west] {
                var then = history
                then.add(start: moment, offset: offset)
                let model = then.model
                let end = model.sittings.map(\.day).max()!
                best = max(best, model.bestRuns.filter { $0.key >= end - 1 }.values.max() ?? 0)
            }
            if let current {
                // Neither told too long nor too short: it is a run that there is, and one more session makes it one day more.
                let found = history.model.bestRuns[current.run.end.number] ?? 0
                if best != current.run.days + 1 || found < current.run.days {
                    faults.append("seed \(seed): \(current.run.days) days, by the model \(found), then \(best)")
                }
            } else if best > 1 {
                faults.append("seed \(seed): none, and one more session makes it \(best)")
            }
            if faults.count > 5 { break }
        }
        #expect(faults == [])
    }
}
