import Contracts
import Primitives
import Testing
import TestingSupport

@testable import quota

private let day: Int64 = 86_400
private let grace = 3 * day

/// What is true of one purchase at a shop, in the order in which it became so. The model knows this order; what is tested is told
/// pieces of it and has to find it.
private struct Truth {
    enum Phase {
        case incomplete, never, trial, paid, ending, retried, unpaid, paused, over, unheardOf
    }

    var phase: Phase
    var at: Int64
    var isFirst = false
    var start: Int64
    var end: Int64
    var plan: PlanCode?
    /// When it was over, in that phase; or is to be, before.
    var stop: Int64?
    /// How the phase stood before somebody said that it is to end.
    var isTrial = false

    /// As a shop would tell it.
    func told(_ purchase: Int, _ number: Int, by customer: String) -> PurchaseState {
        let status: PurchaseStatus =
            switch phase {
            case .incomplete: .incomplete
            case .never: .incompleteExpired
            case .trial: .trialing
            case .paid: .active
            case .ending: isTrial ? .trialing : .active
            case .retried: .pastDue
            case .unpaid: .unpaid
            case .paused: .paused
            case .over: .canceled
            case .unheardOf: PurchaseStatus(rawValue: "hibernating")
            }
        return PurchaseState(
            // No order lies in the ids.
            notice: "stripe/evt_\((number &* 7_919) % 104_729)_\(purchase)", purchase: "stripe/sub_\(purchase)",
            customer: customer, statedAt: Timestamp(seconds: at),
            step: isFirst ? .begun : phase == .over ? .ended : .changed, status: status, plan: plan,
            price: .init(id: "price", amountMinor: 499, currency: "usd"), boughtAt: Timestamp(seconds: 0),
            periodStartsAt: Timestamp(seconds: start), periodEndsAt: Timestamp(seconds: end),
            trialEndsAt: status == .trialing ? Timestamp(seconds: end) : nil,
            stopsAt: phase == .ending ? stop.map { Timestamp(seconds: $0) } : nil,
            endedAt: phase == .over ? stop.map { Timestamp(seconds: $0) } : nil, cancelledAt: nil,
            renews: ![.ending, .over].contains(phase), graceSeconds: grace)
    }

    /// What it gives at a moment: until when, and why; nil of the first for nothing.
    func gives(at moment: Int64) -> (until: Int64?, reason: EntitlementReason, shown: Int64?) {
        func over(_ last: Int64, _ reason: EntitlementReason) -> (Int64?, EntitlementReason, Int64?) {
            (nil, reason, last)
        }
        var verdict: (until: Int64?, reason: EntitlementReason, shown: Int64?)
        switch phase {
        case .incomplete: verdict = (nil, .incomplete, nil)
        case .never, .unpaid: verdict = (nil, .unpaid, nil)
        case .paused: verdict = (nil, .paused, nil)
        case .unheardOf: verdict = (nil, .statusUnknown, nil)
        case .over: verdict = over(stop!, stop! < end ? .revoked : .expired)
        case .retried:
            let last = start + grace
            verdict = moment >= last ? over(last, .unpaid) : (last, .billingRetry, last)
        case .ending:
            let last = min(stop ?? end, end)
            verdict = moment >= last ? over(last, .expired) : (last, isTrial ? .trial : .paid, last)
        case .trial, .paid:
            let last = end + grace
            let now: EntitlementReason = moment >= end ? .grace : phase == .trial ? .trial : .paid
            verdict = moment >= last ? over(last, .expired) : (last, now, last)
        }
        if verdict.until != nil, plan == nil { verdict = (nil, .priceUnknown, verdict.shown) }
        return verdict
    }
}

private struct GivenBack {
    let payment: Int
    let customer: String
    let paidAt: Int64
    let at: Int64
    let isFull: Bool

    func told(_ number: Int) -> RefundState {
        RefundState(
            notice: "stripe/evt_r\((number &* 7_919) % 104_729)", payment: "stripe/ch_\(payment)", customer: customer,
            statedAt: Timestamp(seconds: at), paidAt: Timestamp(seconds: paidAt), amountMinor: isFull ? 499 : 120,
            currency: "usd", isFull: isFull)
    }
}

/// What can reach the allowance.
private enum Arrival {
    case purchase(Int, Int)
    case refund(Int)
    case gift(PlanCode)
}

/// One owner's purchases as they truly went, and who was told what of them.
private struct World {
    var truths: [[Truth]] = []
    var customers: [String] = []
    var refunds: [GivenBack] = []
    /// The newest of each that was delivered.
    var known: [Int: Int] = [:]
    var knownRefunds: Set<Int> = []
    var given = Plans.first

    init(_ random: inout SeededRandom) {
        for purchase in 0...random.below(3) {
            customers.append("stripe/cus_\(random.chance(30) ? 0 : purchase)")
            truths.append(live(&random, customers[purchase]))
        }
    }

