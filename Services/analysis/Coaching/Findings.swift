package import JSON

/// What the media helper measured in a recording: the input of every report.
package struct Findings: Sendable {
    /// A recognized word and when it was spoken, in seconds.
    package struct Word: Sendable, Equatable {
        package var text: String
        package var start: Double
        package var end: Double
    }

    /// The voice's energy around a time; 0.5 is the recording's own average.
    package struct EnergyPoint: Sendable, Equatable {
        /// Seconds from the start.
        package var time: Double
        /// 0 to 1; nil if too little was spoken there.
        package var energy: Double?
    }

    /// A silence between words, in seconds.
    package struct Pause: Sendable, Equatable {
        package var start: Double
        package var end: Double
        /// "strategic" at the end of a thought, "hesitant" inside one; nil if the helper does not say.
        package var kind: String?
        package var seconds: Double { end - start }
    }

    package var durationMs: Int64
    package var video: JSONValue
    /// Whether the file has a sound track, with or without sound in it; documents of before this was said have none.
    package var promisesSound: Bool
    /// Names and versions of the engines, kept in the report so that results of different versions are not mixed.
    package var engines: JSONValue
    package var text: String
    package var words: [Word]
    /// Why the words are left out, of a recording of which they are.
    private var wordsProblem: Cause?
    /// Whether the recognizer or the sound is too poor to count words.
    package var lowConfidence: Bool
    /// By name, in the helper's order.
    package var measures: [(name: String, measure: Measure)]
    /// The filler words that occur, with their counts.
    package var fillers: [(word: String, count: Int64)]
    /// Why fillers could not be counted; nil if they could.
    package var fillersProblem: Cause?
    /// The helper's code for that, where there is one.
    package var fillersCode: String?
    /// Whether the counts are lower bounds, because hesitations are often missed.
    package var fillersAtLeast: Bool
    /// When each filler was said.
    package var fillerTimes: [Word]
    package var timeline: [EnergyPoint]
    package var pauses: [Pause]
    /// The media helper's codes of what was wrong with the recording.
    package var warnings: [String]

    /// Reads the helper's document.
    ///
    /// - Throws: which member is missing or malformed.
    package init(_ document: JSONObject) throws(JSONError) {
        durationMs = try document.int("durationMs")
        video = document["video"] ?? .null
        promisesSound = document["soundPromised"]?.boolValue ?? false
        engines = document["engines"] ?? .object(JSONObject())
        let transcript = try document.optionalObject("transcript")
        text = try transcript?.optionalString("text") ?? ""
        words = try Self.elements(of: transcript?["words"]) { (word) throws(JSONError) in
            Word(text: try word.string("w"), start: try word.double("start"), end: try word.double("end"))
        }
        lowConfidence = transcript?["lowConfidence"]?.boolValue ?? true
        measures = []
        for (name, value) in try document.object("measures").members {
            guard let object = value.objectValue else { throw JSONError(.type, at: name, "must be an object") }
            measures.append((name, try Measure(object)))
        }
        fillers = []
        for (word, value) in try document.optionalObject("fillers")?.members ?? [] {
            guard let count = value.intValue else { throw JSONError(.type, at: word, "must be an integer") }
            if count > 0 { fillers.append((word, count)) }
        }
        fillersProblem = try document.optionalString("fillersReason").map(Cause.init)
        fillersCode = try document.optionalString("fillersReason")
        fillersAtLeast = document["fillersAtLeast"]?.boolValue ?? true
        fillerTimes = try Self.elements(of: document["fillerTimes"]) { (filler) throws(JSONError) in
            Word(
                text: try filler.string("word"), start: try filler.double("start"), end: try filler.double("end"))
        }
        timeline = try Self.elements(of: document["toneTimeline"]) { (point) throws(JSONError) in
            let energy = try point.optionalDouble("energy")
            return EnergyPoint(time: try point.double("t"), energy: energy.map { min(max($0, 0), 1) })
        }
        pauses = try Self.elements(of: document["pauses"]) { (pause) throws(JSONError) in
            Pause(
                start: try pause.double("start"), end: try pause.double("end"), kind: try pause.optionalString("kind"))
        }
        warnings = document["warnings"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if fillersProblem == nil {
            fillersProblem = transcriptProblem
            fillersCode = words.isEmpty ? "no-speech" : words.count < 10 ? "too-few-words" : nil
        }
    }

    /// A measure by name; not rated if the helper did not report it.
    package func measure(_ name: String) -> Measure {
        for entry in measures where entry.name == name { return entry.measure }
        return Measure(unit: "", cause: .known(.notMeasured))
    }

    /// The fillers as the report tells them.
    var fillerTimesJSON: JSONValue {
        .array(
            fillerTimes.map { filler in
                [
                    "word": .string(filler.text), "start": .double(NumberText.rounded(filler.start, places: 2)),
                    "end": .double(NumberText.rounded(filler.end, places: 2)),
                ]
            })
    }

    /// The pauses as the report tells them.
    var pausesJSON: JSONValue {
        .array(
            pauses.map { pause in
                [
                    "start": .double(NumberText.rounded(pause.start, places: 2)),
                    "end": .double(NumberText.rounded(pause.end, places: 2)), "kind": .optional(pause.kind),
                ]
            })
    }

    /// The warnings that hold: around a tiny face, patterns are taken for faces of its size.
    var shownWarnings: [String] {
        warnings.contains(Warning.faceSmall.rawValue)
            ? warnings.filter { $0 != Warning.severalFaces.rawValue } : warnings
    }

    /// Why words cannot be counted; nil if they can.
    package var transcriptProblem: Cause? {
        if let wordsProblem { return wordsProblem }
        if words.isEmpty { return .known(.noSpeech) }
        if words.count < 10 { return .known(.fewerThanTenWords) }
        return lowConfidence ? .known(.uncertainWords) : nil
    }

    /// Leaves out everything that rests on recognized words: the recognizer knows English only, and of another language it
    /// makes English that nobody spoke. It is the machine's fault, so what is missing does not count against the speaker.
    package mutating func leaveOutWords() {
        // Where nothing was recognized, its own reason stands.
        guard !words.isEmpty else { return }
        let reason = Reason.otherLanguage
        wordsProblem = .known(reason)
        text = ""
        words = []
        fillers = []
        fillerTimes = []
        fillersProblem = .known(reason)
        fillersCode = reason.rawValue
        for index in pauses.indices { pauses[index].kind = nil }
        for index in measures.indices where measures[index].measure.source == .model {
            measures[index].measure.invalidate(reason)
        }
        warnings.append(Warning.otherLanguage.rawValue)
    }

    private static func elements<Element>(
        of value: JSONValue?, _ read: (JSONObject) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element] {
        var elements: [Element] = []
        for element in value?.arrayValue ?? [] {
            guard let object = element.objectValue else {
                throw JSONError(.type, at: "an element", "must be an object")
            }
            elements.append(try read(object))
        }
        return elements
    }
}
