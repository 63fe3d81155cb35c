import Contracts
import EventSourcing
import Glibc
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import quota

enum QuotaStory: Story {
    static func variables(_ folder: String) -> [String: String] {
        // The plans that the service brings with it, and one kind more.
        let plans = """
            {"version": 1, "plans": {
                "free": {
                    "mirrormate": {"windows": {"local-day": 1}, "lateCancellations": 3},
                    "dance": {"windows": {"hour": 1, "local-day": 5}, "lateCancellations": 0}
                },
                "premium": {"mirrormate": {"windows": {"local-day": null}, "lateCancellations": 3}}
            }}
            """
        let root = try? TestCertificate(
            .init("Root", isAuthority: true, from: .epoch, to: Timestamp(seconds: 2_000_000_000)))
        guard let plansFile = write(plans, to: "\(folder)/plans.json"),
            let rootFile = write(root?.pem ?? "", to: "\(folder)/apple-root.pem")
        else { return [:] }
        return [
            "PLANS_FILE": plansFile, "STRIPE_WEBHOOK_SECRETS": "whsec_0f1e2d3c4b5a69788796a5b4",
            "STRIPE_PRICES": "price_1=premium", "APPLE_ROOT_FILE": rootFile, "APPLE_BUNDLES": "org.example.app",
            "APPLE_PRODUCTS": "monthly=premium",
        ]
    }

    private static func write(_ text: String, to path: String) -> String? {
        guard let file = fopen(path, "w") else { return nil }
        defer { fclose(file) }
        return fputs(text, file) < 0 ? nil : path
    }

    static func tell(_ stage: Stage<QuotaService>) async throws {
        try await stage.hear(
            .identity, "SigningKeyPublished", about: World.signingKey, becomes: ["SigningKeyLearned"])
        try await adas(stage)
        try await graces(stage)
        try await hear(stage, "SessionCreated", World.erasedOpen, ["QuotaReserved"])
        try await stage.hear(.identity, "UserErased", about: World.ada, becomes: ["SubjectErased"])
        try await stage.hear(
            .identity, "SigningKeyRetired", about: World.signingKey, becomes: ["SigningKeyRetirementLearned"])
        try await dances(stage)
        try await stage.hearSigned(erasing: [])
        try await stage.hearOfAppToken()
        try await stage.hearOfExport()
        try await stage.hearOfAPIKey()
        try await purchases(stage)
    }

    /// What a shop tells of a purchase of Grace: the last step, as a step's number is part of the ids that were released.
    private static func purchases(_ stage: Stage<QuotaService>) async throws {
        let allowance = Allowance.stream(World.grace)
        let trial = PurchaseState(
            notice: "stripe/evt_1", purchase: "stripe/sub_1", customer: "stripe/cus_1", statedAt: World.morning,
            step: .begun, status: .trialing, plan: .premium,
            price: .init(id: "price_1", amountMinor: 999, currency: "eur"), boughtAt: World.morning,
            periodStartsAt: World.morning, periodEndsAt: World.minutes(10_080), trialEndsAt: World.minutes(10_080),
            renews: true, graceSeconds: 259_200)
        var ended = trial
        (ended.notice, ended.step, ended.status) = ("stripe/evt_2", .ended, .canceled)
        (ended.statedAt, ended.endedAt, ended.cancelledAt) = (World.minutes(60), World.minutes(60), World.minutes(60))
        (ended.plan, ended.price, ended.renews) = (nil, .init(id: "price_2", amountMinor: nil, currency: nil), false)
        ended.stopsAt = World.minutes(60)
        for state in [trial, ended] {
            try await stage.command(
                Allowance.self, .notePurchase(ownerId: World.grace, state), on: allowance, of: World.grace)
        }
        let refund = RefundState(
            notice: "stripe/evt_3", payment: "stripe/ch_1", customer: "stripe/cus_1", statedAt: World.minutes(61),
            paidAt: World.morning, amountMinor: 999, currency: "eur", isFull: true)
        try await stage.command(
            Allowance.self, .noteRefund(ownerId: World.grace, refund), on: allowance, of: World.grace)
    }

