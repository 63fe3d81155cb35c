import Contracts

/// How the pitch of a voice moves: towards the ends of what is said, and over stretches of ten seconds.
struct MelodyOverTime {
    /// Seconds of a stretch.
    static let stretch = 10.0
    /// The seconds of voice without which a stretch says nothing.
    static let leastVoice = 4.0
    /// A stretch whose pitch stays within fewer semitones than this is monotone: a voice with that range throughout earns
    /// a quarter of the points for melody.
    static let monotoneRange = 3.0
    /// The ends without which their mean says nothing.
    static let leastEnds = 4
    /// The seconds before a pause that are its end, and the ones before those with which it is compared.
    private static let end = 0.5
    private static let before = 2.0
    /// The steps with voice that an end, and what comes before it, must have.
    private static let leastOfEnd = 2
    private static let leastBefore = 6
    /// The seconds of voice without which a second has no pitch.
    private static let leastOfSecond = 0.3
    private static let mostSeconds = 3_600

    /// One stretch.
    struct Stretch: Equatable {
        /// When it begins and ends, in seconds.
        let start: Double
        let end: Double
        /// From the 10 % to the 90 % quantile.
        let rangeSemitones: Double
        var isMonotone: Bool { rangeSemitones < MelodyOverTime.monotoneRange }
    }

    /// The stretches with enough voice, one behind the other.
    let stretches: [Stretch]
    /// For each end of a thought, how far the pitch of its last half second lies above that of the two seconds before, in
    /// semitones; negative where the voice falls.
    let ends: [Double]

    /// - Parameter pauses: those that were told; a thought ends before the ones that are strategic, and with the last word.
    init(_ melody: Measurements.Melody, _ words: [Measurements.Word], _ pauses: [Measurements.Pause]) {
        let duration = Double(melody.semitones.count) * melody.step
        func voice(_ from: Double, _ to: Double) -> [Double] {
            let first = max(0, Int((from / melody.step).rounded()))
            let last = min(melody.semitones.count, Int((to / melody.step).rounded()))
            return first < last ? melody.semitones[first..<last].compactMap { $0 } : []
        }
        stretches = Swift.stride(from: words.first?.start ?? 0, to: duration, by: Self.stretch).compactMap { start in
            let end = min(start + Self.stretch, duration)
            let voice = voice(start, end).sorted()
            guard Double(voice.count) * melody.step >= Self.leastVoice else { return nil }
            return Stretch(
                start: start, end: end, rangeSemitones: Self.quantile(voice, 0.9) - Self.quantile(voice, 0.1))
        }
        let closings = pauses.filter { $0.kind == "strategic" }.map(\.start) + [words.last?.end].compactMap { $0 }
        ends = closings.compactMap { closing in
            let last = voice(closing - Self.end, closing).sorted()
            let earlier = voice(closing - Self.end - Self.before, closing - Self.end).sorted()
            guard last.count >= Self.leastOfEnd, earlier.count >= Self.leastBefore else { return nil }
            return Self.quantile(last, 0.5) - Self.quantile(earlier, 0.5)
        }
    }

    /// The pitch of each second: the median of its voice, in semitones above that of the whole recording; nil where too little is
    /// voiced. Of an hour at most.
    static func seconds(of melody: Measurements.Melody) -> [Double?] {
        let duration = Double(melody.semitones.count) * melody.step
        return (0..<min(Int(duration.rounded(.up)), mostSeconds)).map { second in
            let first = Int((Double(second) / melody.step).rounded())
            let last = min(melody.semitones.count, Int((Double(second + 1) / melody.step).rounded()))
            let voice = first < last ? melody.semitones[first..<last].compactMap { $0 }.sorted() : []
            // Tenths do not add up exactly.
            let isEnough = Double(voice.count) * melody.step > leastOfSecond - melody.step / 2
            return isEnough ? quantile(voice, 0.5) : nil
        }
    }

    /// The mean of the ends; nil of fewer than four.
    var meanEnd: Double? {
        ends.count >= Self.leastEnds ? ends.reduce(0, +) / Double(ends.count) : nil
    }

    /// - Parameter sorted: at least one value.
    private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }
}
