import Contracts
import EventSourcingTesting
import Primitives
import Testing

@testable import quota

@Suite("An allowance") struct AllowanceRuleTests {
    private let f = Fixture.self

    @Test("gives the one unit of the free plan") func first() {
        let count = Count(
            f.basis(), windows: [.init(.localDay, limit: 1, used: 0, reserved: 1)], createdAt: f.noon)
        #expect(
            f.fresh.when(f.request(1))
                == .events([
                    .reserved(
                        f.session(1), f.unit(), count, timeZone: f.berlin, expiresAt: f.noon.adding(seconds: 900))
                ]))
    }

    @Test("names the open session that holds the last unit") func sessionOpen() {
        let refusal = f.holding.refuses(f.request(2))
        #expect(refusal?.code == .sessionOpen)
        #expect(refusal?.heldBy == HeldBy(sessionId: f.id(1), expiresAt: f.noon.adding(seconds: 900)))
        #expect(refusal?.resetsAt == f.midnight)
        #expect(refusal?.window == .localDay)
    }

    @Test("says when units are there again once they are used up") func exceeded() {
        let refusal = f.charged.refuses(f.request(2))
        #expect(refusal?.code == .quotaExceeded)
        #expect(refusal?.resetsAt == f.midnight)
        #expect(refusal?.heldBy == nil)
    }

    @Test("admits exactly one of a hundred parallel requests") func hundred() {
        let given = f.fresh.after((1...100).map { f.request($0) })
        #expect(given.history.count { if case .reserved = $0 { true } else { false } } == 1)
        #expect(given.history.count { if case .refused = $0 { true } else { false } } == 99)
    }

    @Test("charges a completed session") func commit() {
        #expect(f.holding.when(f.end(1, .completed)) == .events([.committed(f.session(1), f.unit())]))
    }

    @Test(
        "gives back what did not complete",
        arguments: [
            (Settlement.failed, ReleaseReason.failed), (.expired, .expired), (Fixture.early, .cancelled),
            (.deleted, .deleted),
        ])
    func release(ending: Settlement, reason: ReleaseReason) {
        #expect(
            f.holding.when(f.end(1, ending))
                == .events([.released(f.session(1), f.unit(), reason, isLateCancellation: false)]))
        #expect(f.holding.after(f.end(1, ending)).admits(f.request(2)))
    }

    @Test("is free for the next session when that replaces the one that held it") func replaces() {
        #expect(f.holding.after(f.end(1, f.early)).admits(f.request(2)))
    }

    @Test("forgives three late cancellations in a window and charges the fourth") func lateCancellations() {
        var given = f.fresh
        for number in UInt64(1)...3 { given = given.after([f.request(number), f.end(number, f.late)]) }
        #expect(given.state.standing(of: .mirrormate, at: f.noon).remaining == 1)
        given = given.after(f.request(4))
        #expect(given.when(f.end(4, f.late)) == .events([.committed(f.session(4), f.unit())]))
        #expect(given.after(f.end(4, f.late)).refuses(f.request(5))?.code == .quotaExceeded)
    }

    @Test("forgives three unusable recordings in a window and charges the fourth") func unusable() {
        var given = f.fresh
        for number in UInt64(1)...3 {
            given = given.after(f.request(number))
            #expect(
                given.when(f.end(number, .unusable))
                    == .events([.released(f.session(number), f.unit(), .unusable, isLateCancellation: false)]))
            given = given.after(f.end(number, .unusable))
        }
        #expect(given.state.standing(of: .mirrormate, at: f.noon).remaining == 1)
        given = given.after(f.request(4))
        #expect(given.when(f.end(4, .unusable)) == .events([.committed(f.session(4), f.unit())]))
        #expect(given.after(f.end(4, .unusable)).refuses(f.request(5))?.code == .quotaExceeded)
        // Any other failure still costs nothing.
        #expect(
            given.when(f.end(4, .failed))
                == .events([.released(f.session(4), f.unit(), .failed, isLateCancellation: false)]))
        let tomorrow = f.midnight.adding(seconds: 86_400)
        given = given.after([f.end(4, .unusable), f.request(5, at: f.midnight, dayEnds: tomorrow)])
        #expect(
            given.when(f.end(5, .unusable))
                == .events([.released(f.session(5), f.unit(tomorrow), .unusable, isLateCancellation: false)]))
    }

    @Test("counts unusable recordings and late cancellations apart, and failures not at all") func apart() {
        var given = f.fresh
        for number in UInt64(1)...3 { given = given.after([f.request(number), f.end(number, f.late)]) }
        for number in UInt64(4)...6 { given = given.after([f.request(number), f.end(number, .failed)]) }
        for number in UInt64(7)...9 { given = given.after([f.request(number), f.end(number, .unusable)]) }
        let usage = given.state.kinds[.mirrormate]?.windows.last?.usage
        #expect(usage?.lateCancellations == 3 && usage?.unusable == 3 && usage?.used == 0)
        #expect(given.admits(f.request(10)))
    }

    @Test("forgives as many early cancellations as there are") func earlyCancellations() {
        var given = f.fresh
        for number in UInt64(1)...10 { given = given.after([f.request(number), f.end(number, f.early)]) }
        #expect(given.admits(f.request(11)))
    }

    @Test("forgives again in the next window") func lateCancellationsNextDay() {
        var given = f.fresh
        for number in UInt64(1)...4 { given = given.after([f.request(number), f.end(number, f.late)]) }
        let tomorrow = f.midnight.adding(seconds: 86_400)
        given = given.after(f.request(5, at: f.midnight, dayEnds: tomorrow))
        #expect(
            given.when(f.end(5, f.late))
                == .events([.released(f.session(5), f.unit(tomorrow), .cancelled, isLateCancellation: true)]))
    }

    @Test("refunds nothing for deleting what was completed") func deleteCharged() {
        #expect(f.charged.when(f.end(1, .deleted)) == .events([]))
    }

    @Test("has no unit of a kind that the plan does not know") func unknownKind() {
        let refusal = f.fresh.refuses(f.request(1, kind: SessionKind(rawValue: "dance")))
        #expect(refusal?.code == .quotaExceeded)
    }

    // MARK: Plans and gifts

    @Test("is without limit for premium, and says so") func premium() {
        let given = f.premium.after((1...20).map { f.request($0) })
        #expect(given.admits(f.request(21)))
        #expect(given.state.standing(of: .mirrormate, at: f.noon).limit == nil)
        #expect(given.state.standing(of: .mirrormate, at: f.noon).remaining == nil)
        #expect(given.state.standing(of: .mirrormate, at: f.noon).reserved == 20)
    }

    @Test("counts what was used before the plan changed") func planChanges() {
        #expect(f.charged.after(.changePlan(ownerId: f.owner, .premium)).admits(f.request(2)))
        let smaller = f.premium.after([
            f.request(1), f.request(2), f.end(1, .completed), .changePlan(ownerId: f.owner, .free),
        ])
        // Ending session 2 would not make room, so it is not offered as the way out.
        #expect(smaller.refuses(f.request(3))?.code == .quotaExceeded)
        #expect(smaller.state.standing(of: .mirrormate, at: f.noon).remaining == 0)
    }

    @Test("changes to a plan once, with the kinds that the owner has used") func planCommand() {
        #expect(
            f.fresh.when(.changePlan(ownerId: f.owner, .premium))
                == .events([.planChanged(ownerId: f.owner, .premium, kinds: [])]))
        #expect(
            f.holding.when(.changePlan(ownerId: f.owner, .premium))
                == .events([.planChanged(ownerId: f.owner, .premium, kinds: [.mirrormate])]))
        #expect(f.premium.when(.changePlan(ownerId: f.owner, .premium)) == .events([]))
    }

    @Test("treats a plan that is not defined like the free one") func unknownPlan() {
        let given = Given([.planChanged(ownerId: f.owner, PlanCode(rawValue: "gold"), kinds: [])]).after(f.request(1))
        #expect(given.refuses(f.request(2))?.code == .sessionOpen)
    }

    @Test("grows by gifts, which last until they are used") func gifts() {
        let gift = AllowanceCommand.grant(ownerId: f.owner, kind: .mirrormate, units: 1)
        let given = f.charged.after(gift)
        #expect(given.state.standing(of: .mirrormate, at: f.noon).remaining == 1)
        #expect(given.state.standing(of: .mirrormate, at: f.noon).limit == 2)
        let used = given.after([f.request(2), f.end(2, .completed)])
        #expect(used.refuses(f.request(3))?.code == .quotaExceeded)
        let kept = given.after(f.request(2, at: f.midnight, dayEnds: f.midnight.adding(seconds: 86_400)))
        #expect(kept.state.standing(of: .mirrormate, at: f.midnight).remaining == 1)
    }

    @Test("takes a gift back when the work that held it failed, even on another day") func giftBack() {
        let given = f.charged.after([
            .grant(ownerId: f.owner, kind: .mirrormate, units: 1), f.request(2),
            f.request(3, at: f.midnight, dayEnds: f.midnight.adding(seconds: 86_400)),
        ])
        #expect(given.state.standing(of: .mirrormate, at: f.midnight).remaining == 0)
        #expect(given.after(f.end(2, .failed)).state.standing(of: .mirrormate, at: f.midnight).remaining == 1)
    }

    @Test("takes as large a gift as there is") func largestGift() {
        #expect(
            f.fresh.when(.grant(ownerId: f.owner, kind: .mirrormate, units: 1_000))
                == .events([.extraGranted(ownerId: f.owner, kind: .mirrormate, units: 1_000, plan: Plans.first)]))
    }

    @Test("refuses gifts that make no sense") func badGifts() {
        for units in [Int64(0), -1, 1_001] {
            #expect(
                f.fresh.when(.grant(ownerId: f.owner, kind: .mirrormate, units: units))
                    == .refusal(.unitsOutOfRange))
        }
    }
}
