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
        case .extraGranted(let ownerId, let kind, _): [AllowanceRow.Key(ownerId: ownerId, kind: kind)]
        case .planChanged(let ownerId, _), .subjectErased(let ownerId, _):
            Plan.kinds.map { AllowanceRow.Key(ownerId: ownerId, kind: $0) }
        case .refused, .endingNoted: []
        }
    }

    package static func evolve(
        _ row: AllowanceRow?, _ event: QuotaEvent, key: AllowanceRow.Key, recordedAt: Timestamp
    ) -> AllowanceRow? {
        var row = row ?? AllowanceRow(key)
        switch event {
        case .reserved(_, let unit, let count, let timeZone, _):
            row.plan = count.plan
            if row.window?.endsAt != unit.windowEndsAt {
                row.window = Allowance.Window(endsAt: unit.windowEndsAt, timeZone: timeZone)
            }
            row.window?.usage.hold(unit.source)
            if unit.source == .extra { row.extra -= 1 }
        case .committed(_, let unit):
            if row.window?.endsAt == unit.windowEndsAt { row.window?.usage.use(unit.source) }
        case .released(_, let unit, _, let isLateCancellation):
            if row.window?.endsAt == unit.windowEndsAt {
                row.window?.usage.free(unit.source, isLateCancellation: isLateCancellation)
            }
            if unit.source == .extra { row.extra += 1 }
        case .planChanged(_, let plan): row.plan = plan
        case .extraGranted(_, _, let units): row.extra += units
        case .subjectErased: return nil
        case .refused, .endingNoted: break
        }
        return row
    }
}
