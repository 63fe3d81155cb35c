import Configuration
import HTTPClient
import Primitives

/// The variables for buying here: a page of the shop is asked for with them. Who may not buy here may still have bought elsewhere.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `STRIPE_SECRET_KEY` | secret | none | the secret or restricted key at Stripe (`sk_…`, `rk_…`), with which pages for buying are made; without it nothing can be bought here. See `docs/purchases.md` |
/// | `STRIPE_CHECKOUT_PRICES` | text | none | which of `STRIPE_PRICES` can be bought here, with commas between; the first where an app names none. Without it the only one of `STRIPE_PRICES` |
/// | `STRIPE_TRIAL_DAYS` | number | 0 | how many days are free for whoever has never bought anything; 0 for none |
/// | `STRIPE_SUCCESS_URL` | address | `mirrormate://payment-success?session_id={CHECKOUT_SESSION_ID}` | where Stripe leads who has bought; it puts an id in the place of `{CHECKOUT_SESSION_ID}` |
/// | `STRIPE_CANCEL_URL` | address | `mirrormate://payment-cancel` | where it leads who has not |
/// | `STRIPE_RETURN_URL` | address | `mirrormate://settings` | where it leads from the page on which what was bought is changed |
/// | `STRIPE_API_URL` | address | `https://api.stripe.com` | where its API is |
/// | `STRIPE_DEADLINE` | duration | 10s | how long Stripe may take for a page, with all tries |
///
/// The API is at an `https` address; `http://127.0.0.1:PORT` is for what stands in its place on this machine, and refused where `PUBLIC_URL` is of another one.
struct CheckoutSettings: Sendable {
    let key: Secret
    /// What can be bought, and nil names the first.
    let prices: [String]
    /// 0 for none.
    let trialDays: Int64
    let successURL: String
    let cancelURL: String
    let returnURL: String
    let apiURL: String
    /// For a call with all its tries.
    let deadline: Duration

    /// The most that Stripe takes.
    private static let mostTrialDays = 730

    /// Reads the variables; nil when there is no key. Problems stay in `environment` until it is finished.
    ///
    /// - Parameters:
    ///   - sold: `STRIPE_PRICES`, in any order.
    ///   - isHeard: whether notifications of the shop are taken.
    init?(_ environment: Environment, sold: [String], isHeard: Bool) {
        let listed = environment.optional("STRIPE_CHECKOUT_PRICES").map { text in
            text.split(separator: ",").map { String($0.filter { $0 != " " }) }.filter { !$0.isEmpty }
        }
        prices = listed ?? (sold.count == 1 ? sold : [])
        for price in prices where !sold.contains(price) {
            environment.refuse(
                "STRIPE_CHECKOUT_PRICES", "names \(price), which STRIPE_PRICES has no plan for; name it there as well.")
        }
        trialDays = Int64(environment.int("STRIPE_TRIAL_DAYS", default: 0, in: 0...Self.mostTrialDays))
        successURL = environment.string(
            "STRIPE_SUCCESS_URL", default: "mirrormate://payment-success?session_id={CHECKOUT_SESSION_ID}")
        cancelURL = environment.string("STRIPE_CANCEL_URL", default: "mirrormate://payment-cancel")
        returnURL = environment.string("STRIPE_RETURN_URL", default: "mirrormate://settings")
        for (name, url) in [
            ("STRIPE_SUCCESS_URL", successURL), ("STRIPE_CANCEL_URL", cancelURL), ("STRIPE_RETURN_URL", returnURL),
        ] where !Self.isLink(url) {
            environment.refuse(
                name, "must be a link such as https://example.org/bought, or one of an app's own scheme.")
        }
        apiURL = environment.string("STRIPE_API_URL", default: "https://api.stripe.com")
        let publicURL = environment.webAddress("PUBLIC_URL", default: "http://127.0.0.1")
        if !ProviderAddress.isValid(apiURL) || apiURL.contains("?") || apiURL.hasSuffix("/") {
            environment.refuse(
                "STRIPE_API_URL", "must be an https address without a slash at its end, such as https://api.stripe.com."
            )
        } else if ProviderAddress.isHere(apiURL), !publicURL.isEmpty, !ProviderAddress.isLocal(publicURL: publicURL) {
            environment.refuse("STRIPE_API_URL", "is of this machine; it needs a PUBLIC_URL of this machine.")
        }
        deadline = environment.duration("STRIPE_DEADLINE", default: .seconds(10))
        guard let key = environment.optionalSecret("STRIPE_SECRET_KEY") else { return nil }
        self.key = key
        if key.reveal().wholeMatch(of: #/(sk|rk)_[A-Za-z0-9_]{8,500}/#) == nil {
            environment.refuse(
                "STRIPE_SECRET_KEY", "must be a secret or restricted key of Stripe alone, which begins with sk_ or rk_."
            )
        }
        if !isHeard {
            environment.refuse(
                "STRIPE_SECRET_KEY",
                "is set without STRIPE_WEBHOOK_SECRETS; set both, or nobody hears of what is bought here.")
        }
        if prices.isEmpty {
            environment.refuse(
                "STRIPE_CHECKOUT_PRICES",
                "is missing; say which of STRIPE_PRICES can be bought here, the usual one first.")
        }
    }

    /// Whether it is a link that a browser may be led to: of the web, or of an app's own scheme; nothing that a page would run.
    private static func isLink(_ text: String) -> Bool {
        guard text.utf8.count <= 1_000,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"\\<>".utf8.contains($0) }),
            let parts = text.wholeMatch(of: #/([a-z][a-z0-9+.-]*):\/\/[^\/].*/#)
        else { return false }
        return !["javascript", "data", "file", "blob", "vbscript"].contains(parts.1)
    }
}
