package import Configuration
import Primitives

/// How long what lets people in holds, and with which keys it is made.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `KEY_ENCRYPTION_KEY` | secret | required | 64 hexadecimal characters: seals signing keys, makes tokens and codes |
/// | `ACCESS_TOKEN_LIFETIME` | duration | 15m | how long an access token is accepted |
/// | `LOGIN_LIFETIME` | duration | 90d | when a login session ends, however often it was refreshed |
/// | `REFRESH_GRACE` | duration | 10s | how long a refresh token that was used may be repeated |
/// | `CODE_LIFETIME` | duration | 30m | how long a mailed code may be used |
/// | `PASSWORD_QUEUE` | number | 64 | password checks at once, waiting ones included; more are told to come again |
package struct AccessSettings: Sendable {
    package let secrets: AccessSecrets
    package let limits: AccessLimits
    package let accessTokenLifetime: Duration
    package let passwordQueue: Int
    let loginLifetime: Duration
    let refreshGrace: Duration
    let codeLifetime: Duration

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        secrets = AccessSecrets(environment)
        limits = AccessLimits(environment)
        accessTokenLifetime = environment.duration("ACCESS_TOKEN_LIFETIME", default: .seconds(900))
        passwordQueue = environment.int("PASSWORD_QUEUE", default: 64, in: 1...10_000)
        loginLifetime = environment.duration("LOGIN_LIFETIME", default: .seconds(90 * 86_400))
        refreshGrace = environment.duration("REFRESH_GRACE", default: .seconds(10))
        codeLifetime = environment.duration("CODE_LIFETIME", default: .seconds(1_800))
    }
}
