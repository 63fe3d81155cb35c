package import JSON

/// What a client says of a recording before anybody has heard it: how it is to be judged.
package struct RecordingBrief: Sendable, Hashable {
    /// The most bytes of a language tag.
    package static let longestTag = 35

    /// The language that is spoken, a BCP 47 tag; nil when nothing was said.
    package var language: String?
    /// Nil when nothing was said.
    package var scenario: SpeakingScenario?

    package init(language: String? = nil, scenario: SpeakingScenario? = nil) {
        self.language = language
        self.scenario = scenario
    }

    package init(_ object: JSONObject) throws(JSONError) {
        language = try object.optionalString("language")
        scenario = try object.optionalCode("scenario")
    }

    /// Its members; those that nothing was said of are left out.
    package var json: JSONObject {
        JSONObject().adding(["language": language.map(JSONValue.string), "scenario": scenario?.json])
    }

    /// Whether English is spoken, as far as is known: so it is unless another language was named.
    package var isEnglish: Bool {
        guard let primary = language?.split(separator: "-").first else { return true }
        return ["en", "eng", "und"].contains(primary.lowercased())
    }

    /// Whether a text has the form of a BCP 47 tag: a language of two to eight letters, and subtags of one to eight letters
    /// and digits.
    package static func isTag(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard text.utf8.count <= longestTag, let primary = parts.first, primary.count >= 2 else { return false }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return parts.allSatisfy { (1...8).contains($0.count) }
            && primary.allSatisfy { letters.contains($0 | 0x20) }
            && parts.dropFirst().allSatisfy { $0.allSatisfy { letters.contains($0 | 0x20) || digits.contains($0) } }
    }
}
