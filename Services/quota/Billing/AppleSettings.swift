import Configuration
import Contracts
import Crypto

/// The variables for purchases in the App Store.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `APPLE_ROOT_FILE` | file | none | Apple's root certificate, PEM or as Apple gives it (`AppleRootCA-G3.cer`); without it nothing is taken from the App Store. See `docs/purchases.md` |
/// | `APPLE_BUNDLES` | text | none | the bundle ids of the apps that sell, with commas between them; needed with the root |
/// | `APPLE_PRODUCTS` | text | none | what is for sale: `app.plus.monthly=premium,app.gold=gold`, the product ids with the plans that they are for |
/// | `APPLE_SANDBOX` | true or false | `false` | whether purchases of Apple's test environment count, which cost nothing: those of TestFlight and of Apple's review |
struct AppleSettings: Sendable {
    /// Nil where nothing is sold there.
    let store: AppStore?
    let products: [String: PlanCode]

    /// Reads the variables; problems stay in `environment` until it is finished.
    ///
    /// - Parameter plans: those on offer.
    init(_ environment: Environment, plans: [PlanDefinition]) {
        products = PurchaseSettings.soldPlans(environment, "APPLE_PRODUCTS", plans: plans, example: "app.plus.monthly")
        let bundles = (environment.optional("APPLE_BUNDLES") ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        let takesSandbox = environment.bool("APPLE_SANDBOX", default: false)
        guard let file = environment.file("APPLE_ROOT_FILE") else {
            store = nil
            return
        }
        guard let roots = try? TrustedRoots(file) else {
            environment.refuse(
                "APPLE_ROOT_FILE", "names a file without a root certificate; download Apple Root CA - G3 from Apple.")
            store = nil
            return
        }
        if bundles.isEmpty {
            environment.refuse("APPLE_BUNDLES", "is missing; name the bundle ids of the apps that sell.")
        }
        if products.isEmpty {
            environment.refuse(
                "APPLE_PRODUCTS", "is missing; say which product is for which plan, such as app.plus.monthly=premium.")
        }
        store = AppStore(
            signature: AppleSignature(roots: roots), bundles: Set(bundles), takesSandbox: takesSandbox)
    }
}
