package import Primitives

/// Which of several variants a report uses, so that somebody who reads report after report does not read the same sentences.
///
/// The choice follows from the session's id and from what the owner's report before used, so that a replay gives the same
/// words. No key gets the variant that it had last.
package struct Wording: Sendable, Equatable {
    private let session: UUID
    private let previous: [String: Int64]
    /// The variant of each key that was used, from 0; keys in the order of their use.
    package private(set) var chosen: [(key: String, variant: Int64)] = []

    /// - Parameter previous: ``chosen`` of the owner's report before this; empty for the first.
    package init(session: UUID, previous: [String: Int64] = [:]) {
        self.session = session
        self.previous = previous
    }

    /// Whether the owner's report before this used a key.
    func wasUsed(_ key: String) -> Bool { previous[key] != nil }

    /// One of the variants; empty if there are none.
    package mutating func choose(_ key: String, _ variants: [String]) -> String {
        guard !variants.isEmpty else { return "" }
        let count = Int64(variants.count)
        var variant = Int64(StableHash.fnv1a64("\(session) \(key)") >> 32) % count
        if count > 1, previous[key] == variant { variant = (variant + 1) % count }
        if !chosen.contains(where: { $0.key == key }) { chosen.append((key, variant)) }
        return variants[Int(variant)]
    }

    package static func == (left: Wording, right: Wording) -> Bool {
        left.session == right.session && left.previous == right.previous
            && left.chosen.elementsEqual(right.chosen, by: ==)
    }
}

/// Sentences with slots: `{name}` or `{name:form}`.
enum Template {
    /// The text with its slots filled in; nil if one cannot be filled.
    static func fill(_ text: String, _ value: (_ name: String, _ form: AmountForm) -> String?) -> String? {
        var filled = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            filled += rest[..<open]
            let slot = rest[rest.index(after: open)..<close].split(separator: ":", maxSplits: 1).map(String.init)
            guard let name = slot.first, let form = slot.count == 1 ? .plain : AmountForm(rawValue: slot[1]),
                let text = value(name, form)
            else { return nil }
            filled += text
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }
}

/// What fills the slots of sentences about a recording.
struct Slots {
    let figures: Figures
    let scenario: Scenario
    let catalogue: any Catalogue
    /// Slots that are no figures, already in words.
    var words: [String: String] = [:]

    /// The text with its slots filled in; nil if a figure of it is not valid.
    func fill(_ text: String) -> String? {
        Template.fill(text) { name, form in
            if let word = words[name] { return word }
            switch name {
            case "paceLow": return catalogue.amount(scenario.comfortable.lowerBound, form)
            case "paceHigh": return catalogue.amount(scenario.comfortable.upperBound, form)
            default: break
            }
            guard let figure = Figure(rawValue: name), let value = figures[figure] else { return nil }
            return catalogue.amount(form == .time && figure.isPercentage ? value / 100 : value, form)
        }
    }
}
