/// Who else vouches for somebody; the raw values are durable.
package enum IdentityProvider: String, Sendable, CaseIterable {
    case google
    case apple

    /// What an identity token of it shows.
    package var proof: Proof {
        switch self {
        case .google: .google
        case .apple: .apple
        }
    }
}
