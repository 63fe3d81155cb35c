import Access
import EventSourcing
import History

extension LoginSessionCommand {
    /// What was asked, told from what followed.
    static func recalled(_ record: DecisionRecord<LoginSessionEvent>, _: LoginSession) -> LoginSessionCommand? {
        switch record.events.last {
        case .ended(let end): .end(end)
        case .appTokenIssued(let token): .issue(token)
        case nil: nil
        }
    }
}
