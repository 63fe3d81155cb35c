import Primitives

/// The series of a family, one number for each combination of label values.
final class SeriesTable: Sendable {
    let heading: MetricHeading
    private let values = Locked<[[String]: Double]>([:])

    init(name: String, help: String, kind: String, labels: [String]) {
        heading = MetricHeading(name: name, help: help, kind: kind, labels: labels)
        // A family without labels starts at zero at once, so that its rate can be computed.
        if labels.isEmpty { values.withLock { $0[[]] = 0 } }
    }

    func update(_ labels: [String], _ change: (inout Double) -> Void) {
        heading.check(labels)
        values.withLock { change(&$0[labels, default: 0]) }
    }

    func value(_ labels: [String]) -> Double { values.withLock { $0[labels] ?? 0 } }

    func remove(_ labels: [String]) { values.withLock { $0[labels] = nil } }

    func write(to out: inout String) {
        heading.write(to: &out)
        let all = values.withLock { values in values.map { $0 } }
        for (labels, value) in all.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            heading.writeSample(labels: labels, value: value, to: &out)
        }
    }
}

/// A family's name, help text and labels, and how its lines are written.
struct MetricHeading: Sendable {
    let name: String
    let help: String
    let kind: String
    let labels: [String]

    func check(_ values: [String]) {
        precondition(values.count == labels.count, "The metric \(name) takes \(labels.count) label values.")
    }

    func write(to out: inout String) {
        out += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind)\n"
    }

    func writeSample(
        suffix: String = "", labels values: [String], extra: (String, String)? = nil, value: Double,
        to out: inout String
    ) {
        var pairs = zip(labels, values).map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }
        if let extra { pairs.append("\(extra.0)=\"\(extra.1)\"") }
        out += name + suffix
        if !pairs.isEmpty { out += "{" + pairs.joined(separator: ",") + "}" }
        out += " " + Self.number(value) + "\n"
    }

    static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        if let whole = Int64(exactly: value), abs(whole) < 1 << 53 { return String(whole) }
        return value.description
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var out = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\"" where quotes: out += "\\\""
            default: out.unicodeScalars.append(character)
            }
        }
        return out
    }
}
