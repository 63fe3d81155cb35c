import Contracts
import EventSourcingTesting
import Primitives
import Testing

@testable import quota

private let b = Bought.self

/// The rules of what was bought, each by its example.
@Suite("What was bought") struct EntitlementRuleTests {
    /// A purchase, a moment, and what it comes to.
    private static let examples:
        [(name: String, state: PurchaseState, day: Int64, reason: EntitlementReason, plan: PlanCode, ends: Int64?)] = [
            ("a paid month", b.state(), 29, .paid, .premium, 33),
            ("the days in which the renewal is awaited", b.state(), 30, .grace, .premium, 33),
            ("a renewal that never came", b.state(), 33, .expired, .free, 33),
            ("a month that does not renew", b.state(renews: false), 29, .paid, .premium, 30),
            ("its end", b.state(renews: false), 30, .expired, .free, 30),
            ("an end in the middle", b.state(stops: 10, renews: false), 9, .paid, .premium, 10),
            ("after it", b.state(stops: 10, renews: false), 10, .expired, .free, 10),
            ("a trial", b.state(.trialing, to: 7, trial: 7), 6, .trial, .premium, 10),
            ("a trial whose first payment is awaited", b.state(.trialing, to: 7, trial: 7), 7, .grace, .premium, 10),
            ("a trial that was ended", b.state(.trialing, to: 7, trial: 7, renews: false), 7, .expired, .free, 7),
            ("a payment that failed", b.state(.pastDue, from: 30, to: 60), 31, .billingRetry, .premium, 33),
            ("one that was tried for too long", b.state(.pastDue, from: 30, to: 60), 33, .unpaid, .free, 33),
            ("one that is tried no more", b.state(.unpaid, from: 30, to: 60), 31, .unpaid, .free, nil),
            ("no first payment", b.state(.incomplete), 0, .incomplete, .free, nil),
            ("none any more", b.state(.incompleteExpired), 1, .unpaid, .free, nil),
            ("a pause", b.state(.paused), 1, .paused, .free, nil),
            ("what was ended at once", b.state(.canceled, ended: 5, renews: false), 6, .revoked, .free, 5),
            ("what was ended with its period", b.state(.canceled, ended: 30, renews: false), 31, .expired, .free, 30),
            ("a status of tomorrow", b.state(PurchaseStatus(rawValue: "dormant")), 1, .statusUnknown, .free, nil),
            ("a price that nobody set", b.state(plan: nil), 1, .priceUnknown, .free, 33),
            ("another plan", b.state(plan: b.gold), 1, .paid, b.gold, 33),
        ]

    @Test("gives its plan for as long as the shop says, and no longer", arguments: examples.indices)
    func example(row: Int) {
        let (name, state, day, reason, plan, ends) = Self.examples[row]
        let standing = b.told(state).entitlement(on: day)
        #expect(standing.reason == reason && standing.plan == plan, "\(name)")
        #expect(standing.endsAt == ends.map(b.days), "\(name)")
        #expect(standing.isPremium == (plan != .free), "\(name)")
    }

    @Test("has every reason in some example")
    func reasons() {
        let seen = Set(Self.examples.map(\.reason)).union([.none, .operator, .refunded])
        #expect(seen == Set(EntitlementReason.allCases))
    }

    @Test("ends with the second, and not one later")
    func boundary() {
        let given = b.told(b.state(renews: false))
        #expect(given.entitlement(on: 30, and: -1).isPremium)
        #expect(!given.entitlement(on: 30).isPremium)
    }

    @Test("is the newest that was told, in whatever order it comes, and once")
    func order() {
        let told = [
            b.state(.incomplete, notice: "stripe/evt_9", step: .begun),
            b.state(.active, notice: "stripe/evt_8"),
            b.state(.active, at: 1, notice: "stripe/evt_7", plan: b.gold),
            b.state(.pastDue, at: 30, notice: "stripe/evt_6", plan: b.gold, from: 30, to: 60),
            b.state(
                .canceled, at: 31, notice: "stripe/evt_5", step: .ended, from: 30, to: 60, ended: 31, renews: false),
        ]
        for rotation in told.indices {
            let turned = Array(told[rotation...] + told[..<rotation])
            for order in [turned, turned.reversed(), turned + turned] {
                let given = Fixture.fresh.after(order.map { .notePurchase(ownerId: b.owner, $0) })
                #expect(given.state.entitlement.purchases.values.map(\.notice) == ["stripe/evt_5"])
                #expect(given.history.count <= told.count)
            }
        }
        #expect(b.told(told[0], told[1]).entitlement(on: 1).reason == .paid, "of the same second the change counts")
    }

    @Test("changes with an upgrade and a downgrade")
    func changes() {
        let up = b.told(b.state(), b.state(at: 10, notice: "stripe/evt_2", plan: b.gold))
        #expect(up.entitlement(on: 11).plan == b.gold)
        let down = up.after(
            .notePurchase(ownerId: b.owner, b.state(at: 30, notice: "stripe/evt_3", from: 30, to: 60)))
        #expect(down.entitlement(on: 31).plan == .premium)
    }

