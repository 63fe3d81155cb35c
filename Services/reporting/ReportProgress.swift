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

    /// - Parameter reports: in the order in which they were written.
    package init(_ reports: [ProgressReport]) {
        self.reports = reports
        comparable =
            reports.last.map { newest in
                reports.filter { $0.circumstances.obstacles(to: newest.circumstances).isEmpty }
            } ?? []
    }

    // MARK: Measures

    /// The sessions whose measures are looked at: of the comparable reports the first and the newest.
    package var examined: [UUID] {
        let window = Trend.window
        let kept = comparable.count <= 2 * window ? comparable : comparable.prefix(window) + comparable.suffix(window)
        return kept.map(\.sessionId)
    }

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
        let recent = Set(comparable.suffix(Trend.window).map(\.sessionId))
        let newest = comparable.last { measures[$0.sessionId]?[measure.name]?.value != nil }
        let version = newest.flatMap { measures[$0.sessionId]?[measure.name]?.version }
        var all: [Point] = []
        var left: [(report: ProgressReport, obstacle: Obstacle)] = []
        for report in comparable {
            guard let those = measures[report.sessionId] else { continue }
            let obstacle =
                newest.flatMap { report.circumstances.obstacles(to: $0.circumstances, for: measure).first }
            switch (those[measure.name], obstacle) {
            case (_, let obstacle?): left.append((report, obstacle))
            case (let measured?, nil):
                if let value = measured.value, measured.version == version {
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
        return comparable.filter {
            $0.confidenceScore != nil && $0.circumstances.obstacles(to: newest.circumstances, for: score).isEmpty
        }.max { ($0.confidenceScore ?? 0, $1.createdAt) < ($1.confidenceScore ?? 0, $0.createdAt) }
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
        Dictionary(grouping: reports, by: \.day).sorted { $0.key < $1.key }.map { day, reports in
            let starts = reports.map(\.begunAt)
            let offsets = reports.map(\.utcOffsetSeconds)
            let early = reports.map { $0.begunAt.seconds + $0.utcOffsetSeconds - day.number * LocalDay.seconds }
            return DayFacts(
                day: day, sessions: Int64(reports.count), seconds: reports.reduce(0) { $0 + $1.durationSec },
                early: early.filter { $0 < DayFacts.longestGraceSeconds }.sorted(),
                firstStartedAt: starts.min() ?? .epoch, lastStartedAt: starts.max() ?? .epoch,
                westmostOffset: offsets.min() ?? 0, eastmostOffset: offsets.max() ?? 0)
        }
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

    /// Adds up days that have the same name. They come in order, so those of one week or month lie together.
    package static func of(_ days: [DayFacts], by naming: (LocalDay) -> String) -> [RecordedSum] {
        var sums: [RecordedSum] = []
        for facts in days {
            let name = naming(facts.day)
            if sums.last?.name != name { sums.append(RecordedSum(name: name)) }
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
