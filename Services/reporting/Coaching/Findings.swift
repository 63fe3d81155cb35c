package import Contracts
package import JSON

/// What was measured in a recording, as rules read it: the input of every report.
package struct Findings: Sendable {
    package typealias Word = Measurements.Word
    package typealias EnergyPoint = Measurements.EnergyPoint
    package typealias Pause = Measurements.Pause

    package var durationMs: Int64
    package var video: JSONValue
    /// Names and versions of the engines, kept in the report so that results of different versions are not mixed.
    package var engines: JSONValue
    package var text: String
    package var words: [Word]
    /// Why the words are left out, of a recording of which they are.
    private var wordsProblem: Cause?
    /// Whether the recognizer or the sound is too poor to count words.
    package var lowConfidence: Bool
    /// By name, in the order in which they were measured.
    package var measures: [(name: String, measure: Measure)]
    /// The filler words that occur, with their counts.
    package var fillers: [(word: String, count: Int64)]
    /// Why fillers could not be counted; nil if they could.
    package var fillersProblem: Cause?
    /// The stable code of that, where there is one.
    package var fillersCode: String?
    /// Whether the counts are lower bounds, because hesitations are often missed.
    package var fillersAtLeast: Bool
    /// When each filler was said.
    package var fillerTimes: [Word]
    package var timeline: [EnergyPoint]
    package var pauses: [Pause]
    /// Nil where the pitch could not be told over time.
    package var melody: Measurements.Melody?
    /// The share of the voiced time that a second voice has, 0 to 0.5; nil where it cannot be told.
    private(set) var secondVoiceShare: Double?
    /// Which share of the pictures shows which emotion, and who says so; nil where nobody was asked.
    package var emotions: (shares: [(name: String, share: Double)], engine: String)?
    /// Stable codes of what was wrong with the recording.
    package var warnings: [String]

    package init(_ measured: Measurements) {
        durationMs = measured.durationMs
        video = measured.video
        engines = .object(measured.engines)
        text = measured.text
        words = measured.words
        lowConfidence = measured.lowConfidence
        measures = measured.quantities.map { ($0.name, Measure($0.quantity)) }
        fillers = measured.fillers
        fillersProblem = measured.fillersReason.map(Cause.init)
        fillersCode = measured.fillersReason
        fillersAtLeast = measured.fillersAtLeast
        fillerTimes = measured.fillerTimes
        timeline = measured.timeline
        pauses = measured.pauses
        melody = measured.melody
        emotions = measured.emotions
        warnings = measured.warnings
        leaveOutNoise()
        leaveOutSharedMelody()
        addFillers()
        if fillersProblem == nil {
            fillersProblem = words.isEmpty ? .known(.noSpeech) : transcriptProblem
            fillersCode = words.isEmpty ? "no-speech" : words.count < 10 ? "too-few-words" : nil
        }
    }

    /// The shares of emotions as a report tells them.
    var emotionShares: JSONObject {
        JSONObject((emotions?.shares ?? []).map { ($0.name, .double(NumberText.rounded($0.share, places: 2))) })
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

    /// In the dark and in a blur, the picture's noise or its lack of edges is taken for the face, so nothing can be said of
    /// how much the face moves.
    private mutating func leaveOutNoise() {
        guard let index = measures.firstIndex(where: { $0.name == "faceLiveliness" && $0.measure.valid }) else {
            return
        }
        let quality = measure("pictureQuality")
        guard let clearness = quality.number else {
            measures[index].measure.invalidate(like: quality)
            return
        }
        guard clearness < Self.visible else { return }
        let isDark = measure("faceLuma").number.map { $0 < Self.lit } ?? false
        measures[index].measure.invalidate(isDark ? .tooDark : .picturePoor)
    }

    /// The media helper counts what is set off on both sides; the transcript shows more of them, such as "And you know."
    private mutating func addFillers() {
        guard fillersProblem == nil else { return }
        let added = WrittenFillers.all(words, in: text).filter { found in
            !fillerTimes.contains { $0.start < found.end && found.start < $0.end }
        }
        for filler in added {
            if let index = fillers.firstIndex(where: { $0.word == filler.text }) {
                fillers[index].count += 1
            } else {
                fillers.append((filler.text, 1))
            }
        }
        fillerTimes = (fillerTimes + added).sorted { $0.start < $1.start }
    }

    /// Where two voices can be heard, the pitch and its range are nobody's: two flat voices would pass for one that is lively.
    private mutating func leaveOutSharedMelody() {
        secondVoiceShare = melody.flatMap { VoicesApart($0, pauses).share }
        guard let share = secondVoiceShare, share > 0 else { return }
        let shared: Set = ["pitchMedianHz", "pitchRangeSemitones", "tonalVariety"]
        for index in measures.indices where shared.contains(measures[index].name) && measures[index].measure.valid {
            measures[index].measure.invalidate(.secondVoice)
        }
        warnings.append(Warning.secondVoice.rawValue)
    }

    /// What a provider judges by pictures: no word is in it.
    private static let seen: Set = ["postureScore", "gestureNaturalness", "facialExpressiveness"]

    /// The picture quality from which a face can be followed, and the light on it below which it is dark.
    static let visible = 0.5
    static let lit = 55.0

    /// Why there is no word: where nobody listened, nobody says that there was nothing to hear.
    private var missingWords: Reason {
        let told = measure("wordCount").code.flatMap(Reason.init(rawValue:))
        return [.noAudio, .engineMissing].first { $0 == told } ?? .noSpeech
    }

    /// Why words cannot be counted; nil if they can.
    package var transcriptProblem: Cause? {
        if let wordsProblem { return wordsProblem }
        if words.isEmpty { return .known(missingWords) }
        if words.count < 10 { return .known(.fewerThanTenWords) }
        return lowConfidence ? .known(.uncertainWords) : nil
    }

    /// Why nothing can be said of the pitch over time; nil if something can.
    var melodyProblem: Cause? {
        let range = measure("pitchRangeSemitones")
        return range.valid ? melody == nil ? .known(.melodyOverTime) : nil : range.cause
    }

    /// Whether the words are not what was said, as those are not that the recognizer makes of another language.
    package var soundsUnlikeEnglish: Bool { WordDoubt.value(self).map { $0 >= WordDoubt.bound } ?? false }

    /// Leaves out everything that rests on recognized words: the recognizer knows English only, and of another language it
    /// makes English that nobody spoke. It is the machine's fault, so what is missing does not count against the speaker.
    ///
    /// - Parameters:
    ///   - reason: why, as the measures say it.
    ///   - warning: the same as what somebody can do about it.
    package mutating func leaveOutWords(_ reason: Reason, _ warning: Warning) {
        // Where nothing was recognized, its own reason stands.
        guard !words.isEmpty else { return }
        wordsProblem = .known(reason)
        text = ""
        words = []
        fillers = []
        fillerTimes = []
        fillersProblem = .known(reason)
        fillersCode = reason.rawValue
        for index in pauses.indices { pauses[index].kind = nil }
        for index in measures.indices
        where measures[index].measure.source == .model && !WordDoubt.evidence.contains(measures[index].name)
            && !Self.seen.contains(measures[index].name)
        {
            measures[index].measure.invalidate(reason)
        }
        warnings.append(warning.rawValue)
    }
}
