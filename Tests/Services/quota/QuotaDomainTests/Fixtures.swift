import Contracts
import EventSourcingTesting
import Primitives

@testable import quota

typealias Story = Specification<Allowance>

/// One owner in Berlin, where a day ends at 23:00 UTC in winter.
enum Fixture {
    static let owner = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_00FF)
    /// 21 November 2026, 23:00 UTC: midnight in Berlin.
    static let midnight = Timestamp(rfc3339: "2026-11-21T23:00:00Z")!
    static let noon = midnight.adding(seconds: -12 * 3_600)
    static let berlin = "Europe/Berlin"

    static func id(_ number: UInt64) -> UUID { UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0000 + number) }

    static func session(_ number: UInt64) -> ChargedSession {
        ChargedSession(sessionId: id(number), ownerId: owner, kind: .mirrormate)
    }

    static func unit(_ endsAt: Timestamp = midnight, _ source: UnitSource = .plan) -> HeldUnit {
        HeldUnit(windowEndsAt: endsAt, source: source)
    }

    static func request(
        _ number: UInt64, at moment: Timestamp = noon, zone: String = berlin, dayEnds: Timestamp = midnight,
        kind: SessionKind = .mirrormate
    ) -> QuotaCommand {
        .reserve(
            UnitRequest(
                sessionId: id(number), ownerId: owner, kind: kind, createdAt: moment,
                expiresAt: moment.adding(seconds: 900), timeZone: zone, localDayEndsAt: dayEnds))
    }

    static func end(_ number: UInt64, _ ending: SessionEnding) -> QuotaCommand {
        .settle(sessionId: id(number), ownerId: owner, kind: .mirrormate, ending)
    }

    static let late = SessionEnding.cancelled(analysisStarted: true)
    static let early = SessionEnding.cancelled(analysisStarted: false)
    static let fresh = Story([])
    static let holding = fresh.after(request(1))
    static let charged = holding.after(end(1, .completed))
    static let premium = fresh.after(.changePlan(ownerId: owner, .premium))
}

extension Specification where D == Allowance {
    /// The last event that says whether a session may begin.
    func admits(_ command: QuotaCommand) -> Bool {
        guard case .events(let events) = when(command), case .reserved = events.first else { return false }
        return true
    }

    /// Why a session may not begin, and when units are there again.
    func refuses(_ command: QuotaCommand) -> (code: QuotaRefusalCode, resetsAt: Timestamp, heldBy: HeldBy?)? {
        guard case .events(let events) = when(command),
            case .refused(_, let code, let resetsAt, let heldBy) = events.first
        else { return nil }
        return (code, resetsAt, heldBy)
    }
}
