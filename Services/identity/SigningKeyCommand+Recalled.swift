import EventSourcing
import History
import SigningKeys

extension SigningKeyCommand {
    /// What was asked, told from what followed.
    static func recalled(_ record: DecisionRecord<SigningKeyEvent>, _ state: SigningKey) -> SigningKeyCommand? {
        switch (record.events.last, state) {
        case (.published(let key, _), .absent): .publish(key)
        case (.retired(_, let moment, _), .published): .retire(at: moment)
        case (.published, _), (.retired, _): .announce
        case (nil, _): nil
        }
    }
}
