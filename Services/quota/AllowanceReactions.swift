import Contracts
import EventSourcing
package import Primitives
package import ServiceKit

/// What a reservation goes by besides its message; found before, so that the decision itself asks nobody.
package struct ReservationTerms: Sendable, Equatable {
    /// When the local day of the creation ends, in the owner's time zone.
    package var localDayEndsAt: Timestamp
    /// The plans that are in force.
    package var plans: Plans

    package init(localDayEndsAt: Timestamp, plans: Plans) {
        self.localDayEndsAt = localDayEndsAt
        self.plans = plans
    }
}

extension Allowance {
    /// What messages of other services mean here.
    package static let reactions = Reactions<Allowance, QuotaResources>(
        .on(
            SessionCreated.self, lookingUp: { created, found in try await found.terms(of: created) },
            recalling: { created, events in ReservationTerms(recalledFrom: events.first, of: created) }
        ) { created, terms in
            .apply(
                stream(created.ownerId),
                .reserve(
                    UnitRequest(
                        sessionId: created.sessionId, ownerId: created.ownerId, kind: created.kind,
                        createdAt: created.createdAt, expiresAt: created.expiresAt, timeZone: created.timeZone,
                        localDayEndsAt: terms.localDayEndsAt, plans: terms.plans)))
        },
        .on(SessionCompleted.self) { settle($0, .completed) },
        .on(SessionFailed.self) { settle($0, $0.code.isOfUnusableRecording ? .unusable : .failed) },
        .on(SessionExpired.self) { settle($0, .expired) },
        .on(SessionCancelled.self) { settle($0, .cancelled(analysisStarted: $0.analysisStarted)) },
        .on(SessionDeleted.self) { settle($0, .deleted) },
        .erasure,
        .exportPart,
        .exportEnd,
        ignoring: [
            // A unit is reserved when a session is created and settled when it ends.
            UploadFinalized.type,
            // An allowance begins with the first session, in the time zone that the session names.
            UserRegistered.type, UserProfileChanged.type,
            // Only what was logged is handed over, and that costs nobody anything.
            DeviceHandedOver.type, DeviceHandedOverV2.type,
            // What a device's secret opens ends with its login sessions.
            DeviceSecretRevoked.type,
            // No provider gets anything from here.
            ConsentGiven.type, ConsentWithdrawn.type,
            // What is logged when it is over costs nobody anything.
            SessionLogged.type, SessionCorrected.type, SessionWithdrawn.type,
            // Keeping a recording costs nobody an analysis.
            MediaKept.type, MediaRemoved.type,
            // A report costs nothing besides the session; of reporting only exports are asked for here.
            ReportReady.type, ReportFailed.type, ReportDeleted.type, GoalMet.type, MilestoneReached.type,
        ])

    private static func settle(
        _ message: some SessionKindMessage, _ settlement: Settlement
    ) -> Reaction<AllowanceCommand> {
        .apply(stream(message.ownerId), .settle(message.session, settlement))
    }
}

extension ReservationTerms {
    /// The terms of a decision as its first event tells them, as far as the decision needed them.
    init(recalledFrom event: QuotaEvent?, of created: SessionCreated) {
        switch event {
        case .reserved(let session, let unit, let count, _, _):
            localDayEndsAt = unit.windows.last { $0.span == .localDay }?.endsAt ?? created.createdAt
            plans = Plans(count.basis, for: session.kind)
        case .refused(let session, let denial, let basis):
            localDayEndsAt = denial.window == .localDay ? denial.resetsAt : created.createdAt
            plans = Plans(basis, for: session.kind)
        case .committed, .released, .endingNoted, .planChanged, .extraGranted, .purchaseNoted, .refundNoted,
            .subjectErased, .planDefined, nil:
            localDayEndsAt = created.createdAt
            plans = .original
        }
    }
}
