import Contracts
import EventSourcing
import EventSourcingTesting
import Primitives
import Testing

@testable import quota

/// The states of a session for which a unit was asked.
enum ReservationState: CaseIterable {
    case unknown, reserved, charged, released, refused, endedBeforeItWasCreated, orphaned, erased
}

/// The stated outcome of every command about a session in every state of that session.
@Suite("Every state of a session and every command") struct EveryPairTests {
    private static let f = Fixture.self

    /// An allowance with one unit: what allows no second one.
    enum Setting: CaseIterable {
        case oneWindow, severalWindows, caps

        fileprivate var kind: SessionKind { self == .oneWindow ? .mirrormate : f.dance }

        private var plans: Plans {
            switch self {
            case .oneWindow: .builtIn
            case .severalWindows: f.dancing(.init(.hour, 1), .init(.localDay, 1))
            case .caps: f.dancing(.init(.localDay, nil), atOnce: 1, burst: .init(units: 1, seconds: 600))
            }
        }

        fileprivate func request(_ number: UInt64) -> AllowanceCommand { f.request(number, kind: kind, in: plans) }
        fileprivate func end(_ ending: Settlement) -> AllowanceCommand { f.end(1, ending, kind: kind) }

        /// The history that leads to a state of a session.
        fileprivate func given(_ state: ReservationState) -> Given {
            let holding = f.fresh.after(request(1))
            return switch state {
            case .unknown: f.fresh
            case .reserved: holding
            case .charged: holding.after(end(.completed))
            case .released: holding.after(end(.failed))
            case .refused: f.fresh.after([request(2), request(1)])
            case .endedBeforeItWasCreated: f.fresh.after(end(.expired))
            case .orphaned: holding.after(.orphan(sessionId: f.id(1)))
            case .erased: holding.after(erasure)
            }
        }

        fileprivate var rules: [CommandRule<ReservationState, Allowance>] {
            [
                .init("created", request(1), .gives("QuotaReserved", in: .unknown), .nothing()),
                .init(
                    "completed", end(.completed), .gives("EndingNoted", in: .unknown),
                    .gives("QuotaCommitted", in: .reserved), .nothing()),
                .init(
                    "failed", end(.failed), .gives("EndingNoted", in: .unknown),
                    .gives("QuotaReleased", in: .reserved), .nothing()),
                .init(
                    "unusable", end(.unusable), .gives("EndingNoted", in: .unknown),
                    .gives(self == .oneWindow ? "QuotaReleased" : "QuotaCommitted", in: .reserved), .nothing()),
                .init(
                    "expired", end(.expired), .gives("EndingNoted", in: .unknown),
                    .gives("QuotaReleased", in: .reserved), .nothing()),
                .init(
                    "cancelled", end(f.early), .gives("EndingNoted", in: .unknown),
                    .gives("QuotaReleased", in: .reserved), .nothing()),
                .init(
                    "cancelled after the start", end(f.late), .gives("EndingNoted", in: .unknown),
                    .gives(self == .oneWindow ? "QuotaReleased" : "QuotaCommitted", in: .reserved), .nothing()),
                .init(
                    "deleted", end(.deleted), .gives("EndingNoted", in: .unknown),
                    .gives("QuotaReleased", in: .reserved), .nothing()),
                .init("orphaned", .orphan(sessionId: f.id(1)), .gives("QuotaReleased", in: .reserved), .nothing()),
                .init("erased", erasure, .nothing(in: .erased), .gives("SubjectErased")),
                .init(
                    "plan changed", .changePlan(ownerId: f.owner, .premium), .refuses(.ownerErased, in: .erased),
                    .gives("PlanChanged")),
                .init(
                    "granted", .grant(ownerId: f.owner, kind: kind, units: 1), .refuses(.ownerErased, in: .erased),
                    .gives("ExtraGranted")),
                .init(
                    "bought", .notePurchase(ownerId: f.owner, Bought.state()), .nothing(in: .erased),
                    .gives("PurchaseNoted")),
                .init(
                    "given back", .noteRefund(ownerId: f.owner, Bought.refund(paid: 0)), .nothing(in: .erased),
                    .gives("RefundNoted")),
                .init(
                    "another created", request(2), .gives("QuotaRefused", in: .reserved, .charged),
                    .nothing(in: .refused, .erased), .gives("QuotaReserved")),
            ]
        }
    }

    private static let erasure = AllowanceCommand.recordErasure(subject: f.owner, removed: .init(rows: 1, objects: 0))

    @Test("has the stated outcome", arguments: Setting.allCases)
    func outcome(setting: Setting) {
        for rule in setting.rules { #expect(rule.violations(given: setting.given) == [], "\(setting)") }
    }

    @Test("leads to each private event of an allowance in some row", arguments: Setting.allCases)
    func everyEvent(setting: Setting) {
        #expect(eventsWithoutRow(setting.rules, of: "quota").subtracting(["PlanDefined"]) == [])
    }

    @Test(
        "settles a session at most once and holds nothing after an ending, in any order of three messages",
        arguments: Setting.allCases)
    func anyOrder(setting: Setting) {
        let commands = setting.rules.prefix(9).map(\.command)
        for first in commands {
            for second in commands {
                for third in commands {
                    let given = Self.f.fresh.after([first, second, third])
                    let names = given.history.map(\.type.name)
                    let settled = names.count { $0 == "QuotaCommitted" || $0 == "QuotaReleased" }
                    #expect(settled <= 1)
                    #expect(names.count { $0 == "QuotaReserved" } <= 1)
                    let ended = [first, second, third].contains { if case .settle = $0 { true } else { false } }
                    if ended {
                        #expect(given.state.kinds[setting.kind]?.windows.contains { $0.usage.reserved > 0 } != true)
                    }
                }
            }
        }
    }

    @Test("forgets everything when the owner is erased")
    func erased() {
        let given = Self.f.holding.after(.recordErasure(subject: Self.f.owner, removed: .init(rows: 1, objects: 0)))
        #expect(given.state.sessions.isEmpty)
        #expect(given.state.kinds.isEmpty)
    }
}
