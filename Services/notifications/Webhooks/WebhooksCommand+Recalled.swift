import EventSourcing
import History
import Primitives

extension WebhooksCommand {
    /// What was asked, told from what followed, without what no event has.
    static func recalled(_ record: DecisionRecord<NotificationEvent>, _: Webhooks) -> WebhooksCommand? {
        switch record.events.last {
        case .endpointAdded(let owner, let endpoint):
            .add(ownerId: owner, endpoint, sealed: SealedEndpoint(address: [], secret: []))
        case .endpointRemoved(let owner, let id): .remove(ownerId: owner, endpointId: id)
        case .endpointDisabled(let owner, let id, let end): .disable(ownerId: owner, endpointId: id, end)
        case .secretRotated(let owner, let id):
            .rotate(ownerId: owner, endpointId: id, secret: [], until: record.recorded.recordedAt)
        case .noticeRaised, .subjectErased, nil: nil
        }
    }
}
