/// A number that only grows, such as requests answered.
package final class Counter: MetricFamily {
    private let table: SeriesTable

    init(_ table: SeriesTable) { self.table = table }

    /// Adds to one series; a negative or NaN amount is ignored, because a counter never decreases.
    package func increment(by amount: Double = 1, _ labels: [String] = []) {
        guard amount >= 0 else { return }
        table.update(labels) { $0 += amount }
    }

    /// The value of one series.
    package func value(_ labels: [String] = []) -> Double { table.value(labels) }

    func write(to out: inout String) { table.write(to: &out) }
}

/// A number that goes up and down, such as open connections.
package final class Gauge: MetricFamily {
    private let table: SeriesTable

    init(_ table: SeriesTable) { self.table = table }

    /// Sets one series.
    package func set(_ value: Double, _ labels: [String] = []) { table.update(labels) { $0 = value } }

    /// Adds to one series; a negative amount subtracts.
    package func add(_ amount: Double, _ labels: [String] = []) { table.update(labels) { $0 += amount } }

    /// Removes one series, such as that of a partition that moved elsewhere.
    package func remove(_ labels: [String]) { table.remove(labels) }

    /// The value of one series.
    package func value(_ labels: [String] = []) -> Double { table.value(labels) }

    func write(to out: inout String) { table.write(to: &out) }
}
