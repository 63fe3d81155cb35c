package import EventSourcing
package import EventStore
package import JSON
package import Primitives

/// What a person shares, as far as the next decision needs it.
package struct Shares: Sendable, Equatable {
    /// How many links of somebody can be open at once.
    package static let openLimit = 20
    /// How many links somebody can make within a day, also when they take them back: the stream is read whole.
    package static let dayLimit = 20

    /// Those that were not taken back, over or not.
    package var kept: [UUID: Share] = [:]
    /// When the last ones were made, at most ``dayLimit``, in their order.
    package var lastShared: [Timestamp] = []
}

/// What can be asked of somebody's shares.
package enum SharesCommand: Sendable, Equatable {
    /// - over: those of the kept ones that show nothing any more: used up, or gone with their report. What is over stays so.
    /// - tokenHash: SHA-256 of the link's token; no event has it.
    /// - card: what viewers see; no event has it.
    case share(ownerId: UUID, Share, over: Set<UUID>, tokenHash: [UInt8], card: JSONObject)
    case revoke(ownerId: UUID, shareId: UUID)
}

/// Why a command to somebody's shares is refused.
package enum SharesRefusal: Error, Sendable, Equatable, CaseIterable {
    /// It shows nothing, or for too long or too often.
    case impossible
    /// As many links as may be are open, or were made within a day.
    case usedUp
    /// There is no such share, or it was taken back.
    case unknown
}

extension Shares: Decider {
    package typealias Command = SharesCommand
    package typealias Event = ReportEvent
    package typealias State = Shares
    package typealias Refusal = SharesRefusal

    package static let initial = Shares()

    /// The category of the streams of shares.
    package static let category = "shares"

    /// The stream of what one person shares.
    package static func stream(_ ownerId: UUID) -> StreamName { StreamName(category, ownerId) }

    package static func evolve(_ state: Shares, _ event: ReportEvent) -> Shares {
        var next = state
        switch event {
        case .reportShared(_, let share):
            next.kept[share.shareId] = share
            next.lastShared = Array((next.lastShared + [share.sharedAt]).suffix(dayLimit))
        case .shareRevoked(_, let share): next.kept[share] = nil
        case .written, .recordingLearned, .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn,
            .practiceForgotten, .graceChanged, .dayFrozen, .dayThawed, .milestoneReached, .subjectErased, .goalSet,
            .goalMet, .goalMissed, .goalDropped, .retentionLearned, .uploadNoted, .export, .wording:
            break
        }
        return next
    }

    package static func decide(_ command: SharesCommand, _ state: Shares) throws(SharesRefusal) -> [ReportEvent] {
        switch command {
        case .share(let owner, let share, let over, _, _):
            // A repeat of a request.
            if state.kept[share.shareId] != nil { return [] }
            guard share.isPossible else { throw .impossible }
            let open = state.kept.values.count { $0.expiresAt > share.sharedAt && !over.contains($0.shareId) }
            guard open < openLimit else { throw .usedUp }
            if state.lastShared.count == dayLimit, let first = state.lastShared.first,
                first.adding(seconds: 86_400) > share.sharedAt
            {
                throw .usedUp
            }
            return [.reportShared(ownerId: owner, share)]
        case .revoke(let owner, let share):
            guard state.kept[share] != nil else { throw .unknown }
            return [.shareRevoked(ownerId: owner, shareId: share)]
        }
    }
}

extension Shares: Aggregate {
    /// The token's hash and the card come with the share, and go with it.
    package static func rowCalls(for command: SharesCommand, _: Shares, _ events: [ReportEvent]) -> [RowCall] {
        events.compactMap { event in
            switch (event, command) {
            case (.reportShared(let owner, let share), .share(_, _, _, let hash, let card)):
                ShareRows.keep(share, of: owner, hash, card)
            case (.shareRevoked(let owner, let share), _): ShareRows.remove(share, of: owner)
            default: nil
            }
        }
    }
}
