import Contracts

/// How fast somebody speaks from one stretch of ten seconds to the next, without the pauses.
struct PaceOverTime {
    /// Seconds of a stretch.
    static let stretch = 10.0
    /// The seconds of speaking without which a stretch says nothing.
    static let leastSpeaking = 4.0

    /// One stretch.
    struct Point: Equatable {
        /// When it begins, in seconds.
        let time: Double
        /// While speaking, pauses left out.
        let wordsPerMin: Double
    }

    let points: [Point]

    init(_ words: [Measurements.Word], _ pauses: [Measurements.Pause]) {
        guard let first = words.first?.start, let last = words.last?.end, last > first else {
            points = []
            return
        }
        var points: [Point] = []
        var start = first
        while start < last {
            let end = min(start + Self.stretch, last)
            let silent = pauses.reduce(0) { $0 + max(0, min($1.end, end) - max($1.start, start)) }
            let speaking = end - start - silent
            if speaking >= Self.leastSpeaking {
                let count = words.count { $0.start >= start && $0.start < end }
                points.append(Point(time: start, wordsPerMin: 60 * Double(count) / speaking))
            }
            start += Self.stretch
        }
        self.points = points
    }

    /// How much the stretches differ: their standard deviation in percent of their mean; nil of fewer than three.
    var variation: Double? {
        guard points.count >= 3 else { return nil }
        let mean = Self.mean(points)
        let square = points.reduce(0) { $0 + ($1.wordsPerMin - mean) * ($1.wordsPerMin - mean) }
        return mean > 0 ? 100 * (square / Double(points.count)).squareRoot() / mean : nil
    }

    /// How much faster the last third is than the first, in percent; negative when slower. Nil of fewer than three.
    var drift: Double? {
        guard points.count >= 3 else { return nil }
        let third = points.count / 3
        let first = Self.mean(points.prefix(third))
        return first > 0 ? 100 * (Self.mean(points.suffix(third)) / first - 1) : nil
    }

    private static func mean(_ points: some Collection<Point>) -> Double {
        points.reduce(0) { $0 + $1.wordsPerMin } / Double(max(points.count, 1))
    }
}
