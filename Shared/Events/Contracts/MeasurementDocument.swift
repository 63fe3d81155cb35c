package import JSON

/// The document that ``AnalysisCompletedV2`` names: what was measured in a recording, and how the client wants it judged.
///
/// `{"brief": …, "measured": …}`; `measured` is what ``Measurements`` reads, with whatever else was measured.
package struct MeasurementDocument: Sendable {
    package let brief: RecordingBrief
    package let measurements: Measurements
    private let measured: JSONObject

    /// - Throws: which member of what was measured is missing or malformed.
    package init(_ measured: JSONObject, brief: RecordingBrief) throws(JSONError) {
        self.brief = brief
        self.measured = measured
        measurements = try Measurements(measured)
    }

    /// Reads a document.
    ///
    /// - Throws: which member is missing or malformed.
    package init(_ document: JSONObject) throws(JSONError) {
        try self.init(document.object("measured"), brief: RecordingBrief(document.object("brief")))
    }

    package var json: JSONObject { ["brief": .object(brief.json), "measured": .object(measured)] }
}

/// What was measured in a recording. Nothing in it is judged.
package struct Measurements: Sendable {
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
        /// "strategic" at the end of a thought, "hesitant" inside one; nil if it was not told.
        package var kind: String?
        package var seconds: Double { end - start }
    }

    /// The pitch of the voice over time.
    package struct Melody: Sendable, Equatable {
        /// Seconds from one value to the next; the first stands for the start of the recording.
        package let step: Double
        /// Semitones above the voice's own median; nil where there is too little voice.
        package let semitones: [Double?]
    }

    /// One measured quantity.
    package struct Quantity: Sendable, Equatable {
        /// The number; nil if it could not be measured, or not well enough.
        package let number: Double?
        /// The number as it was written; null without one.
        package let value: JSONValue
        package let unit: String
        /// How it was obtained; nil if that is not told.
        package let source: String?
        /// Why there is no number: a stable code, or words.
        package let reason: String?
        /// It can be used, but is less reliable than others.
        package let isUncertain: Bool
        /// What is better: "higher", "lower", "within" a range, "none".
        package let direction: String?
        /// Of the quantity's definition; nil if it has only ever had one.
        package let version: Int64?
        /// Who judged it, where that is not one of the document's engines for everything; nil otherwise.
        package let engine: String?

        init(_ object: JSONObject) throws(JSONError) {
            unit = try object.optionalString("unit") ?? ""
            source = try object.optionalString("source")
            direction = try object.optionalString("direction")
            version = try object.optionalInt("version")
            engine = try object.optionalString("engine")
            let given = object["value"]?.doubleValue
            // One that claims to be valid without a number that anything can have is not.
            let isValid = try object.bool("valid") && given.map { $0.magnitude < 1e9 } == true
            number = isValid ? given : nil
            value = isValid ? object["value"] ?? .null : .null
            isUncertain = isValid && object["lowConfidence"]?.boolValue ?? false
            reason = isValid ? nil : try object.optionalString("reason")
        }
    }

    package let durationMs: Int64
    package let video: JSONValue
    /// Whether the file has a sound track, with or without sound in it; documents of before this was said have none.
    package let promisesSound: Bool
    /// Names and versions of the engines, so that results of different versions are not mixed.
    package let engines: JSONObject
    package let text: String
    package let words: [Word]
    /// Whether the recognizer or the sound is too poor to count words.
    package let lowConfidence: Bool
    /// By name, in the order of the document.
    package let quantities: [(name: String, quantity: Quantity)]
    /// The filler words that occur, with their counts.
    package let fillers: [(word: String, count: Int64)]
    /// Why fillers could not be counted: a stable code; nil if they could.
    package let fillersReason: String?
    /// Whether the counts are lower bounds, because hesitations are often missed.
    package let fillersAtLeast: Bool
    /// When each filler was said.
    package let fillerTimes: [Word]
    package let timeline: [EnergyPoint]
    package let pauses: [Pause]
    /// Nil if it could not be measured, and in documents of before it was.
    package let melody: Melody?
    /// Which share of the pictures shows which emotion, by name, 0 to 1; nil where nobody was asked or had an answer.
    package let emotions: (shares: [(name: String, share: Double)], engine: String)?
    /// Stable codes of what was wrong with the recording.
    package let warnings: [String]

    // The helper opens hostile files, so what it says is read as if it came from one: nothing may take for ever, or be too large
    // a number to reckon with.
    private static let longestMs: Int64 = 3_600_000
    private static let mostElements = 10_000
    // Ten a second.
    fileprivate static let mostSteps = 36_000

    /// - Throws: which member is missing or malformed.
    package init(_ measured: JSONObject) throws(JSONError) {
        durationMs = try measured.int("durationMs")
        guard (0...Self.longestMs).contains(durationMs) else {
            throw JSONError(.type, at: "durationMs", "must be at most an hour")
        }
        video = measured["video"] ?? .null
        promisesSound = measured["soundPromised"]?.boolValue ?? false
        engines = measured["engines"]?.objectValue ?? [:]
        let transcript = try measured.optionalObject("transcript")
        text = try transcript?.optionalString("text") ?? ""
        words = try Self.elements(of: transcript?["words"]) { (word) throws(JSONError) in try Word(word, named: "w") }
        lowConfidence = transcript?["lowConfidence"]?.boolValue ?? true
        quantities = try Self.members(of: measured.object("measures")) { (name, value) throws(JSONError) in
            guard let object = value.objectValue else { throw JSONError(.type, at: name, "must be an object") }
            return (name, try Quantity(object))
        }
        fillers = try Self.members(of: measured.optionalObject("fillers") ?? [:]) { (word, value) throws(JSONError) in
            guard let count = value.intValue, (0...Int64(Self.mostElements)).contains(count) else {
                throw JSONError(.type, at: word, "must be a number of words")
            }
            return (word, count)
        }.filter { $0.count > 0 }
        fillersReason = try measured.optionalString("fillersReason")
        fillersAtLeast = measured["fillersAtLeast"]?.boolValue ?? true
        fillerTimes = try Self.elements(of: measured["fillerTimes"]) { (word) throws(JSONError) in
            try Word(word, named: "word")
        }
        timeline = try Self.elements(of: measured["toneTimeline"]) { (point) throws(JSONError) in
            let energy = try point.optionalDouble("energy")
            return EnergyPoint(time: try point.moment("t"), energy: energy.map { min(max($0, 0), 1) })
        }
        pauses = try Self.elements(of: measured["pauses"]) { (pause) throws(JSONError) in
            Pause(
                start: try pause.moment("start"), end: try pause.moment("end"), kind: try pause.optionalString("kind"))
        }
        melody = try measured.optionalObject("melody").map { (melody) throws(JSONError) in try Melody(melody) }
        emotions = try measured.optionalObject("emotions").map { (emotions) throws(JSONError) in
            let shares = try Self.members(of: emotions.object("shares")) { (name, value) throws(JSONError) in
                guard let share = value.doubleValue, (0...1).contains(share) else {
                    throw JSONError(.type, at: name, "must be 0 to 1")
                }
                return (name: name, share: share)
            }
            return (shares, try emotions.string("engine"))
        }
        warnings = measured["warnings"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// A quantity by name; nil if it was not reported.
    package func quantity(_ name: String) -> Quantity? { quantities.first { $0.name == name }?.quantity }

    private static func elements<Element>(
        of value: JSONValue?, _ read: (JSONObject) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element] {
        var elements: [Element] = []
        let given = value?.arrayValue ?? []
        if given.count > mostElements { throw JSONError(.type, at: "a list", "must have fewer elements") }
        for element in given {
            guard let object = element.objectValue else {
                throw JSONError(.type, at: "an element", "must be an object")
            }
            elements.append(try read(object))
        }
        return elements
    }

    private static func members<Element>(
        of object: JSONObject, _ read: (String, JSONValue) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element] {
        var elements: [Element] = []
        for (name, value) in object.members { elements.append(try read(name, value)) }
        return elements
    }
}

extension JSONObject {
    /// A moment of a recording in seconds, within an hour.
    fileprivate func moment(_ name: String) throws(JSONError) -> Double {
        let seconds = try double(name)
        guard (-1...3_600).contains(seconds) else {
            throw JSONError(.type, at: name, "must be a moment of the recording")
        }
        return seconds
    }
}

extension Measurements.Melody {
    /// The steps that can be told: shorter ones would be noise, longer ones no melody.
    private static let steps = 0.05...1.0
    /// Beyond three octaves it is no voice.
    private static let most = 36.0

    fileprivate init(_ object: JSONObject) throws(JSONError) {
        step = try object.double("stepSec")
        guard Self.steps.contains(step) else { throw JSONError(.type, at: "stepSec", "must be 0.05 to 1 seconds") }
        let given = try object.array("semitones")
        guard given.count <= Measurements.mostSteps else {
            throw JSONError(.type, at: "semitones", "must have fewer elements")
        }
        semitones = given.map { value in value.doubleValue.map { min(max($0, -Self.most), Self.most) } }
    }
}

extension Measurements.Word {
    /// - Parameter name: the member that has the word itself.
    fileprivate init(_ object: JSONObject, named name: String) throws(JSONError) {
        self.init(text: try object.string(name), start: try object.moment("start"), end: try object.moment("end"))
    }
}
