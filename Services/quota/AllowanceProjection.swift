import Contracts
package import Primitives
import Projections

/// Allowances as rows of the table `allowances`, what operators look at and statistics count: folded from the service's
/// own log, by the same functions live and in a rebuild.
package enum AllowanceProjection: ReadModel {
    package static let name = "allowances"

    package static func text(_ key: AllowanceRow.Key) -> String { "\(key.ownerId)/\(key.kind)" }

    package static func keys(of event: QuotaEvent) -> [AllowanceRow.Key] {
        switch event {
        case .reserved(let session, _, _, _, _), .committed(let session, _), .released(let session, _, _, _):
            [AllowanceRow.Key(ownerId: session.ownerId, kind: session.kind)]
        case .extraGranted(let ownerId, let kind, _, _): [AllowanceRow.Key(ownerId: ownerId, kind: kind)]
        case .planChanged(let ownerId, _, let kinds), .subjectErased(let ownerId, _, let kinds):
            kinds.map { AllowanceRow.Key(ownerId: ownerId, kind: $0) }
        case .refused, .endingNoted, .purchaseNoted, .refundNoted, .planDefined: []
        }
    }

    package static func evolve(
        _ row: AllowanceRow?, _ event: QuotaEvent, key: AllowanceRow.Key, recordedAt: Timestamp
    ) -> AllowanceRow? {
        var row = row ?? AllowanceRow(key)
        switch event {
        case .reserved(_, let unit, let count, let timeZone, _):
            row.plan = count.basis.plan
            for window in unit.windows { row.open(window, timeZone) }
            row.count(unit) { $0.hold(unit.source) }
            if unit.source == .extra { row.extra -= 1 }
        case .committed(_, let unit): row.count(unit) { $0.use(unit.source) }
        case .released(_, let unit, let reason, let isLateCancellation):
            row.count(unit) { $0.free(unit.source, reason, isLateCancellation: isLateCancellation) }
            if unit.source == .extra { row.extra += 1 }
        case .planChanged(_, let plan, _): row.plan = plan
        case .extraGranted(_, _, let units, let plan):
            row.plan = plan ?? row.plan
            row.extra += units
        case .subjectErased: return nil
        case .refused, .endingNoted, .purchaseNoted, .refundNoted, .planDefined: break
        }
        return row
    }
}

extension AllowanceRow {
    fileprivate mutating func open(_ window: HeldUnit.Window, _ timeZone: String) {
        if windows.contains(where: { $0.is(window) }) { return }
        windows.removeAll { $0.span == window.span }
        windows.append(Allowance.Window(span: window.span, endsAt: window.endsAt, timeZone: timeZone))
        windows.sort { $0.span < $1.span }
    }

    /// What belongs to an earlier window is not shown any more.
    fileprivate mutating func count(_ unit: HeldUnit, _ change: (inout Allowance.Usage) -> Void) {
        for index in windows.indices where unit.windows.contains(where: { windows[index].is($0) }) {
            change(&windows[index].usage)
        }
    }
}
