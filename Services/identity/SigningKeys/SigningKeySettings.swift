package import Configuration
package import Crypto
import Primitives

/// The lifetime of signing keys.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `SIGNING_KEY_LIFETIME` | duration | 30d | how long a key lasts |
/// | `SIGNING_KEY_OVERLAP` | duration | 1d | how long before its end the next one is created |
/// | `SIGNING_KEY_LEAD` | duration | 5m | how long a new key is published before tokens are signed with it |
package struct SigningKeySettings: Sendable {
    /// The keys that private keys are sealed with.
    let sealing: SealingKeys
    /// How long a token is accepted, and so how long a key must outlive its last signature.
    let tokenLifetime: Duration
    let lifetime: Duration
    let overlap: Duration
    let lead: Duration

    /// Reads the variables; problems are collected in `environment`.
    package init(_ environment: Environment, sealing: SealingKeys, tokenLifetime: Duration) {
        self.sealing = sealing
        self.tokenLifetime = tokenLifetime
        lifetime = environment.duration("SIGNING_KEY_LIFETIME", default: .seconds(30 * 86_400))
        overlap = environment.duration("SIGNING_KEY_OVERLAP", default: .seconds(86_400))
        lead = environment.duration("SIGNING_KEY_LEAD", default: .seconds(300))
        if overlap < lead + tokenLifetime {
            environment.refuse(
                "SIGNING_KEY_OVERLAP",
                "must be longer than SIGNING_KEY_LEAD and ACCESS_TOKEN_LIFETIME together, and with the compatible surface an hour more than SIGNING_KEY_LEAD."
            )
        }
        if lifetime <= overlap {
            environment.refuse("SIGNING_KEY_LIFETIME", "must be longer than SIGNING_KEY_OVERLAP.")
        }
    }
}
