import Contracts
package import EventStore
import Primitives

extension Allowance {
    /// The most units that can be given at once.
    private static let mostUnits: Int64 = 1_000

    package static func decide(_ command: AllowanceCommand, _ state: Allowance) throws(AllowanceRefusal) -> [QuotaEvent]
    {
        switch command {
        case .reserve(let request): return state.reserve(request)
        case .settle(let session, let settlement): return state.settle(session, settlement)
        case .orphan(let sessionId):
            guard case .reserved(let holding) = state.sessions[sessionId] else { return [] }
            return [.released(holding.session, holding.unit, .orphaned, isLateCancellation: false)]
        case .changePlan(let ownerId, let plan):
            guard !state.isErased else { throw .ownerErased }
            return plan == state.plan ? [] : [.planChanged(ownerId: ownerId, plan, kinds: state.knownKinds)]
        case .grant(let ownerId, let kind, let units):
            guard (1...mostUnits).contains(units) else { throw .unitsOutOfRange }
            guard !state.isErased else { throw .ownerErased }
            return [.extraGranted(ownerId: ownerId, kind: kind, units: units, plan: state.plan)]
        case .notePurchase(let ownerId, let told):
            return state.isErased ? [] : Entitlement.decide(told, state.entitlement, ownerId: ownerId)
        case .noteRefund(let ownerId, let told):
            return state.isErased ? [] : Entitlement.decide(told, state.entitlement, ownerId: ownerId)
        case .recordErasure(let subject, let removed):
            return state.isErased ? [] : [.subjectErased(subject, removed, kinds: state.knownKinds)]
        }
    }

    /// All that an allowance is lies in its events.
    package static func rowCalls(for _: AllowanceCommand, _: Allowance, _: [QuotaEvent]) -> [RowCall] { [] }

    /// The kinds that the owner has ever had a unit of, in a stable order.
    private var knownKinds: [SessionKind] { kinds.keys.sorted { $0.rawValue < $1.rawValue } }

    // MARK: Reserving

    /// Reserves or refuses, once for each session; a session that ended before is not given anything.
    private func reserve(_ request: UnitRequest) -> [QuotaEvent] {
        guard !isErased, sessions[request.sessionId] == nil else { return [] }
        let session = SessionIdentity(sessionId: request.sessionId, ownerId: request.ownerId, kind: request.kind)
        let basis = request.plans.terms(of: entitlement(at: request.createdAt).plan, for: request.kind)
        let standing = standing(of: request.kind, basis, at: request.createdAt)
        let windows = basis.terms.windows.map { window($0.span, for: request) }
        guard let source = standing.nextUnit else {
            let held = windows.map { HeldUnit.Window($0.span, endsAt: $0.endsAt) }
            return [.refused(session, denial(of: request, basis.terms, standing, held), basis)]
        }
        let counts = standing.windows.map {
            Count.Window($0.span, limit: $0.limit, used: $0.used, reserved: $0.reserved + 1)
        }
        let unit = HeldUnit(
            windows: windows.map { HeldUnit.Window($0.span, endsAt: $0.endsAt) }, source: source)
        return [
            .reserved(
                session, unit, Count(basis, windows: counts, createdAt: request.createdAt),
                timeZone: windows[windows.count - 1].timeZone, expiresAt: request.expiresAt)
        ]
    }

    /// The window of a span that a request falls into: the current one until it ends, whatever the request's zone says;
    /// then an hour, or the rest of the request's local day.
    ///
    /// After a change of zone the local day may end soon after the last window did. Whole days are added until a day
    /// lies between the two ends, so that no sequence of zones gives more windows than there are days.
    private func window(_ span: WindowSpan, for request: UnitRequest) -> Window {
        let last = kinds[request.kind]?.newest(span)
        if let last, request.createdAt < last.endsAt { return last }
        switch span {
        case .hour:
            return Window(span: span, endsAt: request.createdAt.adding(seconds: 3_600), timeZone: request.timeZone)
        case .localDay:
            var endsAt = max(request.localDayEndsAt, request.createdAt.adding(milliseconds: 1))
            if let last, last.timeZone != request.timeZone {
                while endsAt < last.endsAt.adding(seconds: 86_400) { endsAt = endsAt.adding(seconds: 86_400) }
            }
            return Window(span: span, endsAt: endsAt, timeZone: request.timeZone)
        }
    }

    // MARK: Refusing

    /// A limit that lets nothing more through.
    private struct FullLimit {
        let code: WindowCode
        /// When it lets something through again by itself.
        let opensAt: Timestamp
        /// Whether the ending of one session alone would make room in it.
        let isFreed: (Holding) -> Bool
    }