    private mutating func live(_ random: inout SeededRandom, _ customer: String) -> [Truth] {
        let began = Int64(random.below(60)) * day + Int64(random.below(1_000))
        let plans: [PlanCode?] = [.premium, .premium, Bought.gold, nil]
        var now = Truth(
            phase: .paid, at: began, isFirst: true, start: began, end: began + 30 * day, plan: random.pick(plans)!)
        switch random.below(3) {
        case 0: now.phase = .incomplete
        case 1: (now.phase, now.end) = (.trial, began + 7 * day)
        default: break
        }
        var all = [now]
        for _ in 0..<random.below(10) {
            if [.over, .never].contains(now.phase) { break }
            now.isFirst = false
            let pause = Int64(1 + random.below(5 * Int(day)))
            switch (now.phase, random.below(8)) {
            case (.incomplete, 0): (now.phase, now.at) = (.never, now.at + pause)
            // A shop often tells it within the second in which the purchase began.
            case (.incomplete, _): now.phase = .paid
            case (.unpaid, 0...5), (.paused, 0...5), (.unheardOf, 0...5), (.retried, 0...3):
                (now.phase, now.at) = (.paid, now.at + pause)
            case (.retried, 4...5): (now.phase, now.at) = (.unpaid, now.at + pause)
            case (.ending, 0...3): (now.phase, now.at, now.stop) = (now.isTrial ? .trial : .paid, now.at + pause, nil)
            case (.trial, 0...3), (.paid, 0...1):
                now.at = max(now.end, now.at + 1)
                (now.start, now.end, now.phase) = (now.end, now.end + 30 * day, .paid)
            case (.paid, 2):
                now.at = max(now.end, now.at + 1)
                (now.start, now.end, now.phase) = (now.end, now.end + 30 * day, .retried)
            case (.paid, 3):
                // Another plan, at once or from a new period on that begins at once.
                now.plan = random.pick(plans)!
                if random.chance(50) {
                    now.at += pause
                } else {
                    now.end += 30 * day
                }
            case (.paid, 4...5), (.trial, 4...5):
                now.isTrial = now.phase == .trial
                now.at += pause
                now.stop = random.chance(50) ? nil : min(now.at + pause, now.end)
                now.phase = .ending
            case (.paid, 6): (now.phase, now.at) = (random.chance(50) ? .paused : .unheardOf, now.at + pause)
            default:
                now.at += pause
                (now.phase, now.stop) = (.over, random.chance(50) ? now.at : max(now.at, now.end))
            }
            all.append(now)
            if now.phase == .paid, random.chance(20) { giveBack(&random, now, customer) }
        }
        return all
    }

    private mutating func giveBack(_ random: inout SeededRandom, _ now: Truth, _ customer: String) {
        let paidAt = now.start + Int64(random.below(7_200)) - (random.chance(20) ? 10_000 : 0)
        let payment = refunds.count
        for isFull in random.chance(40) ? [false, true] : [random.chance(70)] {
            refunds.append(
                GivenBack(
                    payment: payment, customer: customer, paidAt: paidAt, at: now.at + (isFull ? 20 : 10),
                    isFull: isFull))
        }
    }

    /// All that is told, some of it several times, late by any time, and with an operator between.
    func arrivals(_ random: inout SeededRandom) -> [Arrival] {
        var all: [Arrival] = []
        for (purchase, truths) in truths.enumerated() {
            for index in truths.indices { for _ in 0...random.below(3) { all.append(.purchase(purchase, index)) } }
        }
        for index in refunds.indices { for _ in 0...random.below(2) { all.append(.refund(index)) } }
        for _ in 0..<random.below(3) {
            all.append(.gift(random.pick([.free, .premium, .free, Bought.gold])!))
        }
        // Some of it in order, as most of it is in life.
        if random.chance(80) { all.shuffle(using: &random) }
        return all
    }

    mutating func deliver(_ arrival: Arrival) {
        switch arrival {
        case .purchase(let purchase, let index): known[purchase] = max(known[purchase] ?? 0, index)
        case .refund(let index): knownRefunds.insert(index)
        case .gift(let plan): given = plan
        }
    }

    /// What the owner has at a moment, by what was delivered.
    ///
    /// - Parameter others: what purchases in other shops give.
    func answer(at moment: Int64, beside others: [Verdict] = []) -> Verdict.Answer {
        Verdict.answer(given: given, verdicts(at: moment) + others)
    }

