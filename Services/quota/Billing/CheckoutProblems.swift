package import HTTPServer
import ServiceKit

extension Problem {
    /// 503 while the shop gives no page.
    static let purchasesUnavailable = Problem(.purchasesUnavailable, headers: ["Retry-After": "30"])
}

/// Problems of buying.
extension ProblemCode {
    package static let purchasesOff = ProblemCode(
        "purchases-off", 404, "Nothing can be bought here",
        "Ask whoever runs this server for another plan; they have not set purchases up.")
    package static let priceNotOffered = ProblemCode(
        "price-not-offered", 422, "The price is not on offer",
        "Send one of prices, or leave price out.")
    package static let purchaseInForce = ProblemCode(
        "purchase-in-force", 409, "What was bought is in force",
        "Change it where it was bought; what was bought at Stripe with POST /v1/purchases/portal.")
    package static let nothingBought = ProblemCode(
        "nothing-bought", 409, "Nothing was bought at Stripe",
        "Buy something with POST /v1/purchases/checkout; what was bought elsewhere is changed there.")
    package static let purchasePagesUsedUp = ProblemCode(
        "purchase-pages-used-up", 429, "Too many pages for buying within an hour",
        "Try again after as many seconds as Retry-After says.")
    package static let purchasesUnavailable = ProblemCode(
        "purchases-unavailable", 503, "The shop does not answer",
        "Try again after as many seconds as Retry-After says; nothing was bought.")

    /// All of them.
    package static let checkout: [ProblemCode] = [
        purchasesOff, priceNotOffered, purchaseInForce, nothingBought, purchasePagesUsedUp, purchasesUnavailable,
    ]
}
