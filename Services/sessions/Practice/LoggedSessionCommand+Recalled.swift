import Contracts
import EventSourcing
import History

extension LoggedSessionCommand {
    /// What was asked, told from what followed.
    static func recalled(_ record: DecisionRecord<SessionEvent>, _: LoggedSession) -> LoggedSessionCommand? {
        switch (record.events.first, record.events.last) {
        case (.withdrawn(let session, _, .handedOver), .logged(let handed, _)):
            .handOver(from: session.ownerId, to: handed.ownerId)
        case (.withdrawn(let session, _, _), .logged(_, let practice)): .correct(by: session.ownerId, practice)
        case (_, .logged(let session, let practice)): .log(session, practice)
        case (_, .corrected(let session, let practice)): .correct(by: session.ownerId, practice)
        case (_, .withdrawn(let session, _, .repeated)): .dropRepeat(by: session.ownerId)
        case (_, .withdrawn(let session, _, _)): .delete(by: session.ownerId)
        case (_, .erased): .erase
        default: nil
        }
    }
}
