import Contracts
import JSON
import Primitives
import TestingSupport

@testable import quota

private let day: Int64 = 86_400
private let grace = 3 * day

/// What a model says that one purchase gives at a moment.
struct Verdict {
    typealias Answer = (plan: PlanCode, reason: EntitlementReason, endsAt: Int64?)

    let purchase: String
    /// When that was so of which it is known.
    let at: Int64
    let plan: PlanCode?
    /// Nil where it gives nothing.
    let until: Int64?
    let reason: EntitlementReason
    let shown: Int64?

    /// What somebody has who was given a plan by an operator and bought these.
    static func answer(given: PlanCode, _ verdicts: [Verdict]) -> Answer {
        if given != Plans.first { return (given, .operator, nil) }
        var best: (until: Int64, verdict: Verdict, plan: PlanCode)?
        var last: Verdict?
        for verdict in verdicts.sorted(by: { $0.purchase < $1.purchase }) {
            if let until = verdict.until, let plan = verdict.plan {
                if best.map({ (until, verdict.at) > ($0.until, $0.verdict.at) }) ?? true {
                    best = (until, verdict, plan)
                }
            } else if last.map({ verdict.at > $0.at }) ?? true {
                last = verdict
            }
        }
        if let best { return (best.plan, best.verdict.reason, best.until) }
        return last.map { (Plans.first, $0.reason, $0.shown) } ?? (Plans.first, .none, nil)
    }
}

/// Subscriptions in the App Store as they truly went. The model knows the order of what became so; what is tested is told of it by
/// notifications and by transactions that an app hands in.
struct AppleWorld {
    static let terms = PurchaseTerms(
        plans: [:], products: ["monthly": .premium, "gold": Bought.gold], graceSeconds: grace)

    private enum Phase {
        case trial, paid
        /// The payment is tried again, and the plan lasts until then.
        case retried(Int64)
        case over(Int64)
        case unheardOf
    }

    private struct Payment {
        let start: Int64
        let end: Int64
        let product: String
        let isTrial: Bool
    }

    /// What was so from a moment on, and how it is told.
    private struct Moment {
        var at: Int64
        var payment: Int
        var phase: Phase
        var renews: Bool
        /// Nil for what an app hands in.
        var type: String?
        var status: Int64 = 1
        /// When an app got what it hands in: at any time after it became so.
        var signedAt: Int64

        var signedMilliseconds: Int64 { (type == nil ? signedAt : at) * 1_000 }
    }

    private struct Refund {
        let payment: Int
        /// In milliseconds, of which notifications of another kind have none.
        let at: Int64
        let isReversed: Bool
    }

    private struct Subscription {
        var payments: [Payment] = []
        var moments: [Moment] = []
        var refunds: [Refund] = []
        /// Those that another one replaced before they ended.
        var upgraded: [Int] = []
        // What was delivered.
        var known: Int?
        var knownRefunds: [Int: (at: Int64, isFull: Bool)] = [:]

        /// Whether the payment is given back at a moment, in milliseconds.
        func isGivenBack(_ payment: Int, at moment: Int64) -> Bool {
            let last = refunds.filter { $0.payment == payment && $0.at <= moment }
                .max { ($0.at, $1.isReversed ? 1 : 0) < ($1.at, $0.isReversed ? 1 : 0) }
            return last.map { !$0.isReversed } ?? false
        }

        mutating func learn(_ payment: Int, at moment: Int64, isFull: Bool) {
            if let known = knownRefunds[payment], (known.at, known.isFull ? 1 : 0) >= (moment, isFull ? 1 : 0) {
                return
            }
            knownRefunds[payment] = (moment, isFull)
        }
    }

    /// What can reach the allowance.
    enum Arrival {
        case moment(Int, Int)
        case refund(Int, Int)
        /// An app hands in what was upgraded.
        case upgraded(Int, Int)
    }

    private var subscriptions: [Subscription] = []

