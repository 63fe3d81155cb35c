import HTTPClient

/// Why Stripe gave no page. Nothing of what it said is in it but the name of an error, which is for the log alone.
enum StripeFailure: Error, Sendable, Equatable {
    /// There was no answer: the code of ``HTTPClientError``, or `busy` where too many wait already.
    case silent(String)
    /// It answered with an error.
    ///
    /// - name: its own, such as `resource_missing`; empty where there is none.
    case refused(status: Int, name: String)
    /// The customer is none of the account that the key is for.
    case customerUnknown
    /// The answer is not what was asked for.
    case unreadable

    /// What is logged.
    var words: String {
        if case .refused(let status, let name) = self { return "\(code), status \(status) \(name)" }
        return code
    }

    /// What is counted.
    var code: String {
        switch self {
        case .silent(let code): code
        case .refused(401, _), .refused(403, _): "key-refused"
        case .refused(429, _): "throttled"
        case .refused(let status, _): status >= 500 ? "unavailable" : "refused"
        case .customerUnknown: "customer-unknown"
        case .unreadable: "unreadable"
        }
    }

    /// A sentence for operators that says what to do next.
    var advice: String {
        switch self {
        case .silent("not-let-out"): "The way out does not let requests through to Stripe; see docs/purchases.md."
        case .silent: "There is no answer of Stripe; check this host's way out."
        case .refused(401, _), .refused(403, _):
            "Stripe does not accept the key for this; correct the file that STRIPE_SECRET_KEY_FILE names."
        case .refused(429, _): "Stripe wants fewer requests; wait."
        case .refused(let status, _) where status >= 500: "Stripe has a trouble of its own; wait."
        case .refused:
            "Stripe does not take the request; check STRIPE_CHECKOUT_PRICES, the links, and that the customer portal is set up there."
        case .customerUnknown: "The customer is none of the Stripe account that STRIPE_SECRET_KEY is for."
        case .unreadable: "The answer is none of Stripe's API; check STRIPE_API_URL."
        }
    }
}
