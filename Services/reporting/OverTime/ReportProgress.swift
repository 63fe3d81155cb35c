import Coaching
import Contracts
package import JSON
package import Practice
package import Primitives
package import Progress

/// What progress reads of each report of an owner, without its measures.
package struct ProgressReport: Sendable {
    package var sessionId: UUID
    /// When it was written.
    package var createdAt: Timestamp
    /// When its session was begun; when the report was written, as long as that is not known.
    package var begunAt: Timestamp
    /// How far clocks were ahead of UTC where its session was begun, or else where it is asked, in seconds.
    package var utcOffsetSeconds: Int64
    /// Whether both are those of the session.
    package var isPlaced: Bool
    package var circumstances: Circumstances
    package var confidenceScore: Int64?
    package var durationSec: Int64

    package init(
        sessionId: UUID, createdAt: Timestamp, begunAt: Timestamp, utcOffsetSeconds: Int64, isPlaced: Bool,
        circumstances: Circumstances, confidenceScore: Int64?, durationSec: Int64
    ) {
        self.sessionId = sessionId
        self.createdAt = createdAt
        self.begunAt = begunAt
        self.utcOffsetSeconds = utcOffsetSeconds
        self.isPlaced = isPlaced
        self.circumstances = circumstances
        self.confidenceScore = confidenceScore
        self.durationSec = durationSec
    }

    /// A report by its row.
    ///
    /// - Parameter utcOffsetSeconds: how far clocks are ahead of UTC where it counts when its own place is not known.
    package init(_ row: ReportHistoryRow, utcOffsetSeconds: Int64 = 0) {
        self.init(
            sessionId: row.sessionId, createdAt: row.createdAt, begunAt: row.recording?.begunAt ?? row.createdAt,
            utcOffsetSeconds: row.recording?.utcOffsetSeconds ?? utcOffsetSeconds, isPlaced: row.recording != nil,
            circumstances: Circumstances(row), confidenceScore: row.summary.confidenceScore,
            durationSec: row.summary.durationSec)
    }

    package var day: LocalDay { LocalDay(of: begunAt, utcOffsetSeconds: utcOffsetSeconds) }
}

extension Circumstances {
    /// Under which a report came about, by its row.
    package init(_ row: ReportHistoryRow) {
        self.init(
            rulesVersion: row.basis?.rulesVersion,
            kind: (row.recording?.kind ?? ReportHistoryRow.firstKind).rawValue, tag: row.basis?.language,
            scenario: row.basis?.scenario, engines: row.basis?.engines ?? [:])
    }
}

