package import Contracts

/// What somebody is speaking for: what is judged differently in each.
package enum Scenario: String, CaseIterable, Sendable {
    /// Nothing is known about it.
    case general
    case interview, pitch, casual

    /// - Parameter said: what the client said; what is not known here is judged as ``general``.
    package init(_ said: SpeakingScenario?) {
        self = said.flatMap { Scenario(rawValue: $0.rawValue) } ?? .general
    }

    /// Words per minute between which pace is right.
    package var comfortable: ClosedRange<Double> {
        switch self {
        case .general: 120...180
        case .interview: 120...165
        case .pitch: 130...180
        case .casual: 110...190
        }
    }

    /// 0 to 1: full in the comfortable range, 0 from 40 below and 55 above it.
    func pace(_ wordsPerMinute: Double) -> Double {
        let range = comfortable
        return min(
            Scoring.ramp(wordsPerMinute, range.lowerBound - 40, range.lowerBound),
            1 - Scoring.ramp(wordsPerMinute, range.upperBound, range.upperBound + 55))
    }
}