    /// Names the limit that stays full longest. When one session's ending would make room in all that are full, it is
    /// named as the way out: of several, the one that expires first.
    private func denial(
        of request: UnitRequest, _ terms: KindTerms, _ standing: Standing, _ windows: [HeldUnit.Window]
    ) -> QuotaDenial {
        let holdings = holdings(of: request.kind)
        let full = fullWindows(standing, windows) + fullCaps(request, terms, standing, holdings)
        let last = full.dropFirst().reduce(full[0]) { $1.opensAt > $0.opensAt ? $1 : $0 }
        let holder = holdings.filter { holding in full.allSatisfy { $0.isFreed(holding) } }
            .map { HeldBy(sessionId: $0.session.sessionId, expiresAt: $0.expiresAt) }
            .min { ($0.expiresAt, $0.sessionId) < ($1.expiresAt, $1.sessionId) }
        return QuotaDenial(
            code: holder == nil ? .quotaExceeded : .sessionOpen, window: last.code, resetsAt: last.opensAt,
            heldBy: holder)
    }

    /// The windows without a unit of the plan, longest first, unless a gift helps out.
    private func fullWindows(_ standing: Standing, _ windows: [HeldUnit.Window]) -> [FullLimit] {
        guard standing.extra <= 0 else { return [] }
        return zip(standing.windows, windows).reversed().compactMap { window, held in
            guard let left = window.unitsLeft, left <= 0 else { return nil }
            return FullLimit(code: window.span.code, opensAt: held.endsAt) { holding in
                holding.unit.source == .extra || left == 0 && holding.unit.windows.contains(held)
            }
        }
    }

    private func fullCaps(
        _ request: UnitRequest, _ terms: KindTerms, _ standing: Standing, _ holdings: [Holding]
    ) -> [FullLimit] {
        var full: [FullLimit] = []
        if let burst = terms.burst {
            let given = (kinds[request.kind] ?? KindState())
                .given(since: request.createdAt.adding(seconds: -burst.seconds)).sorted { $0.at < $1.at }
            let excess = given.count - Int(burst.units)
            if excess >= 0 {
                full.append(
                    FullLimit(code: .burst, opensAt: given[excess].at.adding(seconds: burst.seconds)) { holding in
                        excess == 0 && given.contains { $0.sessionId == holding.session.sessionId }
                    })
            }
        }
        if let atOnce = terms.atOnce {
            let expiries = holdings.map(\.expiresAt).sorted()
            let excess = expiries.count - Int(atOnce)
            if excess >= 0 {
                // What is worked on may hold its unit for longer than it could have waited for its upload.
                let opensAt = max(expiries[excess], request.createdAt.adding(seconds: 1))
                full.append(FullLimit(code: .atOnce, opensAt: opensAt) { _ in excess == 0 })
            }
        }
        return full
    }

    // MARK: Settling

    /// Charges or gives back, once for each session; whatever comes later changes nothing.
    private func settle(_ session: SessionIdentity, _ settlement: Settlement) -> [QuotaEvent] {
        guard !isErased else { return [] }
        switch sessions[session.sessionId] {
        case .settled: return []
        // Early: without a note, the creation that comes after it would hold a unit that nobody gives back.
        case nil: return [.endingNoted(session)]
        case .reserved(let holding):
            let (session, unit) = (holding.session, holding.unit)
            switch settlement {
            case .completed: return [.committed(session, unit)]
            case .failed: return [.released(session, unit, .failed, isLateCancellation: false)]
            case .unusable:
                return forgives(holding, \.unusable)
                    ? [.released(session, unit, .unusable, isLateCancellation: false)] : [.committed(session, unit)]
            case .expired: return [.released(session, unit, .expired, isLateCancellation: false)]
            case .deleted: return [.released(session, unit, .deleted, isLateCancellation: false)]
            case .cancelled(analysisStarted: false):
                return [.released(session, unit, .cancelled, isLateCancellation: false)]
            case .cancelled(analysisStarted: true):
                return forgives(holding, \.lateCancellations)
                    ? [.released(session, unit, .cancelled, isLateCancellation: true)] : [.committed(session, unit)]
            }
        }
    }

    /// Whether one more ending that would have its cost, a late cancellation or an unusable recording, is forgiven: in the
    /// longest window of the unit the terms forgive `lateCancellations` of the one and as many of the other.
    private func forgives(_ holding: Holding, _ count: KeyPath<Usage, Int64>) -> Bool {
        let window = kinds[holding.session.kind]?.windows.last { $0.is(holding.unit.longest) }
        return (window?.usage[keyPath: count] ?? 0) < holding.lateCancellations
    }
}
