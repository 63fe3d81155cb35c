import Contracts
import EventSourcing
import History

extension APIKeyCommand {
    /// What was asked, told from what followed.
    static func recalled(_ record: DecisionRecord<APIKeyEvent>, _: APIKey) -> APIKeyCommand? {
        switch record.events.last {
        case .issued(let key): .issue(key)
        case .revoked(let key): .revoke(key.keyId)
        case nil: nil
        }
    }
}