    private func verdicts(at moment: Int64) -> [Verdict] {
        known.map { purchase, index in
            let truth = truths[purchase][index]
            let (until, reason, shown) = truth.gives(at: moment)
            let isGivenBack = knownRefunds.contains {
                let refund = refunds[$0]
                return refund.isFull && refund.customer == customers[purchase]
                    && (truth.start..<truth.end).contains(refund.paidAt)
            }
            return Verdict(
                purchase: "stripe/sub_\(purchase)", at: truth.at, plan: truth.plan, until: isGivenBack ? nil : until,
                reason: isGivenBack ? .refunded : reason, shown: isGivenBack ? nil : shown)
        }
    }

    /// Moments at which something may change, and some beside them.
    func moments(_ random: inout SeededRandom) -> [Int64] {
        let truth = truths[random.below(truths.count)].randomElement(using: &random)!
        let edge = random.pick([
            truth.at, truth.start, truth.end, truth.stop ?? 0, truth.end + grace, truth.start + grace,
        ])!
        return [edge - 1, edge, edge + 1, Int64(random.below(400)) * day]
    }
}

@Suite("The entitlement after any history of notifications") struct EntitlementModelTests {
    private static let perSeed = 100

    @Test(
        "is that of a model which knows the true order, however they are doubled, delayed and shuffled",
        arguments: 1...50)
    func model(block: Int) {
        for seed in 0..<Self.perSeed {
            var random = SeededRandom(seed: UInt64(block * Self.perSeed + seed))
            var world = World(&random)
            var state = Allowance.initial
            var seen = 0
            for arrival in world.arrivals(&random) {
                world.deliver(arrival)
                guard let events = try? Allowance.decide(command(arrival, world), state) else {
                    Issue.record("seed \(block)/\(seed): refused")
                    return
                }
                if case .gift = arrival {} else { seen += events.count }
                state = events.reduce(state) { Allowance.evolve($0, $1) }
                for moment in world.moments(&random) where differs(state, world.answer(at: moment), moment) {
                    let (now, model) = (state.entitlement(at: Timestamp(seconds: moment)), world.answer(at: moment))
                    Issue.record("seed \(block)/\(seed) at \(moment): \(now.words), and the model says \(model)")
                    return
                }
            }
            let distinct = world.truths.map(\.count).reduce(0, +) + world.refunds.count
            #expect(seen <= distinct, "seed \(block)/\(seed): something was recorded twice")
        }
    }

    @Test(
        "is that of the model as well for purchases in the App Store, alone and beside others at Stripe",
        arguments: 1...50)
    func appStore(block: Int) throws {
        for seed in 0..<Self.perSeed {
            var random = SeededRandom(seed: UInt64(1_000_000 + block * Self.perSeed + seed))
            var apple = AppleWorld(&random)
            var stripe = World(&random)
            let others = random.chance(50) ? stripe.arrivals(&random) : []
            var all = others.map(Step.stripe) + apple.arrivals(&random).map(Step.apple)
            if random.chance(80) { all.shuffle(using: &random) }
            var state = Allowance.initial
            for step in all {
                let commands: [AllowanceCommand]
                switch step {
                case .stripe(let arrival):
                    stripe.deliver(arrival)
                    commands = [command(arrival, stripe)]
                case .apple(let arrival):
                    apple.deliver(arrival)
                    commands = try AppleTold.commands(try apple.told(arrival), AppleWorld.terms)
                }
                for command in commands {
                    state = try Allowance.decide(command, state).reduce(state) { Allowance.evolve($0, $1) }
                }
                for moment in apple.moments(&random) + (others.isEmpty ? [] : stripe.moments(&random)) {
                    let model = stripe.answer(at: moment, beside: apple.verdicts(at: moment))
                    guard differs(state, model, moment) else { continue }
                    let now = state.entitlement(at: Timestamp(seconds: moment))
                    Issue.record("seed \(block)/\(seed) at \(moment): \(now.words), and the model says \(model)")
                    return
                }
            }
        }
    }

    private enum Step {
        case stripe(Arrival)
        case apple(AppleWorld.Arrival)
    }

    private func differs(_ state: Allowance, _ model: Verdict.Answer, _ moment: Int64) -> Bool {
        let at = Timestamp(seconds: moment)
        let standing = state.entitlement(at: at)
        return standing.plan != model.plan || standing.reason != model.reason
            || standing.endsAt != model.endsAt.map { Timestamp(seconds: $0) }
            || standing.isPremium != (model.plan != Plans.first)
            // What admits goes by the same.
            || state.standing(of: .mirrormate, at: at).plan != model.plan
    }

    private func command(_ arrival: Arrival, _ world: World) -> AllowanceCommand {
        switch arrival {
        case .purchase(let purchase, let index):
            let truth = world.truths[purchase][index]
            return .notePurchase(
                ownerId: Bought.owner, truth.told(purchase, index, by: world.customers[purchase]))
        case .refund(let index): return .noteRefund(ownerId: Bought.owner, world.refunds[index].told(index))
        case .gift(let plan): return .changePlan(ownerId: Bought.owner, plan)
        }
    }
}
