package import EventStore
package import Primitives

/// What somebody has shown of an account, before a second factor is asked for: its password, or an identity that is linked
/// to it.
package struct FirstFactor: Sendable {
    package let user: UUID
    package let proof: Proof
    /// Since when it opens the account.
    let since: Timestamp

    init(_ user: UUID, _ proof: Proof, since: Timestamp) {
        self.user = user
        self.proof = proof
        self.since = since
    }

    /// The proofs that can be a first factor.
    static let proofs: [Proof] = [.password, .google, .apple]

    /// For the append that it allows: refuses it with `password-changed` when another password was chosen meanwhile, and
    /// with `identity-unlinked` when the identity was unlinked.
    package var stands: RowCall {
        switch proof {
        case .google: AccessRows.identityStands(user, IdentityProvider.google.rawValue, since)
        case .apple: AccessRows.identityStands(user, IdentityProvider.apple.rawValue, since)
        case .password, .mail, .device, .otp, .recovery: AccessRows.passwordStands(user, since)
        }
    }
}