    init(_ random: inout SeededRandom) {
        for _ in 0...random.below(2) { subscriptions.append(Self.live(&random)) }
    }

    // MARK: How they went

    private static func live(_ random: inout SeededRandom) -> Subscription {
        var told = Subscription()
        let products = ["monthly", "monthly", "gold", "odd"]
        var (next, isTrial) = (random.pick(products)!, random.chance(40))
        var now = Moment(at: 0, payment: 0, phase: .paid, renews: true, signedAt: 0)

        func pay(_ start: Int64) {
            told.payments.append(
                Payment(start: start, end: start + (isTrial ? 7 : 30) * day, product: next, isTrial: isTrial))
            (now.payment, now.phase, now.renews) = (told.payments.count - 1, isTrial ? .trial : .paid, true)
            isTrial = false
        }
        /// What the transaction alone says, from its purchase on.
        func hold(_ random: inout SeededRandom) {
            var moment = now
            moment.at = told.payments[now.payment].start
            moment.signedAt = moment.at + Int64(random.below(50 * Int(day)))
            told.moments.append(moment)
            now.at = moment.at
        }
        func tell(_ type: String, _ status: Int64 = 1) {
            now.type = type
            now.status = status
            told.moments.append(now)
            now.type = nil
        }
        func buy(_ start: Int64, _ type: String, _ random: inout SeededRandom) {
            pay(start)
            hold(&random)
            now.at += Int64(1 + random.below(3_600))
            tell(type)
        }

        buy(Int64(random.below(60)) * day + Int64(random.below(1_000)), "SUBSCRIBED/INITIAL_BUY", &random)
        for _ in 0..<random.below(12) {
            let payment = told.payments[now.payment]
            let pause = Int64(1 + random.below(5 * Int(day)))
            switch now.phase {
            case .trial, .paid:
                switch random.below(10) {
                case 0...2 where now.renews:
                    // A day before, or late.
                    let early = max(now.at + 1, payment.end - Int64(1 + random.below(Int(day))))
                    if random.chance(40), early < payment.end {
                        pay(payment.end)
                        now.at = early
                        tell("DID_RENEW")
                        hold(&random)
                    } else {
                        buy(max(payment.end, now.at + 1), "DID_RENEW", &random)
                    }
                case 0...2:
                    now.at = max(payment.end, now.at + 1)
                    now.phase = .over(payment.end)
                    tell("EXPIRED/VOLUNTARY", 2)
                case 3:
                    (now.at, now.renews) = (now.at + pause, false)
                    tell("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED")
                case 4:
                    (now.at, now.renews) = (now.at + pause, true)
                    tell("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED")
                case 5:
                    next = random.pick(products)!
                    told.upgraded.append(now.payment)
                    buy(now.at + pause, "DID_CHANGE_RENEWAL_PREF/UPGRADE", &random)
                case 6:
                    next = random.pick(products)!
                    now.at += pause
                    tell("DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
                case 7 where now.renews:
                    now.at = max(now.at + 1, payment.end + Int64(random.below(7_200)) - 3_600)
                    let isGraced = random.chance(60)
                    now.phase = .retried(payment.end + (isGraced ? 16 * day : 0))
                    tell(isGraced ? "DID_FAIL_TO_RENEW/GRACE_PERIOD" : "DID_FAIL_TO_RENEW", isGraced ? 4 : 3)
                case 8:
                    now.at += pause
                    (now.phase, now.renews) = (.over(now.at), false)
                    tell("REVOKE", 5)
                default:
                    now.at += pause
                    now.phase = .unheardOf
                    tell("PRICE_INCREASE/PENDING", 9)
                }
            case .unheardOf:
                now.at += pause
                now.phase = payment.isTrial ? .trial : .paid
                tell("PRICE_INCREASE/ACCEPTED")
            case .retried(let until):
                switch random.below(8) {
                case 0...3: buy(max(payment.end, now.at + 1), "DID_RENEW/BILLING_RECOVERY", &random)
                case 4...5:
                    now.at = max(now.at + 1, until)
                    tell("GRACE_PERIOD_EXPIRED", 3)
                case 6:
                    (now.at, now.renews) = (now.at + pause, false)
                    tell("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", now.at < until ? 4 : 3)
                default:
                    now.at = max(now.at + 1, payment.end + 60 * day)
                    now.phase = .over(payment.end)
                    tell("EXPIRED/BILLING_RETRY", 2)
                }
            case .over:
                if random.chance(50) { buy(now.at + pause, "SUBSCRIBED/RESUBSCRIBE", &random) }
            }
            if random.chance(15) { giveBack(&random, &told, after: now.at) }
        }
        return told
    }

    private static func giveBack(_ random: inout SeededRandom, _ told: inout Subscription, after moment: Int64) {
        let payment = random.below(told.payments.count)
        let at = moment * 1_000 + 500
        told.refunds.append(Refund(payment: payment, at: at, isReversed: false))
        if random.chance(40) {
            let later = Int64(1 + random.below(10 * Int(day))) * 1_000
            told.refunds.append(Refund(payment: payment, at: at + later, isReversed: true))
        }
    }

    // MARK: How it is told

    /// All that is told, some of it several times and all of it late by any time.
    func arrivals(_ random: inout SeededRandom) -> [Arrival] {
        var all: [Arrival] = []
        for (number, subscription) in subscriptions.enumerated() {
            for index in subscription.moments.indices {
                // Apps do not hand in everything, and notifications are lost.
                if random.chance(subscription.moments[index].type == nil ? 50 : 15) { continue }
                for _ in 0...random.below(3) { all.append(.moment(number, index)) }
            }
            for index in subscription.refunds.indices {
                for _ in 0...random.below(2) { all.append(.refund(number, index)) }
            }
            for payment in subscription.upgraded where random.chance(50) { all.append(.upgraded(number, payment)) }
        }
        if random.chance(80) { all.shuffle(using: &random) }
        return all
    }

    mutating func deliver(_ arrival: Arrival) {
        switch arrival {
        case .moment(let number, let index):
            let moment = subscriptions[number].moments[index]
            subscriptions[number].known = max(subscriptions[number].known ?? 0, index)
            // What is given back says so wherever it stands, but for what is revoked without a payment.
            let at = moment.signedMilliseconds
            if moment.type != "REVOKE", subscriptions[number].isGivenBack(moment.payment, at: at) {
                subscriptions[number].learn(moment.payment, at: at, isFull: true)
            }
        case .refund(let number, let index):
            let refund = subscriptions[number].refunds[index]
            subscriptions[number].learn(refund.payment, at: refund.at, isFull: !refund.isReversed)
        case .upgraded: break
        }
    }

    /// What Apple says.
    func told(_ arrival: Arrival) throws -> AppleNotice {
        switch arrival {
        case .moment(let number, let index):
            let moment = subscriptions[number].moments[index]
            let at = moment.signedMilliseconds
            var revokedAt = subscriptions[number].isGivenBack(moment.payment, at: at) ? at : nil
            if moment.type == "REVOKE" { revokedAt = at }
            let transaction = transaction(number, moment.payment, revokedAt: revokedAt)
            guard let type = moment.type else {
                return try AppleNotice(transaction: transaction.adding(["signedDate": .int(at)]))
            }
            var renewal: JSONObject = ["autoRenewStatus": moment.renews ? 1 : 0]
            if case .retried(let until) = moment.phase {
                renewal["isInBillingRetryPeriod"] = true
                let isGraced = until > subscriptions[number].payments[moment.payment].end
                if isGraced { renewal["gracePeriodExpiresDate"] = .int(until * 1_000) }
            }
            return try notice("s\(number)m\(index)", type, at: at, status: moment.status, transaction, renewal)
        case .refund(let number, let index):
            let refund = subscriptions[number].refunds[index]
            return try notice(
                "s\(number)r\(index)", refund.isReversed ? "REFUND_REVERSED" : "REFUND", at: refund.at,
                status: refund.isReversed ? 1 : 5,
                transaction(number, refund.payment, revokedAt: refund.isReversed ? nil : refund.at), [:])
        case .upgraded(let number, let payment):
            let end = subscriptions[number].payments[payment].end * 1_000
            return try AppleNotice(
                transaction: transaction(number, payment, revokedAt: nil)
                    .adding(["signedDate": .int(end), "isUpgraded": true]))
        }
    }

    private func notice(
        _ id: String, _ type: String, at milliseconds: Int64, status: Int64, _ transaction: JSONObject,
        _ renewal: JSONObject
    ) throws -> AppleNotice {
        let words = type.split(separator: "/").map(String.init)
        return try AppleNotice(
            notification: JSONObject().adding([
                "notificationUUID": .string(id), "notificationType": .string(words[0]),
                "subtype": words.count > 1 ? .string(words[1]) : nil, "signedDate": .int(milliseconds),
                "data": ["status": .int(status)],
            ]), transaction: transaction, renewal: renewal)
    }

    private func transaction(_ number: Int, _ payment: Int, revokedAt: Int64?) -> JSONObject {
        let paid = subscriptions[number].payments[payment]
        return JSONObject().adding([
            "transactionId": .string("s\(number)t\(payment)"), "originalTransactionId": .string("s\(number)"),
            "productId": .string(paid.product), "type": "Auto-Renewable Subscription",
            "purchaseDate": .int(paid.start * 1_000), "expiresDate": .int(paid.end * 1_000), "price": 9990,
            "currency": "EUR", "offerType": paid.isTrial ? 1 : nil,
            "offerDiscountType": paid.isTrial ? "FREE_TRIAL" : nil, "revocationDate": revokedAt.map(JSONValue.int),
        ])
    }

    // MARK: What it comes to

    /// What each purchase gives at a moment, by what was delivered.
    func verdicts(at moment: Int64) -> [Verdict] {
        subscriptions.enumerated().compactMap { number, subscription in
            guard let known = subscription.known else { return nil }
            let now = subscription.moments[known]
            let payment = subscription.payments[now.payment]
            let plan = Self.terms.products[payment.product]
            let isGivenBack = subscription.knownRefunds.contains { index, refund in
                refund.isFull && (payment.start..<payment.end).contains(subscription.payments[index].start)
            }
            func verdict(_ until: Int64?, _ reason: EntitlementReason, _ shown: Int64?) -> Verdict {
                let isUnknown = until != nil && plan == nil
                return Verdict(
                    purchase: "apple/s\(number)", at: now.at, plan: plan, until: plan == nil ? nil : until,
                    reason: isUnknown ? .priceUnknown : reason, shown: shown)
            }
            if isGivenBack { return verdict(nil, .refunded, nil) }
            switch now.phase {
            case .unheardOf: return verdict(nil, .statusUnknown, nil)
            case .over(let end): return verdict(nil, end < payment.end ? .revoked : .expired, end)
            case .retried(let until):
                if moment >= until { return verdict(nil, .unpaid, until) }
                return verdict(until, moment < payment.end ? .paid : .billingRetry, until)
            case .trial, .paid:
                let last = now.renews ? payment.end + grace : payment.end
                if moment >= last { return verdict(nil, .expired, last) }
                return verdict(last, moment >= payment.end ? .grace : payment.isTrial ? .trial : .paid, last)
            }
        }
    }

    /// Moments at which something may change, and some beside them.
    func moments(_ random: inout SeededRandom) -> [Int64] {
        let subscription = subscriptions[random.below(subscriptions.count)]
        let moment = subscription.moments.randomElement(using: &random)!
        let payment = subscription.payments[moment.payment]
        let edge = random.pick([moment.at, payment.start, payment.end, payment.end + grace, payment.end + 16 * day])!
        return [edge - 1, edge, edge + 1, Int64(random.below(400)) * day]
    }
}
