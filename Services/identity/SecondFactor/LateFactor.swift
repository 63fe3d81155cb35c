package import EventSourcing
package import Primitives

extension User {
    /// Whether the second factor, if there is one, was added after a moment.
    package static func hasFactor(addedAfter moment: Timestamp, in history: [DatedEvent<UserEvent>]) -> Bool {
        for dated in history.reversed() {
            switch dated.event {
            case .secondFactorAdded: return dated.recordedAt > moment
            case .secondFactorRemoved: return false
            default: continue
            }
        }
        return false
    }
}
