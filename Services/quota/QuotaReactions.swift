import Contracts
import EventSourcing
import Primitives
package import ServiceKit

extension Allowance {
    /// What messages of other services mean here. The end of the local day is found before: the decision itself asks
    /// nobody.
    package static let reactions = Reactions<Allowance, QuotaResources>(
        .on(
            SessionCreated.self,
            lookingUp: { created, found in try await found.endOfLocalDay(created.createdAt, created.timeZone) },
            recalling: { created, events in events.first.flatMap(endOfLocalDay) ?? created.createdAt }
        ) { created, localDayEndsAt in
            .apply(
                stream(created.ownerId),
                .reserve(
                    UnitRequest(
                        sessionId: created.sessionId, ownerId: created.ownerId, kind: created.kind,
                        createdAt: created.createdAt, expiresAt: created.expiresAt, timeZone: created.timeZone,
                        localDayEndsAt: localDayEndsAt)))
        },
        .on(SessionCompleted.self) { settle($0, .completed) },
        .on(SessionFailed.self) { settle($0, .failed) },
        .on(SessionExpired.self) { settle($0, .expired) },
        .on(SessionCancelled.self) { settle($0, .cancelled(analysisStarted: $0.analysisStarted)) },
        .on(SessionDeleted.self) { settle($0, .deleted) },
        .erasure,
        ignoring: [UploadFinalized.type, UserRegistered.type, UserProfileChanged.type])

    /// The end of the local day that a decision went by, as its first event tells it.
    private static func endOfLocalDay(_ event: QuotaEvent) -> Timestamp? {
        switch event {
        case .reserved(_, let unit, _, _, _): unit.windowEndsAt
        case .refused(_, _, let resetsAt, _): resetsAt
        case .committed, .released, .endingNoted, .planChanged, .extraGranted, .subjectErased: nil
        }
    }

    private static func settle(
        _ message: some SessionKindMessage, _ ending: SessionEnding
    ) -> Reaction<QuotaCommand> {
        .apply(
            stream(message.ownerId),
            .settle(sessionId: message.sessionId, ownerId: message.ownerId, kind: message.kind, ending))
    }
}
