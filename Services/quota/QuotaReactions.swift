package import Contracts
package import JSON
package import Primitives

/// What messages of other services mean here.
package enum QuotaReactions {
    /// Gives the end of the local day that a moment lies in: the first midnight after it in an IANA time zone.
    package typealias LocalDayEnd = @Sendable (_ timeZone: String, _ moment: Timestamp) -> Timestamp

    /// The command that a message becomes.
    ///
    /// Unknown types and versions, and messages that do not concern quota, are ignored.
    ///
    /// - Parameter plans: those that are in force now.
    /// - Throws: which member of a known message is missing or of another form; the caller parks the message.
    package static func reaction(
        to message: Incoming, plans: Plans, localDayEnd: LocalDayEnd
    ) throws(JSONError) -> Reaction<QuotaCommand> {
        switch message.type {
        case SessionCreated.type:
            let content = try message.read(SessionCreated.self)
            return .apply(
                Allowance.stream(content.ownerId),
                .reserve(
                    UnitRequest(
                        sessionId: content.sessionId, ownerId: content.ownerId, kind: content.kind,
                        createdAt: content.createdAt, expiresAt: content.expiresAt, timeZone: content.timeZone,
                        localDayEndsAt: localDayEnd(content.timeZone, content.createdAt), plans: plans)))
        case SessionCompleted.type:
            let content = try message.read(SessionCompleted.self)
            return settle(content.sessionId, content.ownerId, content.kind, .completed)
        case SessionFailed.type:
            let content = try message.read(SessionFailed.self)
            return settle(content.sessionId, content.ownerId, content.kind, .failed)
        case SessionExpired.type:
            let content = try message.read(SessionExpired.self)
            return settle(content.sessionId, content.ownerId, content.kind, .expired)
        case SessionCancelled.type:
            let content = try message.read(SessionCancelled.self)
            let ending = SessionEnding.cancelled(analysisStarted: content.analysisStarted)
            return settle(content.sessionId, content.ownerId, content.kind, ending)
        case SessionDeleted.type:
            let content = try message.read(SessionDeleted.self)
            return settle(content.sessionId, content.ownerId, content.kind, .deleted)
        case UserErased.type: return .erase(subject: try message.read(UserErased.self).userId)
        default: return .ignore
        }
    }

    /// What to do about an effect whose message the restored store of `sessions` no longer knows: the effect of a
    /// creation, a held unit, is given back; other effects stand.
    ///
    /// - Throws: as ``reaction(to:plans:localDayEnd:)``.
    package static func reaction(toOrphaned message: Incoming) throws(JSONError) -> Reaction<QuotaCommand> {
        guard message.type == SessionCreated.type else { return .ignore }
        let content = try message.read(SessionCreated.self)
        return .apply(Allowance.stream(content.ownerId), .orphan(sessionId: content.sessionId))
    }

    /// What to do about such an effect when the message's value is not at hand any more, from the private event that
    /// the message had caused.
    package static func reaction(toOrphaned event: QuotaEvent) -> Reaction<QuotaCommand> {
        guard case .reserved(let session, _, _, _, _) = event else { return .ignore }
        return .apply(Allowance.stream(session.ownerId), .orphan(sessionId: session.sessionId))
    }

    private static func settle(
        _ sessionId: UUID, _ ownerId: UUID, _ kind: SessionKind, _ ending: SessionEnding
    ) -> Reaction<QuotaCommand> {
        .apply(Allowance.stream(ownerId), .settle(sessionId: sessionId, ownerId: ownerId, kind: kind, ending))
    }
}
