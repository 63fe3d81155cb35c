package import Contracts

/// What other services hear of the private events: at most one message for each.
package enum PublishedByNotifications {
    /// The message that is published for an event; nil for what concerns this service alone.
    package static func outgoing(for event: NotificationEvent) -> Outgoing? {
        switch event {
        case .subjectErased(let subject, let removed):
            SubjectErased.outgoing(subject, from: .notifications, removed: removed)
        // Where somebody is told, and of what, is nobody else's business.
        case .endpointAdded, .endpointRemoved, .endpointDisabled, .secretRotated, .noticeRaised: nil
        }
    }
}
