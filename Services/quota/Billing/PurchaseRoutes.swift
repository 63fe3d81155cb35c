import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// What shops and operators may ask, where purchases are configured.
///
/// | Route | What it does |
/// |---|---|
/// | `POST /v1/webhooks/stripe` | takes a signed notification, where Stripe is configured |
/// | `GET /operator/purchases?outcome=` (admin port) | the newest notifications, and what became of them |
/// | `GET /operator/purchases/{owner}` | what the owner sees in `GET /v1/entitlements` |
/// | `POST /operator/purchases/replay` `{notice?}` | applies again one that is kept, or all |
@Loop struct PurchaseRoutes {
    /// As much as the gateway lets through; events of the types that are read have a few KiB.
    static let limitBytes = 65_536
    private static let limits = JSONLimits(depth: 32, values: 10_000)
    private static let mostShown: Int64 = 200

    private let stripe: PurchaseSettings.Stripe?
    private let intake: PurchaseIntake
    private let context: ServiceContext
    private let entitlements: EntitlementRoutes

    init(_ context: ServiceContext, _ stripe: PurchaseSettings.Stripe?, _ intake: PurchaseIntake) {
        self.context = context
        self.stripe = stripe
        self.intake = intake
        entitlements = EntitlementRoutes(context)
    }

    func add(to router: Router) {
        guard let stripe else { return }
        router.on("POST", "/v1/webhooks/stripe") { request in
            let bytes = try await request.body.collect(limit: Self.limitBytes)
            // Before anything of it is read.
            try StripeSignature.check(
                bytes, request.headers["stripe-signature"], secrets: stripe.secrets, now: .now(),
                tolerance: stripe.tolerance)
            let event = try JSONObject.parse(bytes, limits: Self.limits)
            try await intake.take(try StripeNotice(event: event))
            return .json(["received": true], headers: ["Cache-Control": "no-store"])
        }
    }

    func add(to routes: OperatorRoutes) {
        routes.on("GET", "/operator/purchases") { request in
            .json(["notices": .array(try await notices(request.query("outcome")))])
        }
        routes.on("GET", "/operator/purchases/{owner}") { request in
            try await entitlements.answer(of: try request.id("owner"))
        }
        routes.on("POST", "/operator/purchases/replay") { request in
            let body = try await request.jsonObject()
            try body.allow("notice")
            let count = try await intake.applyAgain(try body.optionalString("notice"))
            return .json(["applied": .int(Int64(count))])
        }
    }

    private func notices(_ outcome: String?) async throws -> [JSONValue] {
        try await context.store.pool.query(
            """
            select notice, type, customer, owner_id, created_at, received_at, outcome from purchase_notices
            where $1::text is null or outcome = $1 order by received_at desc, notice limit $2
            """, [.optional(outcome, PostgresValue.text), .int(Self.mostShown)]
        ).rows.map { row in
            [
                "notice": .string(row.text(0)), "type": .string(row.text(1)),
                "customer": .optional(row.optional(2, PostgresRow.text)),
                "ownerId": .optional(row.optional(3, PostgresRow.uuid)), "createdAt": .time(row.time(4)),
                "receivedAt": .time(row.time(5)), "outcome": .string(row.text(6)),
            ]
        }
    }
}
