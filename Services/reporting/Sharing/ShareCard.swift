import Coaching
package import JSON

/// What a link shows of a report: chosen from fixed words by what the report says. Nothing that was spoken can be in it: a report quotes
/// its speaker, so no sentence of the report is taken over.
package struct ShareCard: Sendable, Equatable {
    /// The longest first name, in characters.
    package static let longestName = 40

    /// Nil where the owner gave none.
    package var firstName: String?
    private var score: Int64?
    private var range: ClosedRange<Int64>?
    private var strengths: [Strength] = []
    private var workOn: Area?
    private let language: Language

    /// - Parameter report: the content of a report; of one that does not say how it is worded only the score is known.
    package init(_ report: JSONObject, _ parts: [Share.Part], firstName: String?) {
        self.firstName = firstName
        let wording = report["wording"]?.objectValue
        language = wording?["language"]?.stringValue.flatMap { Language(rawValue: $0) } ?? .english
        // In the order in which the report tells them.
        let told = wording?["variants"]?.objectValue?.members.map(\.key) ?? []
        for part in parts {
            switch part {
            case .score:
                score = report["confidenceScore"]?.intValue
                if score != nil, let said = report["scoreRange"]?.objectValue, let low = said["low"]?.intValue,
                    let high = said["high"]?.intValue, low <= high
                {
                    range = low...high
                }
            case .strengths: strengths = told.compactMap { Self.key($0, "strength.", "") }
            case .workOn: workOn = told.lazy.compactMap { Self.key($0, "area.", ".what") as Area? }.first
            }
        }
    }

    private static func key<Key: RawRepresentable<String>>(_ told: String, _ prefix: String, _ suffix: String) -> Key? {
        guard told.hasPrefix(prefix), told.hasSuffix(suffix) else { return nil }
        return Key(rawValue: String(told.dropFirst(prefix.count).dropLast(suffix.count)))
    }

    /// Whether it shows nothing of the report.
    package var isEmpty: Bool { score == nil && strengths.isEmpty && workOn == nil }

    package var json: JSONObject {
        let catalogue = language.catalogue
        return [
            "firstName": .optional(firstName), "language": .string(language.rawValue),
            "confidenceScore": .optional(score),
            "scoreRange": range.map { ["low": .int($0.lowerBound), "high": .int($0.upperBound)] } ?? .null,
            "strengths": .array(strengths.map { .string(catalogue.shared($0)) }),
            "workOn": workOn.map { .string(catalogue.shared($0)) } ?? .null,
        ]
    }

    /// A first name as somebody may give it for the card; nil when it is none. Letters with what stands between them: no address, no
    /// number and nothing of several lines.
    package static func name(_ text: String) -> String? {
        let name = text.trimmingSpaces
        guard (1...longestName).contains(name.count), name.first?.isLetter == true,
            name.allSatisfy({ $0.isLetter || " -'’.".contains($0) }), name.utf8.count <= 4 * longestName,
            // A point stands behind a letter alone, or before a space; else it may be one of an address.
            name.split(separator: ".").dropFirst().allSatisfy({ $0.first == " " || $0.count == 1 })
        else { return nil }
        return name
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var rest = self[...]
        while rest.first == " " { rest = rest.dropFirst() }
        while rest.last == " " { rest = rest.dropLast() }
        return String(rest)
    }
}
