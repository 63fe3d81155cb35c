import EventSourcing
import History

extension MediaRetentionCommand {
    /// What was asked, told from what followed. What the operator allowed then was not less.
    static func recalled(
        _ record: DecisionRecord<SessionEvent>, _: MediaRetention
    ) -> MediaRetentionCommand? {
        guard case .retentionChosen(let owner, let days, let chosenAt) = record.events.last else { return nil }
        return .choose(ownerId: owner, keepMediaDays: days, most: days, at: chosenAt)
    }
}
