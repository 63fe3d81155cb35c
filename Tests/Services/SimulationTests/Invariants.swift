import Contracts
import EventSourcing
import Primitives

@testable import analysis
@testable import quota
@testable import reporting
@testable import sessions

/// What must hold once everything is at rest.
extension Simulation {
    /// The violated invariants, as sentences; empty if all is well.
    func violations() -> [String] { faults + endings() + charges() + limits() + leftovers() }

    /// What quota did for one session.
    private struct Account {
        var reserved = 0
        var committed = 0
        var released = 0
        var refused = 0
    }

    private var accounts: [UUID: Account] {
        quota.log.reduce(into: [:]) { accounts, entry in
            switch entry.event {
            case .reserved(let session, _, _, _, _): accounts[session.sessionId, default: Account()].reserved += 1
            case .refused(let session, _, _): accounts[session.sessionId, default: Account()].refused += 1
            case .committed(let session, _): accounts[session.sessionId, default: Account()].committed += 1
            case .released(let session, _, _, _): accounts[session.sessionId, default: Account()].released += 1
            case .endingNoted, .planChanged, .extraGranted, .purchaseNoted, .refundNoted, .subjectErased, .planDefined:
                break
            }
        }
    }

    private func isEnding(_ event: SessionEvent) -> Bool {
        switch event {
        case .completed, .failed, .cancelled, .expired, .refused: true
        default: false
        }
    }

    /// Exactly one ending for each session; at most one for those of an erased owner.
    private func endings() -> [String] {
        var count: [StreamName: Int] = [:]
        var finalized: Set<StreamName> = []
        var problems: [String] = []
        for entry in sessions.log {
            if isEnding(entry.event) { count[entry.stream, default: 0] += 1 }
            if case .uploadFinalized = entry.event { finalized.insert(entry.stream) }
            if case .expired = entry.event, finalized.contains(entry.stream) {
                problems.append("\(entry.stream) expired after it was finalized")
            }
        }
        return problems
            + sessions.log.compactMap { entry -> String? in
                guard case .created(let session, _) = entry.event else { return nil }
                let endings = count[entry.stream] ?? 0
                let allowed = sessions.erased.contains(session.ownerId) ? 0...1 : 1...1
                return allowed.contains(endings) ? nil : "\(entry.stream) has \(endings) endings"
            }
    }

    /// A completed session is charged once, one that expired or failed by no fault of its recording never, and each is decided
    /// and settled once.
    private func charges() -> [String] {
        let accounts = accounts
        var problems: [String] = []
        for (session, account) in accounts {
            if account.reserved + account.refused > 1 { problems.append("\(session) was decided twice") }
            if account.committed + account.released > account.reserved {
                problems.append("\(session) was settled more often than reserved")
            }
        }
        for entry in sessions.log {
            guard let session = entry.event.session, isEnding(entry.event),
                !quota.erased.contains(session.ownerId)
            else { continue }
            let account = accounts[session.sessionId] ?? Account()
            switch entry.event {
            case .completed where account.committed != 1:
                problems.append("\(session.sessionId) completed and was charged \(account.committed) times")
            case .failed(_, let code, _):
                guard account.committed > 0, !code.isOfUnusableRecording else { break }
                problems.append("\(session.sessionId) was charged for a failure")
            case .expired where account.committed > 0,
                .refused where account.committed > 0, .cancelled(_, false, _) where account.committed > 0:
                problems.append("\(session.sessionId) was charged for nothing")
            default: break
            }
        }
        return problems
    }

    /// Recounted from the events: never more than the plan allows in a window, never more than three refunds of
    /// cancellations with cost and three of unusable recordings, a charge for one only after those, and no more windows
    /// than days.
    private func limits() -> [String] {
        struct Window: Hashable {
            let owner: StreamName
            let endsAt: Timestamp
        }
        var plans: [StreamName: PlanCode] = [:]
        var taken: [Window: Int] = [:]
        var forgiven: [ReleaseReason: [Window: Int]] = [:]
        var problems: [String] = []
        // What was charged although it did not complete, with the reason for which the first ones are forgiven.
        let costly = Dictionary(
            sessions.log.compactMap { entry -> (UUID, ReleaseReason)? in
                switch entry.event {
                case .cancelled(let session, true, _): (session.sessionId, .cancelled)
                case .failed(let session, let code, _) where code.isOfUnusableRecording: (session.sessionId, .unusable)
                default: nil
                }
            }, uniquingKeysWith: { first, _ in first })
        for (stream, event) in quota.log {
            switch event {
            case .reserved(_, let unit, _, _, _) where unit.source == .plan:
                let window = Window(owner: stream, endsAt: unit.longest.endsAt)
                taken[window, default: 0] += 1
                if plans[stream] ?? .free == .free, taken[window]! > 1 {
                    problems.append("\(stream) holds or used \(taken[window]!) units until \(unit.longest.endsAt)")
                }
            case .released(_, let unit, let reason, let isLateCancellation):
                let window = Window(owner: stream, endsAt: unit.longest.endsAt)
                if unit.source == .plan { taken[window, default: 0] -= 1 }
                if isLateCancellation || reason == .unusable { forgiven[reason, default: [:]][window, default: 0] += 1 }
                if forgiven[reason]?[window] ?? 0 > 3 { problems.append("\(stream) was forgiven too often") }
            case .committed(let session, let unit):
                guard let reason = costly[session.sessionId] else { break }
                if forgiven[reason]?[Window(owner: stream, endsAt: unit.longest.endsAt)] ?? 0 < 3 {
                    problems.append("\(session.sessionId) was charged although a refund was left")
                }
            case .planChanged(_, let plan, _): plans[stream] = plan
            default: break
            }
        }
        for owner in Set(taken.keys.map(\.owner)) {
            let ends = taken.keys.filter { $0.owner == owner }.map(\.endsAt).sorted()
            guard let first = ends.first, let last = ends.last else { continue }
            let days = (last.seconds - first.seconds) / 86_400 + 1
            if ends.count > days + 1 { problems.append("\(owner) had \(ends.count) windows in \(days) days") }
        }
        return problems
    }

    /// Nothing is held, in progress or readable that should not be.
    private func leftovers() -> [String] {
        var problems: [String] = []
        for (stream, state) in quota.states {
            for case .reserved(let holding) in state.sessions.values {
                problems.append("\(stream) holds a unit for \(holding.session.sessionId) forever")
            }
            if let usage = state.kinds[.mirrormate]?.windows.last?.usage,
                min(usage.used, usage.reserved, usage.extraUsed, usage.extraReserved) < 0
                    || usage.reserved + usage.extraReserved != 0
            {
                problems.append("\(stream) counts \(usage)")
            }
            if let extra = state.kinds[.mirrormate]?.extra, extra < 0 { problems.append("\(stream) owes gifts") }
        }
        for (stream, state) in analysis.states {
            switch state.phase {
            case .queued, .running, .waiting: problems.append("\(stream) never ended")
            case .absent, .completed, .failed, .cancelled, .gone: break
            }
        }
        for (stream, state) in reporting.states {
            guard case .written(let report, _, _) = state else { continue }
            let session = sessions.state(Session.stream(report.sessionId))
            guard case .ended(_, .completed) = session else {
                problems.append("\(stream) is readable although its session is not complete")
                continue
            }
        }
        for (stream, state) in sessions.states {
            guard case .ended(let session, .completed) = state else { continue }
            if case .written = reporting.state(Report.stream(session.sessionId)) { continue }
            if !reporting.erased.contains(session.ownerId) { problems.append("\(stream) has no report") }
        }
        return problems
    }
}
