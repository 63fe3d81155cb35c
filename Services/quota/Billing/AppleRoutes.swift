import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// What the App Store tells, and what apps hand in of it, where it is configured.
///
/// | Route | What it does |
/// |---|---|
/// | `POST /v1/webhooks/apple` | takes a signed notification |
/// | `POST /v1/purchases/apple` | takes a signed transaction of the caller, and answers as `GET /v1/entitlements` |
@Loop struct AppleRoutes {
    private static let limits = JSONLimits(depth: 8, values: 100)

    private let store: AppStore
    private let intake: PurchaseIntake
    private let tokens: TokenVerifier
    private let entitlements: EntitlementRoutes

    init(_ context: ServiceContext, _ store: AppStore, _ intake: PurchaseIntake) {
        self.store = store
        self.intake = intake
        tokens = context.tokens
        entitlements = EntitlementRoutes(context)
    }

    func add(to router: Router) {
        router.on("POST", "/v1/webhooks/apple") { request in
            let bytes = try await request.body.collect(limit: PurchaseRoutes.limitBytes)
            let body = try JSONObject.parse(bytes, limits: Self.limits)
            try await intake.take(try store.notification(try body.string("signedPayload")))
            return .json(["received": true], headers: ["Cache-Control": "no-store"])
        }
        CallerRoutes(router, tokens).on("POST", "/v1/purchases/apple") { request, caller in
            let body = try await request.jsonObject()
            try body.allow("signedTransaction")
            try await intake.take(
                try store.transaction(try body.string("signedTransaction")), by: caller.user)
            return try await entitlements.answer(of: caller.user)
        }
    }
}
