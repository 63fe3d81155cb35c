import EventSourcing
import History
import SigningKeys

extension SigningKeyCommand {
    /// What was asked, told from what followed.
    static func recalled(_ record: DecisionRecord<SigningKeyEvent>, _: SigningKey) -> SigningKeyCommand? {
        switch record.events.last {
        case .published(let key): .publish(key)
        case .retired(_, let moment): .retire(at: moment)
        case nil: nil
        }
    }
}
