package import EventSourcing
package import EventStore
package import Primitives

/// For how long one person's recordings are kept, as far as the next decision needs it.
///
/// What counts for a recording is the choice at the moment at which its session is completed. A smaller choice takes away what is
/// kept beyond it; a larger one brings nothing back.
package struct MediaRetention: Sendable, Equatable {
    /// How often somebody can choose to keep recordings for longer within a day: each is an event. Keeping them for a shorter
    /// time is always possible, and can follow only so often on these.
    package static let dayLimit = 10

    /// For how many days after its session a recording is kept; 0 when it goes with the session's ending.
    package var keepMediaDays: Int64 = 0
    /// When that was chosen, or, of what a restore has lost, was said to count; in the past before the first choice.
    package var chosenAt: Timestamp = .epoch
    /// When longer times were chosen, the last ``dayLimit``, in their order.
    package var raisedAt: [Timestamp] = []

    package init(keepMediaDays: Int64 = 0, chosenAt: Timestamp = .epoch, raisedAt: [Timestamp] = []) {
        self.keepMediaDays = keepMediaDays
        self.chosenAt = chosenAt
        self.raisedAt = raisedAt
    }
}

/// What can be asked of somebody's choice.
package enum MediaRetentionCommand: Sendable, Equatable {
    /// Keep recordings for so many days, of which the operator allows `most`.
    case choose(ownerId: UUID, keepMediaDays: Int64, most: Int64, at: Timestamp)
    /// A restore has lost a choice, which something shows that was said at a moment: keep recordings for no more days than that,
    /// unless the owner has chosen since.
    case limit(ownerId: UUID, keepMediaDays: Int64, saidAt: Timestamp)
}

/// Why a choice is refused.
package enum MediaRetentionRefusal: Error, Sendable, Equatable, CaseIterable {
    /// It is for longer than the operator allows, or less than nothing.
    case tooLong
    /// Longer times were chosen as often within a day as may be.
    case usedUp
}

extension MediaRetention: Decider {
    package typealias Command = MediaRetentionCommand
    package typealias Event = SessionEvent
    package typealias State = MediaRetention
    package typealias Refusal = MediaRetentionRefusal

    package static let initial = MediaRetention()

    /// The category of the streams of choices.
    package static let category = "retention"

    /// The stream of one person's choice.
    package static func stream(_ ownerId: UUID) -> StreamName { StreamName(category, ownerId) }

    package static func evolve(_ state: MediaRetention, _ event: SessionEvent) -> MediaRetention {
        guard case .retentionChosen(_, let days, let chosenAt) = event else { return state }
        let raised = days > state.keepMediaDays ? [chosenAt] : []
        return MediaRetention(
            keepMediaDays: days, chosenAt: chosenAt, raisedAt: Array((state.raisedAt + raised).suffix(dayLimit)))
    }

    package static func decide(
        _ command: MediaRetentionCommand, _ state: MediaRetention
    ) throws(MediaRetentionRefusal) -> [SessionEvent] {
        switch command {
        case .choose(let owner, let days, let most, let now):
            // A repeat of a request; also of a choice that the operator has allowed once.
            if days == state.keepMediaDays { return [] }
            guard days >= 0, days <= most || days < state.keepMediaDays else { throw .tooLong }
            if days > state.keepMediaDays, state.isUsedUp(at: now) { throw .usedUp }
            return [.retentionChosen(ownerId: owner, keepMediaDays: days, chosenAt: now)]
        case .limit(let owner, let days, let moment):
            if moment < state.chosenAt { return [] }
            return days < state.keepMediaDays
                ? [.retentionChosen(ownerId: owner, keepMediaDays: days, chosenAt: moment)] : []
        }
    }

    /// When a longer time can be chosen again; in the past when it can be now.
    var opensAt: Timestamp {
        raisedAt.count < Self.dayLimit ? .epoch : raisedAt[raisedAt.count - Self.dayLimit].adding(seconds: 86_400)
    }

    private func isUsedUp(at now: Timestamp) -> Bool { now < opensAt }
}

extension MediaRetention: Aggregate {
    /// The newest choice is where the clock finds it that takes away what is kept beyond it.
    package static func rowCalls(
        for _: MediaRetentionCommand, _: MediaRetention, _ events: [SessionEvent]
    ) -> [RowCall] {
        events.compactMap { event in
            guard case .retentionChosen(let owner, let days, _) = event else { return nil }
            return RetentionRows.choose(owner, days)
        }
    }
}