/// What can be said over all reports of an owner and kind: pure, from the reports in the order in which they were written.
package struct ReportProgress: Sendable {
    /// A report's value of a measure.
    package struct Point: Sendable {
        package let report: ProgressReport
        package let value: Double
    }

    /// A measure over comparable reports.
    package struct Course: Sendable {
        package let measure: TrackedMeasure
        package let trend: Trend
        /// The values that the trend looked at, the oldest first.
        package let seen: [Point]
        /// The comparable reports that it did not take, and why.
        package let left: [(report: ProgressReport, obstacle: Obstacle)]
    }

    package let reports: [ProgressReport]
    /// Those that can be compared with the newest: of the same rules, kind and language.
    package let comparable: [ProgressReport]
    /// The comparable ones whose measures are looked at: the first and the newest.
    private let window: [ProgressReport]
    /// The sessions of the newest of them, which trends look at.
    private let recent: Set<UUID>

    /// - Parameter reports: in the order in which they were written.
    package init(_ reports: [ProgressReport]) {
        self.reports = reports
        let comparable =
            reports.last.map { newest in
                reports.filter { $0.circumstances.obstacles(to: newest.circumstances).isEmpty }
            } ?? []
        let size = Trend.window
        self.comparable = comparable
        window = comparable.count <= 2 * size ? comparable : Array(comparable.prefix(size) + comparable.suffix(size))
        recent = Set(comparable.suffix(size).map(\.sessionId))
    }

    // MARK: Measures

    /// The sessions whose measures are looked at: of the comparable reports the first and the newest.
    package var examined: [UUID] { window.map(\.sessionId) }

    /// The measures that progress is told of; the pace that is right is that of what the newest report was spoken for.
    package var tracked: [TrackedMeasure] {
        TrackedMeasure.all(pace: Self.pace(of: reports.last?.circumstances.scenario))
    }

    /// The words per minute between which pace is right.
    package static func pace(of scenario: String?) -> ClosedRange<Double> {
        (scenario.flatMap { Scenario(rawValue: $0) } ?? .general).comfortable
    }

    /// A measure over comparable reports.
    ///
    /// - Parameter measures: of the ``examined`` reports.
    package func course(
        of measure: TrackedMeasure, _ measures: [UUID: [String: ReportBasis.Measured]]
    ) -> Course {
        let newest = window.last { measures[$0.sessionId]?[measure.name]?.value != nil }
        let definition = newest.flatMap { measures[$0.sessionId]?[measure.name]?.definition }
        var all: [Point] = []
        var left: [(report: ProgressReport, obstacle: Obstacle)] = []
        for report in window {
            guard let those = measures[report.sessionId] else { continue }
            let obstacle =
                newest.flatMap { report.circumstances.obstacles(to: $0.circumstances, for: measure).first }
            switch (those[measure.name], obstacle) {
            case (_, let obstacle?): left.append((report, obstacle))
            case (let measured?, nil):
                if let value = measured.value, measured.definition == definition {
                    all.append(Point(report: report, value: value))
                } else {
                    left.append((report, measured.value == nil ? .notValid : .definitionsDiffer))
                }
            case (nil, nil): left.append((report, .notValid))
            }
        }
        let seen = all.filter { recent.contains($0.report.sessionId) }
        return Course(
            measure: measure, trend: Trend(measure, all: all.map(\.value), seen: seen.map(\.value)), seen: seen,
            left: left)
    }

    /// The goal that is worth most next: of the measure that costs the score most; nil where none costs it more than chance.
    ///
    /// - Parameters:
    ///   - courses: of the measures.
    ///   - aimed: measures of which a goal is open.
    package static func nextGoal(from courses: [Course], without aimed: Set<String>) -> GoalProposal? {
        courses.filter { !aimed.contains($0.measure.name) }
            .compactMap { GoalProposal($0.measure, $0.seen.suffix(GoalProposal.values).map(\.value)) }
            .max { $0.points < $1.points }
    }

    /// The report of the highest score among those whose score can be compared with the newest one's; of several the first.
    package var best: ProgressReport? {
        guard let newest = reports.last, let score = tracked.first else { return nil }
        var best: ProgressReport?
        // They are in order, so of equal ones the first stays; whether one can be compared is only asked of a higher one.
        for report in comparable {
            guard let points = report.confidenceScore, best?.confidenceScore.map({ points > $0 }) ?? true,
                report.circumstances.obstacles(to: newest.circumstances, for: score).isEmpty
            else { continue }
            best = report
        }
        return best
    }

    /// The reports that cannot be compared with the newest, together with those that cannot for the same reasons.
    package var notCompared: [(circumstances: Circumstances, reports: Int, obstacles: [Obstacle])] {
        guard let newest = reports.last else { return [] }
        var groups: [(circumstances: Circumstances, reports: Int, obstacles: [Obstacle])] = []
        for report in reports {
            var circumstances = report.circumstances
            let obstacles = circumstances.obstacles(to: newest.circumstances)
            if obstacles.isEmpty { continue }
            (circumstances.engines, circumstances.scenario) = ([:], "general")
            if let index = groups.firstIndex(where: { $0.circumstances == circumstances }) {
                groups[index].reports += 1
            } else {
                groups.append((circumstances, 1, obstacles))
            }
        }
        return groups
    }

    // MARK: Days

    /// What counts of each local day with recordings that became reports, the oldest first.
    package var days: [DayFacts] {
        var found: [DayFacts] = []
        found.reserveCapacity(reports.count)
        // In the order in which they were written, a day's reports lie together but for what came late or from far away.
        var places: [LocalDay: Int] = [:]
        for report in reports {
            let day = report.day
            if found.last?.day == day {
                found[found.count - 1].add(report)
            } else if let place = places[day] {
                found[place].add(report)
            } else {
                places[day] = found.count
                found.append(DayFacts(day, report))
            }
        }
        return found.sorted { $0.day < $1.day }
    }
}

