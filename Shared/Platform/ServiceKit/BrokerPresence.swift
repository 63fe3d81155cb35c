package import Primitives

/// Whether the broker answers, look by look, and for how long it did not.
package struct BrokerPresence {
    /// For how long it may be away before that is worth an event.
    package static let patience = Duration.seconds(5)

    /// When it answered last; at first when somebody began to look.
    private var answeredAt: Timestamp

    /// - Parameter moment: when the first look is taken.
    package init(since moment: Timestamp) { answeredAt = moment }

    /// Takes an answer.
    ///
    /// - Returns: since when there had been none, when that was worth an event.
    package mutating func answered(at moment: Timestamp) -> Timestamp? {
        defer { answeredAt = moment }
        return moment - answeredAt > Self.patience ? answeredAt : nil
    }
}
