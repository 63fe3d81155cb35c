package import Runtime
import TestingSupport

/// What all simulated processes of a run share: the dice, how often things go wrong, and the trace.
@Loop package final class Surroundings {
    /// How often, in a thousand crossings, something happens; a seed chooses which of these are not 0.
    package struct Odds: Sendable {
        /// A process dies.
        package var death: UInt64 = 0
        /// A database connection breaks: before the statement, or after it and before its answer.
        package var brokenConnection: UInt64 = 0
        /// A process stands still for a while, as one that was suspended, and goes on without knowing.
        package var stall: UInt64 = 0
        /// The longest time that a crossing takes, in microseconds.
        package var latency: UInt64 = 2_000

        package init() {}
    }

    package var odds = Odds()
    private var random: SeededRandom
    /// What happened, in words and in order; kept only when somebody wants to read or compare it, because most of a run's
    /// words are never read.
    package private(set) var story: [String] = []
    /// How often rare states were reached.
    package private(set) var sometimes: [String: Int] = [:]
    private let tellsStory: Bool
    private let start = monotonicNanoseconds()

    /// - Parameter tellsStory: whether to keep what happened in words.
    package init(seed: UInt64, tellsStory: Bool) {
        random = SeededRandom(seed: seed)
        self.tellsStory = tellsStory
    }

    /// Microseconds since the run began.
    package var time: Int64 { (monotonicNanoseconds() - start) / 1_000 }

    /// A number from 0 up to, but not including, `bound`.
    package func below(_ bound: UInt64) -> UInt64 { bound == 0 ? 0 : random.next() % bound }

    /// True so many times in a thousand.
    package func happens(_ perThousand: UInt64) -> Bool { perThousand > 0 && below(1_000) < perThousand }

    /// An element by chance; nil if there are none.
    package func pick<Element>(_ elements: [Element]) -> Element? { random.pick(elements) }

    /// The time of a crossing by chance: mostly short, sometimes as long as is allowed.
    package func latency() -> Duration {
        .microseconds(Int64(1 + below(happens(50) ? odds.latency * 20 : odds.latency)))
    }

    /// Takes note of what happened.
    package func note(_ what: @autoclosure () -> String) {
        if tellsStory { story.append("\(time / 1_000).\(time % 1_000) \(what())") }
    }

    /// Counts a rare state.
    package func reached(_ state: String) { sometimes[state, default: 0] += 1 }
}
