package import Primitives

/// Whether the broker answers, look by look, and for how long it did not.
///
/// Only looks that failed say that it was away: a process that stood still, or waited for the database, has not looked.
package struct BrokerPresence {
    /// For how long it may be away before that is worth an event.
    package static let patience = Duration.seconds(5)

    /// When the first look failed since the last answer.
    private var missedAt: Timestamp?

    package init() {}

    /// Takes that a look has failed.
    package mutating func missed(at moment: Timestamp) { missedAt = missedAt ?? moment }

    /// Takes an answer.
    ///
    /// - Returns: since when there had been none, when that was worth an event.
    package mutating func answered(at moment: Timestamp) -> Timestamp? {
        defer { missedAt = nil }
        guard let missedAt, moment - missedAt > Self.patience else { return nil }
        return missedAt
    }
}
