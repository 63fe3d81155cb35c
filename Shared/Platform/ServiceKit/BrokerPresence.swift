package import Primitives

/// Whether the broker answers, look by look, and for how long it did not.
///
/// Only a look that failed, or that has no answer while this process runs, says that the broker is away: a process that stood
/// still has not looked.
package struct BrokerPresence {
    /// A moment by the wall clock, for people, and on a clock that nobody sets.
    package struct Moment: Sendable {
        let wall: Timestamp
        let clock: ContinuousClock.Instant

        package init(_ wall: Timestamp, _ clock: ContinuousClock.Instant) {
            self.wall = wall
            self.clock = clock
        }

        /// The present moment.
        static func now() -> Moment { Moment(.now(), .now) }
    }

    /// A time in which the broker did not answer.
    package struct Absence: Sendable, Equatable {
        package let from: Timestamp
        package let until: Timestamp

        package init(from: Timestamp, until: Timestamp) {
            self.from = from
            self.until = until
        }
    }

    /// For how long it may be away before that is worth an event.
    private let patience: Duration
    /// Who notes nothing for longer than this stood still.
    private let standstill: Duration
    /// When the first look began that has had no answer since.
    private var unanswered: Moment?
    /// What was noted last.
    private var last: Moment?

    /// - Parameters:
    ///   - patience: for how long the broker may be away before that is worth an event.
    ///   - standstill: who notes nothing for longer than this stood still; longer than the pause between two looks.
    package init(patience: Duration, standstill: Duration) {
        self.patience = patience
        self.standstill = standstill
    }

    /// Takes that a look begins, or is still without an answer; to be noted again and again until there is one.
    ///
    /// - Returns: a time of absence that is over as far as this process can say, because it stood still then.
    package mutating func looks(at moment: Moment) -> Absence? {
        let cut = cut(at: moment)
        unanswered = unanswered ?? moment
        return cut
    }

    /// Takes an answer.
    ///
    /// - Returns: the time before in which there was none, when that was worth an event.
    package mutating func answers(at moment: Moment) -> Absence? {
        let absence = cut(at: moment) ?? absence(until: moment)
        unanswered = nil
        return absence
    }

    /// Notes a moment. After a standstill nobody knows how the broker was meanwhile: what came before ends with the last note.
    private mutating func cut(at moment: Moment) -> Absence? {
        defer { last = moment }
        guard let last, moment.clock - last.clock > standstill else { return nil }
        defer { unanswered = nil }
        return absence(until: last)
    }

    private func absence(until moment: Moment) -> Absence? {
        guard let unanswered, moment.clock - unanswered.clock > patience else { return nil }
        return Absence(from: unanswered.wall, until: moment.wall)
    }
}
