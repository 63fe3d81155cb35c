import Primitives

/// A distribution: how many observations fell below each of some fixed bounds.
package final class Histogram: MetricFamily {
    private struct Series {
        var counts: [UInt64]
        var sum = 0.0
    }

    /// Bounds for durations in seconds, from half a millisecond to a minute.
    package static let secondsBuckets = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
    ]

    private let heading: MetricHeading
    private let bounds: [Double]
    private let series = Locked<[[String]: Series]>([:])

    init(name: String, help: String, buckets: [Double], labels: [String]) {
        heading = MetricHeading(name: name, help: help, kind: "histogram", labels: labels)
        bounds = buckets.sorted()
    }

    /// Records one observation.
    package func observe(_ value: Double, _ labels: [String] = []) {
        heading.check(labels)
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        series.withLock { series in
            var one = series[labels] ?? Series(counts: Array(repeating: 0, count: bounds.count + 1))
            one.counts[bucket] += 1
            one.sum += value
            series[labels] = one
        }
    }

    /// Records one duration, in seconds.
    package func observe(_ duration: Duration, _ labels: [String] = []) {
        observe(Double(duration.microseconds) / 1_000_000, labels)
    }

    /// The number of observations in one series.
    package func count(_ labels: [String] = []) -> UInt64 {
        series.withLock { $0[labels]?.counts.reduce(0, +) ?? 0 }
    }

    func write(to out: inout String) {
        heading.write(to: &out)
        let all = series.withLock { series in series.map { $0 } }
        for (labels, one) in all.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            var total: UInt64 = 0
            for (bound, count) in zip(bounds + [.infinity], one.counts) {
                total += count
                heading.writeSample(
                    suffix: "_bucket", labels: labels, extra: ("le", MetricHeading.number(bound)),
                    value: Double(total), to: &out)
            }
            heading.writeSample(suffix: "_sum", labels: labels, value: one.sum, to: &out)
            heading.writeSample(suffix: "_count", labels: labels, value: Double(total), to: &out)
        }
    }
}
