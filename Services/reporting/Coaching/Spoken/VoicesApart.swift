import Contracts

/// Whether two people can be heard, one after the other: what is said from one pause to the next falls into two groups whose
/// pitch lies far apart.
///
/// Two voices of about the same pitch are not told apart, nor two that speak at once: what is not found may be there.
struct VoicesApart {
    /// The semitones between the two groups' means from which they are two people: one reader's sentences lie at most four
    /// apart, a woman and a man eight to thirteen.
    static let leastDistance = 6.5
    /// The semitones without a sentence between the groups: one voice that moves a lot leaves no such hole.
    static let leastGap = 4.5
    /// The share of the voiced time that the second voice has at least.
    static let leastShare = 0.2
    /// The stretches between pauses of each group.
    static let leastOfGroup = 2
    /// The stretches without which nothing can be told.
    static let leastStretches = 4
    /// The steps with voice that a stretch must have.
    private static let leastOfStretch = 5

    /// The share of the voiced time that the voice has which is heard less, 0 to 0.5; 0 of one voice, nil where too little
    /// can be followed.
    let share: Double?

    /// - Parameter pauses: in the order of time.
    init(_ melody: Measurements.Melody, _ pauses: [Measurements.Pause]) {
        let stretches = Self.stretches(melody, pauses)
        guard stretches.count >= Self.leastStretches else {
            share = nil
            return
        }
        // The split at which the pitch differs least within the groups.
        let sums = stretches.reduce(into: [Group()]) { $0.append($0[$0.count - 1].adding($1)) }
        var best: (within: Double, share: Double)?
        for place in Self.leastOfGroup...(stretches.count - Self.leastOfGroup) {
            let low = sums[place]
            let high = sums[stretches.count].without(low)
            let within = low.scatter + high.scatter
            guard within < best?.within ?? .infinity else { continue }
            let isApart =
                high.mean - low.mean >= Self.leastDistance
                && stretches[place].pitch - stretches[place - 1].pitch >= Self.leastGap
            let share = min(low.weight, high.weight) / (low.weight + high.weight)
            best = (within, isApart && share >= Self.leastShare ? share : 0)
        }
        share = best?.share
    }

    /// What is said from one pause to the next, lowest pitch first.
    private static func stretches(_ melody: Measurements.Melody, _ pauses: [Measurements.Pause]) -> [Stretch] {
        let count = melody.semitones.count
        func step(_ seconds: Double) -> Int { min(max(Int((seconds / melody.step).rounded()), 0), count) }
        var stretches: [Stretch] = []
        var start = 0
        for end in pauses.map({ step($0.start) }) + [count] {
            let voice = start < end ? melody.semitones[start..<end].compactMap { $0 }.sorted() : []
            if voice.count >= leastOfStretch {
                stretches.append(Stretch(pitch: voice[voice.count / 2], weight: Double(voice.count)))
            }
            start = end
        }
        return stretches.sorted { $0.pitch < $1.pitch }
    }

    /// The median pitch of a stretch in semitones, and how many steps of it have voice.
    private struct Stretch {
        let pitch: Double
        let weight: Double
    }

    /// Sums over some of the stretches, so that all splits of a long recording are looked at in one go.
    private struct Group {
        private(set) var weight = 0.0
        private var pitches = 0.0
        private var squares = 0.0

        var mean: Double { pitches / weight }
        /// The sum of the squares around the mean.
        var scatter: Double { squares - pitches * pitches / weight }

        func adding(_ stretch: Stretch) -> Group {
            var sum = self
            sum.weight += stretch.weight
            sum.pitches += stretch.weight * stretch.pitch
            sum.squares += stretch.weight * stretch.pitch * stretch.pitch
            return sum
        }

        func without(_ part: Group) -> Group {
            var rest = self
            rest.weight -= part.weight
            rest.pitches -= part.pitches
            rest.squares -= part.squares
            return rest
        }
    }
}
