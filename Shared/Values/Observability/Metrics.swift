import Primitives

/// The metrics of a process, in the text format of Prometheus.
package final class Metrics: Sendable {
    /// The process's registry.
    package static let shared = Metrics()

    /// The media type of ``text()``.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let families = Locked<[String: any MetricFamily]>([:])

    package init() {}

    /// A number that only grows. The same name returns the same counter.
    ///
    /// - Parameters:
    ///   - name: by convention ending in the unit and `_total`.
    ///   - labels: the label names; each update passes their values in this order.
    package func counter(_ name: String, help: String, labels: [String] = []) -> Counter {
        family(name) { Counter(SeriesTable(name: name, help: help, kind: "counter", labels: labels)) }
    }

    /// A number that goes up and down. The same name returns the same gauge.
    package func gauge(_ name: String, help: String, labels: [String] = []) -> Gauge {
        family(name) { Gauge(SeriesTable(name: name, help: help, kind: "gauge", labels: labels)) }
    }

    /// A distribution. The same name returns the same histogram.
    ///
    /// - Parameter buckets: the upper bounds, ascending, without infinity.
    package func histogram(
        _ name: String, help: String, buckets: [Double] = Histogram.secondsBuckets, labels: [String] = []
    ) -> Histogram {
        family(name) { Histogram(name: name, help: help, buckets: buckets, labels: labels) }
    }

    /// All families by name, in the Prometheus text exposition format 0.0.4.
    package func text() -> String {
        let all = families.withLock { families in families.map { $0 } }
        var out = ""
        for (_, family) in all.sorted(by: { $0.key < $1.key }) { family.write(to: &out) }
        return out
    }

    private func family<Family: MetricFamily>(_ name: String, _ make: () -> Family) -> Family {
        families.withLock { families in
            if let known = families[name] {
                guard let same = known as? Family else {
                    preconditionFailure("The metric \(name) is registered with another kind; give it another name.")
                }
                return same
            }
            let new = make()
            families[name] = new
            return new
        }
    }
}

/// All series of one name.
protocol MetricFamily: Sendable {
    func write(to out: inout String)
}
