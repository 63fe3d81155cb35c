package import JSON
import Primitives

/// A report with sentences of a language model where they are true, and with those of the catalogue everywhere else.
package struct WordedReport: Sendable, Equatable {
    /// The whole report. Figures, score and moments are what they were.
    package let report: JSONObject
    /// The sentences that are the model's.
    package let sentences: [WordingPlace: String]
    /// Their places.
    package var kept: Set<WordingPlace> { Set(sentences.keys) }
    /// Why entries of the answer do not stand, with how many.
    package let dropped: [SentenceFault: Int]

    /// The most entries that are looked at.
    private static let most = 60

    /// - Parameters:
    ///   - report: in the words of the catalogue.
    ///   - answer: what a model answered to the ``WordingQuestion`` about it; anybody's words.
    ///   - engine: who made them, such as `openai/gpt-4o-mini`.
    ///   - flagged: sentences that somebody has objected to.
    package init(_ report: JSONObject, answer: JSONObject, by engine: String, without flagged: Set<String> = []) {
        let texts = PlacedTexts(report).all
        let measures = WordedMeasure.all(report, texts)
        let names = SentenceCheck.names(in: report["transcript"]?["text"]?.stringValue ?? "")
        var sentences: [WordingPlace: String] = [:]
        var refused: Set<WordingPlace> = []
        var dropped: [SentenceFault: Int] = [:]
        for entry in (answer["sentences"]?.arrayValue ?? []).prefix(Self.most) {
            do throws(SentenceFault) {
                guard let entry = entry.objectValue, let name = entry["place"]?.stringValue,
                    let place = texts.first(where: { $0.place.name == name && !$0.isFixed })
                else { throw .form }
                let text = try SentenceCheck(place: place, measures: measures, names: names).sentence(entry)
                if flagged.contains(text) {
                    refused.insert(place.place)
                    throw .flagged
                }
                // No other sentence takes the place of one that was objected to: nobody has judged it.
                if refused.contains(place.place) || sentences[place.place] != nil || sentences.values.contains(text) {
                    throw .repeated
                }
                sentences[place.place] = text
            } catch {
                dropped[error, default: 0] += 1
            }
        }
        self.sentences = sentences
        self.dropped = dropped
        self.report = sentences.isEmpty ? report : Self.replacing(report, texts, sentences, engine)
    }

    // MARK: Who made what

    /// Who words a report that nobody else does.
    package static let catalogue = "catalogue"

    /// The engine that made each sentence, by the members that hold them: for each entry a list in the order of its sentences.
    static func attribution(_ texts: [PlacedText], by engine: (WordingPlace) -> String) -> JSONValue {
        func makers(_ kind: WordingPlace.Kind) -> JSONValue {
            let places = texts.map(\.place).filter { $0.kind == kind }
            let entries = Dictionary(grouping: places, by: entry)
            return .array(entries.keys.sorted().map { .strings((entries[$0] ?? []).map(engine)) })
        }
        return [
            "strengths": makers(.strength), "areasForImprovement": makers(.area),
            "practiceExercises": makers(.exercise),
            "feedback": .strings(texts.map(\.place).filter { $0.kind == .feedback }.map(engine)),
        ]
    }

    /// Which entry of its member a place is part of.
    private static func entry(_ place: WordingPlace) -> Int {
        switch place {
        case .what, .why, .firstExercise, .sign: 0
        case .strength(let index), .area(let index), .exercise(let index), .feedback(let index): index
        }
    }

    // MARK: Where they stand

    private static func replacing(
        _ report: JSONObject, _ texts: [PlacedText], _ sentences: [WordingPlace: String], _ engine: String
    ) -> JSONObject {
        func text(_ place: WordingPlace) -> String? {
            sentences[place] ?? texts.first { $0.place == place }?.text
        }
        func list(_ member: String, _ place: (Int) -> WordingPlace) -> [String] {
            PlacedTexts.strings(report[member]).enumerated().map { text(place($0)) ?? $1 }
        }
        var worded = report
        worded["strengths"] = .strings(list("strengths") { .strength($0) })
        var areas = list("areasForImprovement") { .area($0) }
        var exercises = list("practiceExercises") { .exercise($0) }
        if var first = report["firstStep"]?.objectValue {
            let parts: [(WordingPlace, String)] = [
                (.what, "what"), (.why, "why"), (.firstExercise, "exercise"), (.sign, "nextRecording"),
            ]
            for (place, member) in parts { first[member] = .optional(text(place)) }
            worded["firstStep"] = .object(first)
            if !areas.isEmpty { areas[0] = [text(.what), text(.why)].compactMap(\.self).joined(separator: " ") }
            if !exercises.isEmpty {
                exercises[0] = [text(.firstExercise), text(.sign)].compactMap(\.self).joined(separator: " ")
            }
        }
        worded["areasForImprovement"] = .strings(areas)
        worded["practiceExercises"] = .strings(exercises)
        let feedback = texts.map(\.place).filter { $0.kind == .feedback }.compactMap(text).joined(separator: " ")
        worded["feedback"] = .string(feedback)
        if var measures = report["measures"]?.objectValue, var measure = measures["feedback"]?.objectValue {
            measure["value"] = .int(Int64(feedback.count))
            measures["feedback"] = .object(measure)
            worded["measures"] = .object(measures)
        }
        worded["engines"] = .object((report["engines"]?.objectValue ?? [:]).adding(["text": .string(engine)]))
        worded["textEngines"] = attribution(texts) { sentences[$0] == nil ? catalogue : engine }
        return worded
    }
}
