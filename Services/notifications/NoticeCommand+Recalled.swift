import Contracts
import EventSourcing
import History

extension NoticeCommand {
    /// What was asked without a message, told from what followed.
    static func recalled(_ record: DecisionRecord<NotificationEvent>, _: NoticeState) -> NoticeCommand? {
        switch record.events.last {
        case .noticeRaised(let owner, let notice, let endpoints): .raise(ownerId: owner, notice, to: endpoints)
        case .subjectErased(let subject, let removed): .recordErasure(subject: subject, removed: removed)
        case .endpointAdded, .endpointRemoved, .endpointDisabled, .secretRotated, nil: nil
        }
    }
}
