import JSON
import Primitives

/// A place of a report where a sentence stands that somebody else may word.
package enum WordingPlace: Sendable, Hashable {
    case strength(Int)
    /// Of the area to begin with: what was seen or heard, why it matters, the exercise, how the next recording shows that it worked.
    case what, why, firstExercise, sign
    /// Another area, and what is to be practised for it; from 1.
    case area(Int), exercise(Int)
    /// A sentence of the feedback.
    case feedback(Int)

    /// What stands there.
    enum Kind: String {
        case strength, area, exercise, feedback
    }

    var kind: Kind {
        switch self {
        case .strength: .strength
        case .what, .why, .area: .area
        case .firstExercise, .sign, .exercise: .exercise
        case .feedback: .feedback
        }
    }

    /// How many sentences may stand there at most.
    var mostSentences: Int {
        switch self {
        case .what, .why, .sign, .feedback: 1
        case .strength, .firstExercise, .area, .exercise: 2
        }
    }

    /// The name by which a question calls it.
    package var name: String {
        switch self {
        case .strength(let index): "strength-\(index + 1)"
        case .what: "area-1-what"
        case .why: "area-1-why"
        case .firstExercise: "exercise-1-what"
        case .sign: "exercise-1-sign"
        case .area(let index): "area-\(index + 1)"
        case .exercise(let index): "exercise-\(index + 1)"
        case .feedback(let index): "feedback-\(index + 1)"
        }
    }
}

/// What stands at a place of a report now.
struct PlacedText: Sendable, Equatable {
    let place: WordingPlace
    let text: String
    /// The measures that it rests on.
    let measures: [String]
    /// Whether it says what could not be judged, which nobody words otherwise.
    var isFixed = false
}

/// The sentences of a report that can be worded otherwise, in their order, as its members have them.
struct PlacedTexts {
    let all: [PlacedText]

    init(_ report: JSONObject) {
        var all: [PlacedText] = []
        let strengths = Self.strings(report["strengths"])
        for (index, text) in strengths.enumerated() {
            all.append(
                PlacedText(place: .strength(index), text: text, measures: Self.names(report["strengthMeasures"], index))
            )
        }
        if let first = report["firstStep"]?.objectValue {
            let measures = Self.strings(first["measures"])
            let parts: [(WordingPlace, String)] = [
                (.what, "what"), (.why, "why"), (.firstExercise, "exercise"), (.sign, "nextRecording"),
            ]
            for (place, member) in parts {
                guard let text = first[member]?.stringValue else { continue }
                all.append(PlacedText(place: place, text: text, measures: measures))
            }
        }
        for (index, text) in Self.strings(report["areasForImprovement"]).enumerated().dropFirst() {
            all.append(
                PlacedText(place: .area(index), text: text, measures: Self.names(report["improvementMeasures"], index)))
        }
        for (index, text) in Self.strings(report["practiceExercises"]).enumerated().dropFirst() {
            all.append(
                PlacedText(place: .exercise(index), text: text, measures: Self.names(report["exerciseMeasures"], index))
            )
        }
        let measures = Self.strings(report["feedbackMeasures"])
        let fixed = Self.fixed(report)
        for (index, text) in Self.sentences(of: report["feedback"]?.stringValue ?? "").enumerated() {
            all.append(
                PlacedText(
                    place: .feedback(index), text: text, measures: measures, isFixed: fixed.contains(index)))
        }
        self.all = all
    }

    /// Which sentences of the feedback say what could not be judged: that there is no score or a rough one, with which it begins, and
    /// nothing of the pace, behind what went well.
    private static func fixed(_ report: JSONObject) -> Set<Int> {
        func has(_ key: FeedbackKey) -> Bool { report["wording"]?["variants"]?["feedback.\(key.rawValue)"] != nil }
        var fixed: Set<Int> = []
        if has(.unscored) || has(.fewerPoints) { fixed.insert(0) }
        if has(.unjudgedVoice) { fixed.insert(has(.strengths) ? 2 : 1) }
        return fixed
    }

    /// The sentences of a text of the catalogue: each ends with a sign, behind which another begins.
    static func sentences(of text: String) -> [String] {
        text.matches(of: #/\S.*?(?:[.!?]["”’)]*(?=\s+[“"A-Z0-9])|$)/#).map { String($0.0) }
    }

    static func strings(_ value: JSONValue?) -> [String] { (value?.arrayValue ?? []).compactMap(\.stringValue) }

    static func names(_ value: JSONValue?, _ index: Int) -> [String] {
        let lists = value?.arrayValue ?? []
        return lists.indices.contains(index) ? strings(lists[index]) : []
    }
}
