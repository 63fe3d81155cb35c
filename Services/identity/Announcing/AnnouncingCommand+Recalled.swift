import EventSourcing
import History

extension AnnouncingCommand {
    /// What was asked, told from what followed.
    static func recalled(_ record: DecisionRecord<AnnouncingEvent>, _: Announcing) -> AnnouncingCommand? {
        switch record.events.last {
        case .begun(let key): .begin(key: key)
        case .erasuresAnnounced(let key): .complete(key: key)
        case nil: nil
        }
    }
}
