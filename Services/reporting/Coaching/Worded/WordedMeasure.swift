import JSON
import Primitives

/// A measure of a report as a question tells it, and as an answer has to tell it.
struct WordedMeasure: Sendable, Equatable {
    /// What the rules made of it.
    enum Verdict: String {
        /// Something good rests on it, and nothing that is to be improved.
        case good
        /// Something that is to be improved rests on it, and nothing good.
        case bad
        /// It only describes, or both rest on it.
        case plain
    }

    let name: String
    /// As it is shown: shares as percentages, rounded.
    let value: Double
    let unit: String
    let verdict: Verdict
    /// Between what it is right, where that is known.
    let range: ClosedRange<Double>?
    let topic: Topic?

    /// The numbers that a sentence about it may hold.
    var numbers: [Double] { [value] + (range.map { [$0.lowerBound, $0.upperBound] } ?? []) }

    /// Those on which places of the report rest, by their names; only what is valid and a number.
    static func all(_ report: JSONObject, _ texts: [PlacedText]) -> [String: WordedMeasure] {
        let measures = report["measures"]?.objectValue ?? [:]
        func named(_ kinds: WordingPlace.Kind...) -> Set<String> {
            Set(texts.filter { kinds.contains($0.place.kind) }.flatMap(\.measures))
        }
        let (good, bad) = (named(.strength), named(.area, .exercise))
        var found: [String: WordedMeasure] = [:]
        for name in named(.strength, .area, .exercise, .feedback) {
            guard let measure = measures[name]?.objectValue, measure["valid"] == true,
                let raw = number(measure["value"])
            else { continue }
            let unit = measure["unit"]?.stringValue ?? ""
            let isShare = name == Figure.eyeContactPct.rawValue || unit == "0-1"
            var verdict = Verdict.plain
            if good.contains(name) != bad.contains(name) { verdict = good.contains(name) ? .good : .bad }
            if name == Figure.confidenceScore.rawValue {
                verdict = raw < Self.weakScore ? .bad : raw >= Self.goodScore ? .good : .plain
                if isLeftOpen(report) { verdict = .plain }
            }
            let scenario = report["scenario"]?.stringValue.flatMap(Scenario.init(rawValue:)) ?? .general
            found[name] = WordedMeasure(
                name: name, value: shown(isShare ? raw * 100 : raw), unit: isShare ? "percent" : unit,
                verdict: verdict, range: name == Figure.paceWordsPerMin.rawValue ? scenario.comfortable : nil,
                topic: Figure.allCases.first { $0.measure == name }?.topic)
        }
        return found
    }

    /// Whether the machine has left so much open that the score says of no recording how good it is.
    private static func isLeftOpen(_ report: JSONObject) -> Bool {
        guard let low = report["scoreRange"]?["low"]?.intValue, let high = report["scoreRange"]?["high"]?.intValue
        else { return false }
        return high - low > Writer.exact
    }

    /// The scores from which a report opens with praise, and below which it does not.
    private static let goodScore = 60.0
    private static let weakScore = 50.0

    /// A number, or counts by word added up.
    private static func number(_ value: JSONValue?) -> Double? {
        if let number = value?.doubleValue { return number }
        guard let counts = value?.objectValue?.members.map(\.value.doubleValue), !counts.contains(nil) else {
            return nil
        }
        return counts.reduce(0) { $0 + ($1 ?? 0) }
    }

    /// A tenth matters of small numbers alone.
    private static func shown(_ value: Double) -> Double {
        NumberText.rounded(value, places: value.magnitude < 20 ? 1 : 0)
    }

    /// As a question tells it.
    var json: JSONValue {
        var object: JSONObject = [
            "measure": .string(name), "value": Self.plain(value), "unit": .string(unit),
            "verdict": .string(verdict.rawValue),
        ]
        if let range { object["right"] = ["from": Self.plain(range.lowerBound), "to": Self.plain(range.upperBound)] }
        return .object(object)
    }

    private static func plain(_ value: Double) -> JSONValue {
        value == value.rounded() && value.magnitude < 1e15 ? .int(Int64(value)) : .double(value)
    }
}
