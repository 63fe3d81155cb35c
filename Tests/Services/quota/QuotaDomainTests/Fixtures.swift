import Contracts
import EventSourcingTesting
import Primitives

@testable import quota

typealias Given = Specification<Allowance>

/// One owner in Berlin, where a day ends at 23:00 UTC in winter.
enum Fixture {
    static let owner = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_00FF)
    /// 21 November 2026, 23:00 UTC: midnight in Berlin.
    static let midnight = Timestamp(rfc3339: "2026-11-21T23:00:00Z")!
    static let noon = midnight.adding(seconds: -12 * 3_600)
    static let berlin = "Europe/Berlin"

    static func id(_ number: UInt64) -> UUID { UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0000 + number) }

    static func session(_ number: UInt64) -> SessionIdentity {
        SessionIdentity(sessionId: id(number), ownerId: owner, kind: .mirrormate)
    }

    static func unit(_ endsAt: Timestamp = midnight, _ source: UnitSource = .plan) -> HeldUnit {
        HeldUnit(windows: [.init(.localDay, endsAt: endsAt)], source: source)
    }

    /// What the free plan has of speaking videos, or another that the service brings with it.
    static func basis(_ plan: PlanCode = .free) -> TermsInForce { Plans.builtIn.terms(of: plan, for: .mirrormate) }

    static func request(
        _ number: UInt64, at moment: Timestamp = noon, zone: String = berlin, dayEnds: Timestamp = midnight,
        kind: SessionKind = .mirrormate, in plans: Plans = .builtIn
    ) -> QuotaCommand {
        .reserve(
            UnitRequest(
                sessionId: id(number), ownerId: owner, kind: kind, createdAt: moment,
                expiresAt: moment.adding(seconds: 900), timeZone: zone, localDayEndsAt: dayEnds, plans: plans))
    }

    static func end(
        _ number: UInt64, _ settlement: Settlement, kind: SessionKind = .mirrormate
    ) -> QuotaCommand {
        .settle(SessionIdentity(sessionId: id(number), ownerId: owner, kind: kind), settlement)
    }

    // A kind that no product code knows, with everything that an allowance can have.

    static let dance = SessionKind(rawValue: "dance")
    static let danceTerms = PlanDefinition(
        .free, [dance: KindTerms(windows: [.init(.localDay, 3), .init(.hour, 2)], lateCancellations: 1)])
    /// 2 an hour and 3 a local day.
    static let dances = Plans([danceTerms])

    /// Plans with one kind, `dance`.
    static func dancing(
        _ windows: KindTerms.WindowLimit..., atOnce: Int64? = nil, burst: KindTerms.Burst? = nil
    ) -> Plans {
        let terms = KindTerms(windows: windows, atOnce: atOnce, burst: burst, lateCancellations: 0)
        return Plans([PlanDefinition(.free, [dance: terms])])
    }

    /// A dance that begins some minutes after noon.
    static func dance(
        _ number: UInt64, _ minutes: Int64, in plans: Plans = dances, dayEnds: Timestamp = midnight
    ) -> QuotaCommand {
        request(number, at: noon.adding(seconds: minutes * 60), dayEnds: dayEnds, kind: dance, in: plans)
    }

    static func danced(_ number: UInt64, _ settlement: Settlement = .completed) -> QuotaCommand {
        end(number, settlement, kind: dance)
    }

    static func minutes(_ count: Int64) -> Timestamp { noon.adding(seconds: count * 60) }

    static let late = Settlement.cancelled(analysisStarted: true)
    static let early = Settlement.cancelled(analysisStarted: false)
    static let fresh = Given([])
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
    func refuses(_ command: QuotaCommand) -> QuotaDenial? {
        guard case .events(let events) = when(command), case .refused(_, let denial, _) = events.first else {
            return nil
        }
        return denial
    }
}

extension Allowance {
    /// What is left under the plans that the service brings with it.
    func standing(of kind: SessionKind, at moment: Timestamp) -> Standing {
        standing(of: kind, in: .builtIn, at: moment)
    }
}
