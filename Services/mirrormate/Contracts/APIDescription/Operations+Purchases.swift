import Contracts
import HTTPServer
import ServiceKit
import quota

/// The routes by which somebody buys something, and changes what they have bought.
extension Operations {
    static let purchases = [
        Operation(
            .quota, "POST", "/v1/purchases/checkout", "checkout",
            """
            Gives the address of a page of Stripe on which the caller buys a plan: open it in a browser. What is bought is in force \
            when Stripe tells it, which GET /v1/entitlements shows.
            """, .user,
            parameters: [
                header("Idempotency-Key", "The client's own value, the same when it repeats the request.")
            ], body: "CheckoutWish", [ok("CheckoutPage", "The page.")],
            [
                .memberUnknown, .notFound, .purchasesOff, .priceNotOffered, .purchaseInForce, .purchasePagesUsedUp,
                .purchasesUnavailable,
            ]),
        Operation(
            .quota, "POST", "/v1/purchases/portal", "purchasePortal",
            "Gives the address of a page of Stripe on which the caller sees, changes and ends what was bought there.",
            .user,
            parameters: [
                header("Idempotency-Key", "The client's own value, the same when it repeats the request.")
            ], [ok("PortalPage", "The page.")],
            [.purchasesOff, .nothingBought, .purchasePagesUsedUp, .purchasesUnavailable]),
    ]
}
