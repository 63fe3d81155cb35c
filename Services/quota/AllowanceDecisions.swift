import Contracts
import Primitives

extension Allowance {
    /// The most units that can be given at once.
    private static let mostUnits: Int64 = 1_000

    package static func decide(_ command: QuotaCommand, _ state: Allowance) throws(QuotaRefusal) -> [QuotaEvent] {
        switch command {
        case .reserve(let request): return state.reserve(request)
        case .settle(let sessionId, let ownerId, let kind, let ending):
            return state.settle(ChargedSession(sessionId: sessionId, ownerId: ownerId, kind: kind), ending)
        case .orphan(let sessionId):
            guard case .reserved(let session, let unit, _) = state.sessions[sessionId] else { return [] }
            return [.released(session, unit, .orphaned, isLateCancellation: false)]
        case .changePlan(let ownerId, let plan):
            guard Plan.named(plan) != nil else { throw .planUnknown }
            guard !state.isErased else { throw .ownerErased }
            return plan == state.plan ? [] : [.planChanged(ownerId: ownerId, plan)]
        case .grant(let ownerId, let kind, let units):
            guard Plan.kinds.contains(kind) else { throw .kindUnknown }
            guard (1...mostUnits).contains(units) else { throw .unitsOutOfRange }
            guard !state.isErased else { throw .ownerErased }
            return [.extraGranted(ownerId: ownerId, kind: kind, units: units)]
        case .erase(let subject, let removed):
            return state.isErased ? [] : [.subjectErased(subject, removed)]
        }
    }

    // MARK: Reserving

    /// Reserves or refuses, once for each session; a session that ended before is not given anything.
    private func reserve(_ request: UnitRequest) -> [QuotaEvent] {
        guard !isErased, sessions[request.sessionId] == nil else { return [] }
        let session = ChargedSession(sessionId: request.sessionId, ownerId: request.ownerId, kind: request.kind)
        let standing = standing(of: request.kind, at: request.createdAt)
        let window = window(for: request)
        guard let source = standing.nextUnit else {
            if let heldBy = holder(of: request.kind, in: window.endsAt, standing) {
                return [.refused(session, .sessionOpen, resetsAt: window.endsAt, heldBy: heldBy)]
            }
            return [.refused(session, .quotaExceeded, resetsAt: window.endsAt, heldBy: nil)]
        }
        let count = Count(
            plan: plan, limit: standing.limit, used: standing.used, reserved: standing.reserved + 1)
        let unit = HeldUnit(windowEndsAt: window.endsAt, source: source)
        return [.reserved(session, unit, count, timeZone: window.timeZone, expiresAt: request.expiresAt)]
    }

    /// The window that a request falls into: the current one until it ends, whatever the request's zone says; then the
    /// rest of the request's local day.
    ///
    /// After a change of zone the local day may end soon after the last window did. Whole days are added until a day
    /// lies between the two ends, so that no sequence of zones gives more windows than there are days.
    private func window(for request: UnitRequest) -> (endsAt: Timestamp, timeZone: String) {
        let last = kinds[request.kind]?.windows.last
        if let last, request.createdAt < last.endsAt { return (last.endsAt, last.timeZone) }
        var endsAt = max(request.localDayEndsAt, request.createdAt.adding(milliseconds: 1))
        if let last, last.timeZone != request.timeZone {
            while endsAt < last.endsAt.adding(seconds: 86_400) { endsAt = endsAt.adding(seconds: 86_400) }
        }
        return (endsAt, request.timeZone)
    }

    /// The open session whose ending would make room: of several, the one that expires first.
    private func holder(of kind: SessionKind, in windowEndsAt: Timestamp, _ standing: Standing) -> HeldBy? {
        let isFull = standing.planUnitsLeft == 0
        return sessions.values.compactMap { entry -> HeldBy? in
            guard case .reserved(let session, let unit, let expiresAt) = entry, session.kind == kind,
                unit.source == .extra || isFull && unit.windowEndsAt == windowEndsAt
            else { return nil }
            return HeldBy(sessionId: session.sessionId, expiresAt: expiresAt)
        }.min { ($0.expiresAt, $0.sessionId) < ($1.expiresAt, $1.sessionId) }
    }

    // MARK: Settling

    /// Charges or gives back, once for each session; whatever comes later changes nothing.
    private func settle(_ session: ChargedSession, _ ending: SessionEnding) -> [QuotaEvent] {
        guard !isErased else { return [] }
        switch sessions[session.sessionId] {
        case .settled: return []
        // Early: without a note, the creation that comes after it would hold a unit that nobody gives back.
        case nil: return [.endingNoted(session)]
        case .reserved(let session, let unit, _):
            switch ending {
            case .completed: return [.committed(session, unit)]
            case .failed: return [.released(session, unit, .failed, isLateCancellation: false)]
            case .expired: return [.released(session, unit, .expired, isLateCancellation: false)]
            case .deleted: return [.released(session, unit, .deleted, isLateCancellation: false)]
            case .cancelled(analysisStarted: false):
                return [.released(session, unit, .cancelled, isLateCancellation: false)]
            case .cancelled(analysisStarted: true):
                return forgives(session.kind, unit)
                    ? [.released(session, unit, .cancelled, isLateCancellation: true)] : [.committed(session, unit)]
            }
        }
    }

    /// Whether one more cancellation with cost is forgiven in the window that the unit belongs to.
    private func forgives(_ kind: SessionKind, _ unit: HeldUnit) -> Bool {
        let window = kinds[kind]?.windows.last { $0.endsAt == unit.windowEndsAt }
        return (window?.usage.lateCancellations ?? 0) < Plan.inForce(plan).allowance(for: kind).lateCancellations
    }
}
