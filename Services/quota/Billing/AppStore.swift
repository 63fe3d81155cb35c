import HTTPServer
import JSON
import Primitives

/// What is taken from the App Store: signed by Apple, for an app that is named here, of the environment in which money is paid, or
/// also of the one for tests.
struct AppStore: Sendable {
    /// The environments as Apple names them; those of Xcode are signed by nobody who is trusted.
    private static let production = "Production"
    private static let sandbox = "Sandbox"

    let signature: AppleSignature
    /// The bundle ids of the apps.
    let bundles: Set<String>
    /// Whether purchases of the test environment count, which cost nothing.
    let takesSandbox: Bool

    /// The notification in a `signedPayload`.
    ///
    /// - Throws: the problems `app-store-signature-wrong`, `app-store-app-wrong` and `app-store-environment-refused`; `JSONError` for
    ///   what is well signed and no notification.
    func notification(_ signedPayload: String) throws -> AppleNotice {
        let payload = try signature.payload(of: signedPayload)
        // One of them, by the type.
        let parts = ["data", "summary", "appData", "externalPurchaseToken"]
        guard let about = parts.lazy.compactMap({ payload[$0]?.objectValue }).first else {
            throw JSONError(.missing, at: "data", "is missing")
        }
        try check(about, environment: about["environment"]?.stringValue ?? Self.environment(ofToken: about))
        return try AppleNotice(
            notification: payload, transaction: try inner(about, "signedTransactionInfo", namesApp: true),
            renewal: try inner(about, "signedRenewalInfo", namesApp: false))
    }

    /// A transaction as StoreKit has it (`jwsRepresentation`).
    ///
    /// - Throws: as ``notification(_:)``; the problem `purchase-not-subscription` for what no plan is sold as.
    func transaction(_ signed: String) throws -> AppleNotice {
        let transaction = try signature.payload(of: signed)
        try check(transaction, environment: transaction["environment"]?.stringValue)
        let notice = try AppleNotice(transaction: transaction)
        guard notice.isOfSubscription else { throw Problem(.purchaseNotSubscription) }
        return notice
    }

    /// A part that is signed by itself.
    private func inner(_ object: JSONObject, _ key: String, namesApp: Bool) throws -> JSONObject? {
        guard let text = try object.optionalString(key) else { return nil }
        let payload = try signature.payload(of: text)
        if namesApp {
            try check(payload, environment: payload["environment"]?.stringValue)
        } else {
            try check(environment: payload["environment"]?.stringValue)
        }
        return payload
    }

    private func check(_ object: JSONObject, environment: String?) throws(Problem) {
        guard let bundle = object["bundleId"]?.stringValue, bundles.contains(bundle) else {
            throw Problem(.appStoreAppWrong)
        }
        try check(environment: environment)
    }

    private func check(environment: String?) throws(Problem) {
        guard environment == Self.production || takesSandbox && environment == Self.sandbox else {
            throw Problem(.appStoreEnvironmentRefused)
        }
    }

    /// The token of a purchase outside the App Store tells the environment by its id
    /// (`developer.apple.com/documentation/appstoreservernotifications/externalpurchaseid`).
    private static func environment(ofToken token: JSONObject) -> String? {
        token["externalPurchaseId"]?.stringValue.map { $0.hasPrefix("SANDBOX") ? sandbox : production }
    }
}
