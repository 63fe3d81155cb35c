package import Contracts
package import EventSourcing
package import EventStore
package import Primitives

/// A session that was over when it was told: an aggregate of its own, without upload, quota and work.
///
/// Its owner chose the id, so a repeat of what was told is known by its content.
package enum LoggedSession: Sendable, Equatable {
    /// Nothing is known under this id.
    case absent
    /// It counts.
    case logged(SessionIdentity, Telling)
    /// Its owner has deleted it; what was told first is kept, so that a late repeat does not bring it back.
    case deleted(SessionIdentity, first: LoggedPractice)
    /// Another session tells the same sitting, that of the account to which its device was handed over: it is there already.
    case repeated
    /// It went with its owner.
    case gone

    /// What was told of a session.
    package struct Telling: Sendable, Equatable {
        package var first: LoggedPractice
        /// After all corrections.
        package var newest: LoggedPractice
        package var corrections = 0
    }
}

/// What can be asked of a logged session. Commands name who asks; a stranger gets the answer of an unknown session.
package enum LoggedSessionCommand: Sendable, Equatable {
    /// It has taken place.
    ///
    /// - isZoneTold: whether the client said where; else its zone is a guess, which a repeat may make differently.
    case log(SessionIdentity, LoggedPractice, isZoneTold: Bool = true)
    /// It was otherwise.
    case correct(by: UUID, LoggedPractice)
    /// It is not to count.
    case delete(by: UUID)
    /// Another session tells the same sitting, and stays; nobody wished this one away.
    case dropRepeat(by: UUID)
    /// The anonymous device of its owner was handed over to an account.
    case handOver(from: UUID, to: UUID)
    /// The owner is erased: forget the session.
    case erase
}

/// Why a command to a logged session is refused.
package enum LoggedSessionRefusal: Error, Sendable, Equatable, CaseIterable {
    /// There is no such session, or it is not the caller's; both look the same.
    case unknown
    /// Another session was logged under this id.
    case exists
    /// The session of this id was deleted.
    case deleted
    /// It was corrected as often as may be.
    case correctionsUsedUp
}

extension LoggedSession: Decider {
    package typealias Command = LoggedSessionCommand
    package typealias Event = SessionEvent
    package typealias Refusal = LoggedSessionRefusal

    package static let initial = LoggedSession.absent

    /// The category of the streams of logged sessions.
    package static let category = "logged"

    /// How often one session can be corrected: each is an event.
    package static let mostCorrections = 50

    /// How many sessions can be logged for one local day, those among them that are deleted or moved away later.
    package static let mostOfDay: Int64 = 100

    /// The stream of one logged session.
    package static func stream(_ sessionId: UUID) -> StreamName { StreamName(category, sessionId) }

    package static func evolve(_ state: LoggedSession, _ event: SessionEvent) -> LoggedSession {
        switch (event, state) {
        case (.logged(let session, let practice), .logged(_, var telling)):
            // On another day, where a correction has moved it, or with another owner.
            telling.newest = practice
            return .logged(session, telling)
        case (.logged(let session, let practice), _):
            return .logged(session, Telling(first: practice, newest: practice))
        case (.corrected(let session, let practice), .logged(_, var telling)):
            telling.newest = practice
            telling.corrections += 1
            return .logged(session, telling)
        // It comes to its next owner as it is.
        case (.withdrawn(_, _, .handedOver), .logged): return state
        case (.withdrawn(_, _, .repeated), .logged): return .repeated
        case (.withdrawn(let session, _, let reason), .logged(_, var telling)):
            guard reason == .moved else { return .deleted(session, first: telling.first) }
            telling.corrections += 1
            return .logged(session, telling)
        case (.erased, _): return .gone
        default: return state
        }
    }

    package static func decide(
        _ command: LoggedSessionCommand, _ state: LoggedSession
    ) throws(LoggedSessionRefusal) -> [SessionEvent] {
        switch command {
        case .log(let session, let practice, let isZoneTold): try state.log(session, practice, isZoneTold)
        case .correct(let owner, let practice): try state.correct(by: owner, practice)
        case .delete(let owner): try state.withdraw(by: owner, .deleted)
        case .dropRepeat(let owner): try state.withdraw(by: owner, .repeated)
        case .handOver(let owner, let other): state.handOver(from: owner, to: other)
        case .erase: state.session.map { [.erased($0)] } ?? []
        }
    }

    /// Which session it is; nil when there is none, or none any more.
    package var session: SessionIdentity? {
        if case .logged(let session, _) = self { session } else { nil }
    }

    private func log(
        _ session: SessionIdentity, _ practice: LoggedPractice, _ isZoneTold: Bool
    ) throws(LoggedSessionRefusal) -> [SessionEvent] {
        func isRepeat(of told: LoggedPractice) -> Bool {
            told == (isZoneTold ? practice : practice.placed(as: told))
        }
        switch self {
        case .absent: return [.logged(session, practice)]
        // Told again, perhaps after a correction: the client had not heard that it was taken.
        case .logged(session, let telling) where [telling.first, telling.newest].contains(where: isRepeat):
            return []
        case .deleted(session, let first) where isRepeat(of: first): throw .deleted
        case .logged, .deleted, .repeated, .gone: throw .exists
        }
    }

    private func correct(
        by owner: UUID, _ practice: LoggedPractice
    ) throws(LoggedSessionRefusal) -> [SessionEvent] {
        guard case .logged(let session, let telling) = self, session.ownerId == owner else { throw .unknown }
        if telling.newest == practice { return [] }
        guard telling.corrections < Self.mostCorrections else { throw .correctionsUsedUp }
        // Whoever counts days is told by day: it leaves one and comes to the other.
        return telling.newest.time.day == practice.time.day
            ? [.corrected(session, practice)]
            : [.withdrawn(session, telling.newest.time, .moved), .logged(session, practice)]
    }

    private func handOver(from owner: UUID, to other: UUID) -> [SessionEvent] {
        guard case .logged(let session, let telling) = self, session.ownerId == owner, owner != other else { return [] }
        let handed = SessionIdentity(sessionId: session.sessionId, ownerId: other, kind: session.kind)
        return [.withdrawn(session, telling.newest.time, .handedOver), .logged(handed, telling.newest)]
    }

    private func withdraw(
        by owner: UUID, _ reason: WithdrawalReason
    ) throws(LoggedSessionRefusal) -> [SessionEvent] {
        guard case .logged(let session, let telling) = self, session.ownerId == owner else { throw .unknown }
        return [.withdrawn(session, telling.newest.time, reason)]
    }
}

extension LoggedSession: Aggregate {
    /// Each session that comes to a day is counted against the limit of that day.
    package static func rowCalls(
        for command: LoggedSessionCommand, _: LoggedSession, _ events: [SessionEvent]
    ) -> [RowCall] {
        events.flatMap { event -> [RowCall] in
            guard case .logged(let session, let practice) = event else { return [] }
            let count = PracticeRows.countOfDay(session.ownerId, practice.time.day)
            guard case .handOver(let owner, let other) = command else { return [count] }
            return [count, PracticeRows.handOver(stream(session.sessionId), from: owner, to: other)]
        }
    }
}