    /// A kind with several windows, and a plan with everything that one can have.
    private static func dances(_ stage: Stage<QuotaService>) async throws {
        try await hear(stage, "SessionCreated", World.danced, ["QuotaReserved"])
        try await hear(stage, "SessionCreated", World.refusedDance, ["QuotaRefused"])
        let terms = KindTerms(
            windows: [.init(.hour, 20), .init(.localDay, nil)], atOnce: 3, burst: .init(units: 5, seconds: 60),
            lateCancellations: 1)
        let gold = PlanDefinition(PlanCode(rawValue: "gold"), [World.dance: terms])
        try await stage.command(
            PlanRecord.self, .define(gold, .file), on: PlanRecord.stream(gold.code), of: nil)
    }

    private static func adas(_ stage: Stage<QuotaService>) async throws {
        let allowance = Allowance.stream(World.ada)
        try await hear(stage, "SessionCreated", World.completed, ["QuotaReserved"])
        // The day's unit is held by a session that has not ended.
        try await hear(stage, "SessionCreated", World.refusedOpen, ["QuotaRefused"])
        try await hear(stage, "SessionCancelled", World.refusedOpen, [])
        try await hear(stage, "SessionCompleted", World.completed, ["QuotaCommitted"])
        // It is used up.
        try await hear(stage, "SessionCreated", World.refusedUsedUp, ["QuotaRefused"])
        try await stage.command(
            Allowance.self, .grant(ownerId: World.ada, kind: .mirrormate, units: 2), on: allowance, of: World.ada)
        try await stage.command(
            Allowance.self, .changePlan(ownerId: World.ada, .premium), on: allowance, of: World.ada)
        try await hear(stage, "SessionCreated", World.deletedComplete, ["QuotaReserved"])
        try await hear(stage, "SessionCompleted", World.deletedComplete, ["QuotaCommitted"])
        try await hear(stage, "SessionDeleted", World.deletedComplete, [])
        try await hear(stage, "SessionCreated", World.cancelled, ["QuotaReserved"])
        try await hear(stage, "SessionCancelled", World.cancelled, ["QuotaReleased"])
    }

    private static func graces(_ stage: Stage<QuotaService>) async throws {
        try await hear(stage, "SessionCreated", World.replaced, ["QuotaReserved"])
        try await hear(stage, "SessionCancelled", World.replaced, ["QuotaReleased"])
        try await hear(stage, "SessionCreated", World.expired, ["QuotaReserved"])
        try await hear(stage, "SessionExpired", World.expired, ["QuotaReleased"])
        try await hear(stage, "SessionCreated", World.failed, ["QuotaReserved"])
        try await hear(stage, "SessionFailed", World.failed, ["QuotaReleased"])
        try await hear(stage, "SessionCreated", World.unreported, ["QuotaReserved"])
        try await hear(stage, "SessionFailed", World.unreported, ["QuotaReleased"])
        try await hear(stage, "SessionCreated", World.deletedOpen, ["QuotaReserved"])
        try await hear(stage, "SessionCancelled", World.deletedOpen, ["QuotaReleased"])
        try await hear(stage, "SessionDeleted", World.deletedOpen, [])
        try await hear(stage, "SessionExpired", World.unheardOf, ["EndingNoted"])
        try await hear(stage, "SessionCreated", World.unheardOf, [])
    }

    private static func hear(
        _ stage: Stage<QuotaService>, _ name: String, _ session: UUID, _ becomes: [String]
    ) async throws {
        try await stage.hear(.sessions, name, about: session, becomes: becomes)
    }

    static func rewrite(_ type: EventType, _ data: JSONObject) throws -> (EventType, JSONObject) {
        try rewritten(QuotaEvent.self, type, data)
    }

}
