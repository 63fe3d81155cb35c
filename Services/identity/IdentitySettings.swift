import Access
package import Configuration
import Crypto
import Primitives

/// What the service reads from its environment besides what all services read.
///
/// | Variable | Default | Meaning |
/// |---|---|---|
/// | `KEY_ENCRYPTION_KEY` or `…_FILE` | | 64 hexadecimal characters: seals signing keys, makes refresh tokens |
/// | `ACCESS_TOKEN_LIFETIME` | 15m | how long an access token is accepted |
/// | `LOGIN_LIFETIME` | 90d | when a login session ends, however often it was refreshed |
/// | `REFRESH_GRACE` | 10s | how long a refresh token that was used may be repeated |
/// | `SIGNING_KEY_LIFETIME`, `SIGNING_KEY_OVERLAP` | 30d, 1d | a key's life; how long before its end the next one is made |
/// | `SIGNING_KEY_LEAD` | 5m | how long a new key is published before tokens are signed with it |
/// | `PASSWORD_QUEUE` | 64 | password checks at once, waiting ones included; more are told to come again |
/// | `ERASURE_WAIT` | 2s | how long the answer to an erasure waits for the other services |
/// | `LIMIT_SIGN_UP`, `LIMIT_SIGN_IN`, `LIMIT_REFRESH`, `LIMIT_DEVICE` | 100/1h, 100/10m, 1000/10m, 30/1h | per address |
/// | `LIMIT_ACCOUNT` | 10/10m | failed sign-ins per account |
package struct IdentitySettings: Sendable {
    let secrets: IdentitySecrets
    let accessTokenLifetime: Duration
    let loginLifetime: Duration
    let refreshGrace: Duration
    let signingKeyLifetime: Duration
    let signingKeyOverlap: Duration
    let signingKeyLead: Duration
    let passwordQueue: Int
    let erasureWait: Duration
    let signUpLimit: RateLimit
    let signInLimit: RateLimit
    let refreshLimit: RateLimit
    let deviceLimit: RateLimit
    let accountLimit: RateLimit

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        let key = Hex.decode(environment.secret("KEY_ENCRYPTION_KEY").reveal()) ?? []
        if !key.isEmpty && key.count != AESGCM.keyLength || key.isEmpty && environment.hasKey {
            environment.refuse(
                "KEY_ENCRYPTION_KEY", "must be 64 hexadecimal characters, as `openssl rand -hex 32` gives.")
        }
        secrets = IdentitySecrets(key)
        accessTokenLifetime = environment.duration("ACCESS_TOKEN_LIFETIME", default: .seconds(900))
        loginLifetime = environment.duration("LOGIN_LIFETIME", default: .seconds(90 * 86_400))
        refreshGrace = environment.duration("REFRESH_GRACE", default: .seconds(10))
        signingKeyLifetime = environment.duration("SIGNING_KEY_LIFETIME", default: .seconds(30 * 86_400))
        signingKeyOverlap = environment.duration("SIGNING_KEY_OVERLAP", default: .seconds(86_400))
        signingKeyLead = environment.duration("SIGNING_KEY_LEAD", default: .seconds(300))
        passwordQueue = environment.int("PASSWORD_QUEUE", default: 64, in: 1...10_000)
        erasureWait = environment.duration("ERASURE_WAIT", default: .seconds(2))
        if signingKeyOverlap < signingKeyLead + accessTokenLifetime {
            environment.refuse(
                "SIGNING_KEY_OVERLAP", "must be longer than SIGNING_KEY_LEAD and ACCESS_TOKEN_LIFETIME together.")
        }
        if signingKeyLifetime <= signingKeyOverlap {
            environment.refuse("SIGNING_KEY_LIFETIME", "must be longer than SIGNING_KEY_OVERLAP.")
        }
        signUpLimit = RateLimit("SIGN_UP", environment, default: "100/1h")
        signInLimit = RateLimit("SIGN_IN", environment, default: "100/10m")
        refreshLimit = RateLimit("REFRESH", environment, default: "1000/10m")
        deviceLimit = RateLimit("DEVICE", environment, default: "30/1h")
        accountLimit = RateLimit("ACCOUNT", environment, default: "10/10m")
    }
}

extension Environment {
    fileprivate var hasKey: Bool { optional("KEY_ENCRYPTION_KEY") != nil || optional("KEY_ENCRYPTION_KEY_FILE") != nil }
}

/// The keys that follow from `KEY_ENCRYPTION_KEY`, one for each purpose.
struct IdentitySecrets: Sendable {
    /// Seals private signing keys.
    let sealing: [UInt8]
    /// Authenticates refresh tokens.
    let refresh: [UInt8]
    /// Hashes device ids and makes device secrets.
    let device: [UInt8]
    /// Hashes what may not be read back: addresses in rate limits and in ids of commands.
    let blind: [UInt8]

    init(_ key: [UInt8]) {
        let derive = { (purpose: String) in HMACSHA256.authenticate(Array("mirrormate/\(purpose)".utf8), key: key) }
        sealing = derive("signing-keys")
        refresh = derive("refresh-tokens")
        device = derive("devices")
        blind = derive("blind-hashes")
    }

    /// A hash from which the text cannot be guessed without the key.
    func blinded(_ text: String) -> [UInt8] { HMACSHA256.authenticate(Array(text.utf8), key: blind) }
}