    @Test("is taken back with the payment for its period, and not with another one or with a part")
    func refunds() {
        let given = b.told(b.state())
        #expect(given.refunded(b.refund(paid: 0)).entitlement(on: 2).reason == .refunded)
        #expect(!given.refunded(b.refund(paid: 0)).entitlement(on: 2).isPremium)
        #expect(given.refunded(b.refund(paid: -1)).entitlement(on: 2).reason == .paid)
        #expect(given.refunded(b.refund(paid: 0, of: 99, isFull: false)).entitlement(on: 2).reason == .paid)
        #expect(given.refunded(b.refund(paid: 0, customer: "stripe/cus_2")).entitlement(on: 2).reason == .paid)
        // A part first, then the rest, in either order.
        let part = b.refund(paid: 0, of: 99, isFull: false, notice: "stripe/evt_z")
        for refunds in [[part, b.refund(paid: 0)], [b.refund(paid: 0), part]] {
            let both = refunds.reduce(given) { $0.refunded($1) }
            #expect(both.entitlement(on: 2).reason == .refunded)
        }
        // The next period is paid for anew; and what is given back may be heard of before what it was for.
        let renewed = given.refunded(b.refund(paid: 0)).after(
            .notePurchase(ownerId: b.owner, b.state(at: 30, notice: "stripe/evt_2", from: 30, to: 60)))
        #expect(renewed.entitlement(on: 31).reason == .paid)
        let early = Fixture.fresh.refunded(b.refund(paid: 0)).after(.notePurchase(ownerId: b.owner, b.state()))
        #expect(early.entitlement(on: 2).reason == .refunded)
    }

    @Test("of two that give something lasts as the longer one")
    func two() {
        let long = b.state(notice: "stripe/evt_2", purchase: "stripe/sub_2", plan: b.gold, to: 365)
        let given = b.told(b.state(), long)
        #expect(given.entitlement(on: 1).plan == b.gold)
        #expect(given.entitlement(on: 1).purchases.map(\.state.purchase) == ["stripe/sub_2", "stripe/sub_1"])
        // One that is over takes nothing from one that is not.
        let over = b.state(.canceled, at: 5, notice: "stripe/evt_3", step: .ended, ended: 5, renews: false)
        #expect(b.told(long, over).entitlement(on: 6).plan == b.gold)
    }

    @Test("and what an operator gave do not fight: the gift holds while it is there, and what was bought after it")
    func operators() {
        let bought = b.told(b.state(plan: b.gold))
        let given = bought.after(.changePlan(ownerId: b.owner, .premium))
        #expect(given.entitlement(on: 1).plan == .premium && given.entitlement(on: 1).reason == .operator)
        #expect(given.entitlement(on: 1).endsAt == nil)
        // No notification takes a gift away.
        let over = given.after(
            .notePurchase(
                ownerId: b.owner,
                b.state(.canceled, at: 2, notice: "stripe/evt_2", step: .ended, ended: 2, renews: false)))
        #expect(over.entitlement(on: 3).plan == .premium)
        #expect(over.after(.changePlan(ownerId: b.owner, .free)).entitlement(on: 3).reason == .revoked)
        // Taking a gift back leaves what was bought.
        #expect(given.after(.changePlan(ownerId: b.owner, .free)).entitlement(on: 3).plan == b.gold)
        #expect(Fixture.fresh.entitlement(on: 1).reason == .none)
    }

    @Test("admits what its plan does, until it ends")
    func admits() {
        let given = b.told(b.state(renews: false))
        func request(_ number: UInt64, _ day: Int64) -> AllowanceCommand {
            Fixture.request(number, at: b.days(day), dayEnds: b.days(day).adding(seconds: 43_200))
        }
        let busy = given.after([request(1, 1), request(2, 1)])
        #expect(busy.admits(request(3, 1)), "without a limit")
        let late = given.after(request(1, 30))
        #expect(late.refuses(request(2, 30)) != nil, "one a day again")
        #expect(given.state.standing(of: .mirrormate, at: b.days(29)).plan == .premium)
        #expect(given.state.standing(of: .mirrormate, at: b.days(30)).plan == .free)
    }

    @Test("is understood anew when the same notification is, by other settings")
    func again() {
        let unknown = b.told(b.state(plan: nil))
        let known = unknown.after(.notePurchase(ownerId: b.owner, b.state()))
        #expect(known.history.count == 2 && known.entitlement(on: 1).plan == .premium)
    }

    @Test("is nothing of somebody who is erased")
    func erased() {
        let gone = b.told(b.state()).after(.recordErasure(subject: b.owner, removed: .init(rows: 1, objects: 0)))
        #expect(gone.state.entitlement == Entitlement())
        #expect(gone.when(.notePurchase(ownerId: b.owner, b.state())) == .events([]))
        #expect(gone.when(.noteRefund(ownerId: b.owner, b.refund(paid: 0))) == .events([]))
    }
}
