package import JSON
import Primitives

/// The sound of a recording, taken out of it by the helper.
package struct RecordingSound: Sendable, Equatable {
    /// Ogg Opus.
    package let ogg: [UInt8]
    package let milliseconds: Int64

    /// Longer than any recording that is measured.
    private static let longest: Int64 = 3_600_000

    /// What the helper says; nil when there is no sound, or it is longer than any can be, because the helper opens hostile files.
    init?(_ said: JSONObject) {
        guard let text = said["ogg"]?.stringValue, let ogg = Base64.decode(text), !ogg.isEmpty,
            let milliseconds = said["durationMs"]?.intValue, (1...Self.longest).contains(milliseconds)
        else { return nil }
        self.ogg = ogg
        self.milliseconds = milliseconds
    }
}

/// The words of a recording as somebody else wrote them down, for the helper and for the object store.
package struct HeardWords: Sendable, Equatable {
    /// A word, with the milliseconds of its start and end.
    package struct Word: Sendable, Equatable {
        package var text: String
        package var startMs: Int64
        package var endMs: Int64

        package init(text: String, startMs: Int64, endMs: Int64) {
            self.text = text
            self.startMs = startMs
            self.endMs = endMs
        }
    }

    /// Who, and with what; names without spaces.
    package var engine: String
    package var model: String
    /// In the order of their starts.
    package var words: [Word]

    package init(engine: String, model: String, words: [Word]) {
        self.engine = engine
        self.model = model
        self.words = words
    }

    /// What `mirrormate-media analyze --words` reads.
    package var text: String {
        var text = "\(engine)\n\(model)\n"
        for word in words {
            let spoken = word.text.split(whereSeparator: \.isNewline).joined(separator: " ")
            if !spoken.isEmpty { text += "\(word.startMs) \(word.endMs) \(spoken)\n" }
        }
        return text
    }

    /// What is stored.
    package var json: JSONObject {
        [
            "engine": .string(engine), "model": .string(model),
            "words": .array(
                words.map {
                    ["w": .string($0.text), "startMs": .int($0.startMs), "endMs": .int($0.endMs)]
                }),
        ]
    }

    /// - Throws: `JSONError` when a member is missing or has another form.
    package init(_ object: JSONObject) throws(JSONError) {
        engine = try object.string("engine")
        model = try object.string("model")
        words = []
        for item in try object.array("words") {
            guard let word = item.objectValue else { throw JSONError(.type, at: "words", "must be objects") }
            words.append(
                Word(text: try word.string("w"), startMs: try word.int("startMs"), endMs: try word.int("endMs")))
        }
    }
}
