import Coaching
import JSON
import Progress

/// A measure of two reports, from the first to the second.
struct Comparison {
    /// What became of it. The raw values are what clients see.
    enum Verdict: String, CaseIterable {
        case better, worse
        /// They differ by no more than the repeatability, or both are as good as can be.
        case same
    }

    let a: ReportBasis.Measured
    let b: ReportBasis.Measured
    let obstacles: [Obstacle]
    /// Nil when it cannot be compared, or nothing of it is better or worse.
    let verdict: Verdict?

    init(
        _ measure: TrackedMeasure?, _ a: ReportBasis.Measured, _ b: ReportBasis.Measured, _ obstacles: [Obstacle]
    ) {
        var obstacles = obstacles
        if a.value == nil || b.value == nil {
            obstacles.append(.notValid)
        } else if a.definition != b.definition {
            obstacles.append(.definitionsDiffer)
        }
        (self.a, self.b, self.obstacles) = (a, b, obstacles)
        guard let measure, obstacles.isEmpty, let before = a.value, let after = b.value else {
            verdict = nil
            return
        }
        let worse = measure.shortfall(after) - measure.shortfall(before)
        verdict = worse.magnitude <= measure.repeatability ? .same : worse < 0 ? .better : .worse
    }

    var json: JSONObject {
        let change = obstacles.isEmpty ? a.value.flatMap { before in b.value.map { $0 - before } } : nil
        return [
            "a": .object(a.shown), "b": .object(b.shown),
            "change": .optional(change.map(ReportProgress.Course.rounded)),
            "verdict": .optional(verdict?.rawValue), "comparable": .bool(obstacles.isEmpty),
            "reasons": .array(obstacles.map { .string($0.rawValue) }),
        ]
    }
}

extension ReportBasis.Measured {
    /// As clients read it.
    var shown: JSONObject {
        [
            "value": .optional(value), "valid": .bool(value != nil), "code": .optional(code),
            "lowConfidence": .bool(isUncertain),
        ]
    }
}

extension ReportHistoryRow {
    /// What a report says of a measure; nil when it says nothing at all.
    func measured(_ name: String) -> ReportBasis.Measured? {
        if let basis { return basis.measures[name] }
        return switch name {
        case Figure.confidenceScore.rawValue: ReportBasis.Measured(summary.confidenceScore.map(Double.init))
        case Figure.paceWordsPerMin.rawValue: ReportBasis.Measured(summary.paceWordsPerMin.map(Double.init))
        case Figure.eyeContactPct.rawValue: ReportBasis.Measured(summary.eyeContactPct)
        case Figure.durationSec.rawValue: ReportBasis.Measured(Double(summary.durationSec))
        case Figure.fillerCount.measure: ReportBasis.Measured(summary.fillerCount.map(Double.init))
        default: nil
        }
    }
}