extension DayFacts {
    /// A day with one recording.
    fileprivate init(_ day: LocalDay, _ report: ProgressReport) {
        self.init(
            day: day, sessions: 0, seconds: 0, early: [], firstStartedAt: report.begunAt,
            lastStartedAt: report.begunAt, westmostOffset: report.utcOffsetSeconds,
            eastmostOffset: report.utcOffsetSeconds)
        add(report)
    }

    fileprivate mutating func add(_ report: ProgressReport) {
        sessions += 1
        seconds += report.durationSec
        firstStartedAt = min(firstStartedAt, report.begunAt)
        lastStartedAt = max(lastStartedAt, report.begunAt)
        westmostOffset = min(westmostOffset, report.utcOffsetSeconds)
        eastmostOffset = max(eastmostOffset, report.utcOffsetSeconds)
        let second = report.begunAt.seconds + report.utcOffsetSeconds - day.number * LocalDay.seconds
        guard second < Self.longestGraceSeconds else { return }
        early.insert(second, at: early.firstIndex { $0 > second } ?? early.endIndex)
    }
}

/// What was recorded on the days of a week, a month or one day.
package struct RecordedSum: Sendable, Equatable {
    /// The day, week or month, as ISO 8601 writes it.
    package let name: String
    package private(set) var recordings: Int64 = 0
    package private(set) var seconds: Int64 = 0
    /// How many of its days have recordings.
    package private(set) var days: Int64 = 0

    /// Adds up days that lie in the same stretch. They come in order, so those of one week or month lie together.
    ///
    /// - Parameters:
    ///   - stretch: the first and the last day of the stretch that a day lies in.
    ///   - naming: its name, by any of its days; asked once for each stretch.
    package static func of(
        _ days: [DayFacts], in stretch: (LocalDay) -> ClosedRange<LocalDay>, by naming: (LocalDay) -> String
    ) -> [RecordedSum] {
        var sums: [RecordedSum] = []
        var current: ClosedRange<LocalDay>?
        for facts in days {
            if current?.contains(facts.day) != true {
                current = stretch(facts.day)
                sums.append(RecordedSum(name: naming(facts.day)))
            }
            sums[sums.count - 1].add(facts)
        }
        return sums
    }

    private init(name: String) { self.name = name }

    private mutating func add(_ facts: DayFacts) {
        recordings += facts.sessions
        seconds += facts.seconds
        days += 1
    }
}

extension ReportProgress.Course {
    package var json: JSONValue {
        var object: JSONObject = [
            "unit": .string(measure.unit), "better": .string(measure.better.name),
            "repeatability": .double(measure.repeatability), "trend": .string(trend.verdict.rawValue),
            "reports": .int(Int64(trend.reports)), "needed": .int(Int64(Trend.least)),
            "change": .optional(trend.change.map(Self.rounded)), "chance": .optional(trend.chance.map(Self.rounded)),
            "first": .optional(trend.firstMedian.map(Self.rounded)),
            "last": .optional(trend.lastMedian.map(Self.rounded)),
            "latest": seen.last.map {
                [
                    "sessionId": .uuid($0.report.sessionId), "createdAt": .time($0.report.createdAt),
                    "value": .double($0.value),
                ]
            } ?? .null,
        ]
        if case .within(let range) = measure.better {
            object["range"] = ["low": .double(range.lowerBound), "high": .double(range.upperBound)]
        }
        return .object(object)
    }

    /// To four places: what is measured has no more.
    static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}
