/// The English catalogue: numbers and short texts; the sentences are in the files beside it.
struct English: Catalogue {
    func both(_ first: String, _ second: String) -> String { "\(first) and \(second)" }

    func amount(_ value: Double, _ form: AmountForm) -> String {
        let whole = Int64(value.rounded())
        switch form {
        case .plain: return NumberText.text(value, places: 0)
        case .seconds:
            let text = NumberText.text(value, places: value < 10 ? 1 : 0)
            return text == "1" ? "one second" : "\(text) seconds"
        case .times:
            return switch whole {
            case 0: "not once"
            case 1: "once"
            case 2: "twice"
            default: "\(Self.number(whole)) times"
            }
        case .pauses where whole == 0: return "not one pause"
        case .pauses: return whole == 1 ? "one pause" : "\(Self.number(whole)) pauses"
        case .fillers: return whole == 1 ? "one filler word" : "\(Self.number(whole)) filler words"
        case .length where value < 100: return "\(whole) seconds"
        case .length: return "about \(Self.number(Int64((value / 60).rounded()))) minutes"
        case .keys:
            return switch whole {
            case 0: "less than one piano key"
            case 1: "about one piano key"
            default: "about \(Self.number(whole)) piano keys"
            }
        case .time:
            let spoken = SpokenShare(value)
            let exact = spoken == .all ? "" : " (\(NumberText.text(100 * value, places: 0)) %)"
            return Self.time(spoken) + exact
        }
    }

    /// Small numbers are written as words.
    static func number(_ whole: Int64) -> String {
        let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
        return words.indices.contains(Int(whole)) ? words[Int(whole)] : "\(whole)"
    }

    private static func time(_ share: SpokenShare) -> String {
        switch share {
        case .all: "the whole time"
        case .almostAll: "almost the whole time"
        case .nineTenths: "about nine tenths of the time"
        case .fourFifths: "about four fifths of the time"
        case .threeQuarters: "about three quarters of the time"
        case .twoThirds: "about two thirds of the time"
        case .threeFifths: "more than half of the time"
        case .half: "about half of the time"
        case .twoFifths: "less than half of the time"
        case .third: "about a third of the time"
        case .quarter: "about a quarter of the time"
        case .fifth: "about a fifth of the time"
        case .tenth: "about a tenth of the time"
        case .hardlyAny: "hardly any of the time"
        }
    }

    func quoted(_ words: [String]) -> String { words.map { "“\($0)”" }.joined(separator: ", ") }

    func fillers(_ counts: [(word: String, count: Int64)]) -> String {
        let texts = counts.map { "“\($0.word)” \(amount(Double($0.count), .times))" }
        guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
        return both(texts.dropLast().joined(separator: ", "), last)
    }
}
