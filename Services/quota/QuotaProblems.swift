package import HTTPServer
import ServiceKit

/// Problems that operators of allowances meet, and shops.
extension ProblemCode {
    package static let planUnknown = ProblemCode(
        "plan-unknown", 422, "Unknown plan",
        "See the plans in force: mirrormate plan list.")
    package static let unitsOutOfRange = ProblemCode(
        "units-out-of-range", 422, "Too few or too many units",
        "Give 1 to 1000 units.")
    package static let webhookSignatureWrong = ProblemCode(
        "webhook-signature-wrong", 400, "The signature is not good",
        "Sign the body as it is sent, with the secret of this endpoint.")
    package static let webhookSignatureLate = ProblemCode(
        "webhook-signature-late", 400, "The signature is of another time",
        "Sign the body anew when it is sent, and check both clocks.")
    package static let appStoreSignatureWrong = ProblemCode(
        "app-store-signature-wrong", 400, "Not signed by the App Store",
        "Send what the App Store or StoreKit signed, unchanged.")
    package static let appStoreAppWrong = ProblemCode(
        "app-store-app-wrong", 422, "It is of another app",
        "Send what was bought in an app that this server knows; an operator names the apps in APPLE_BUNDLES.")
    package static let appStoreEnvironmentRefused = ProblemCode(
        "app-store-environment-refused", 422, "It is of a test environment",
        "Buy in the App Store itself; an operator lets purchases of the sandbox count with APPLE_SANDBOX.")
    package static let purchaseOfAnotherAccount = ProblemCode(
        "purchase-of-another-account", 409, "The purchase belongs to another account",
        "Sign in with the account that it was bought or restored with first; it is free again when that one is erased.")
    package static let purchaseNotSubscription = ProblemCode(
        "purchase-not-subscription", 422, "It is no subscription",
        "Send a transaction of an auto-renewable subscription.")

    /// All of them.
    package static let quota: [ProblemCode] = [
        planUnknown, unitsOutOfRange, webhookSignatureWrong, webhookSignatureLate, appStoreSignatureWrong,
        appStoreAppWrong, appStoreEnvironmentRefused, purchaseOfAnotherAccount, purchaseNotSubscription,
    ]
}

/// The one place where refusals of allowances become problems.
extension AllowanceRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unitsOutOfRange: Problem(.unitsOutOfRange)
        case .ownerErased: .notFound
        }
    }
}
