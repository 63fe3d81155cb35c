package import JSON

/// Which of several variants each sentence of a report is: keys of a catalogue and numbers, no words.
package struct ReportWording: Sendable, Equatable {
    /// The most sentences of a report that have variants.
    static let limit = 200

    /// Of the sentences.
    package let language: String
    /// The variant of each sentence, by its key in the catalogue.
    package let variants: [String: Int64]

    package init(language: String, variants: [String: Int64]) {
        self.language = language
        self.variants = variants
    }

    /// The stored form.
    ///
    /// - Throws: which member is missing or malformed. Only names and numbers pass, so that no text slips into the log.
    package init(_ object: JSONObject) throws(JSONError) {
        language = try object.string("language")
        guard Self.isName(language) else { throw JSONError(.type, at: "wording.language", "must be a language tag") }
        var variants: [String: Int64] = [:]
        for (key, value) in try object.object("variants").members {
            guard Self.isName(key), let variant = value.intValue, (0..<100).contains(variant),
                variants.count < Self.limit
            else { throw JSONError(.type, at: "wording.variants", "must be names with the number of a variant") }
            variants[key] = variant
        }
        self.variants = variants
    }

    /// How a whole report says that it is worded; nil if it does not say.
    ///
    /// - Throws: which member is missing or malformed.
    init?(report: JSONObject) throws(JSONError) {
        guard let wording = try report.optionalObject("wording") else { return nil }
        try self.init(wording)
    }

    /// The stored form, in the order of the keys.
    package var json: JSONObject {
        let sorted = variants.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.int($0.value)) }
        return ["language": .string(language), "variants": .object(JSONObject(sorted))]
    }

    /// Letters, dots and hyphens.
    private static func isName(_ text: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return (1...60).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                letters.contains($0 | 0x20) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
            }
    }
}
