package import Configuration
import Primitives

/// How long what lets people in holds, and with which keys it is made.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `KEY_ENCRYPTION_KEY` | secret | required | 64 hexadecimal characters: seals signing keys and others; several while it changes, the first of which seals |
/// | `ACCESS_TOKEN_LIFETIME` | duration | 15m | how long an access token is accepted |
/// | `LOGIN_LIFETIME` | duration | 90d | when a login session ends, however often it was refreshed |
/// | `LOGIN_IDLE_LIMIT` | duration | 30d | when a login session ends that is not refreshed |
/// | `REFRESH_GRACE` | duration | 10s | how long a refresh token that was used may be repeated |
/// | `CODE_LIFETIME` | duration | 30m | how long a mailed code may be used, but one that stands in for a password ten minutes at most |
/// | `EMAIL_CHANGE_WAIT` | duration | 7d | how long another address waits for the confirmed one before it to agree; then it is the account's without that |
/// | `EMAIL_KEEP_LIFETIME` | duration | 7d | how long after a change of address a confirmed one can keep the account |
/// | `PASSWORD_QUEUE` | number | 64 | password checks at once, waiting ones included; one client network a quarter of what the others leave; more are told to come again |
/// | `REQUIRE_SECOND_FACTOR` | choice | none | who must have a second factor: `none`, or `accounts`, all of them |
/// | `BREACHED_PASSWORDS_FILE` | file | none | hashes of leaked passwords as Have I Been Pwned orders them, or their first digits: refused when chosen |
/// | `BREACHED_PASSWORDS_URL` | address | none | where the first five digits of a new password's hash are sent to learn of leaks, such as `https://api.pwnedpasswords.com/range/` |
/// | `BREACHED_PASSWORDS_DEADLINE` | duration | 2s | how long an answer from there may take; then what is known here decides |
/// | `BREACHED_PASSWORDS_CACHE` | duration | 1h | how long such an answer is kept |
/// | `COMPATIBLE_SHORT_PASSWORDS` | true or false | false | whether passwords of 6 characters are accepted on the compatible surface, as older apps let people choose them |
package struct AccessSettings: Sendable {
    package var secrets: AccessSecrets
    package let limits: AccessLimits
    package let accessTokenLifetime: Duration
    /// How long an access token of the compatible surface is accepted: its clients expect an hour.
    package static let compatibleTokenLifetime = Duration.seconds(3_600)
    /// No access token of any surface that is there lasts longer.
    package let longestTokenLifetime: Duration
    /// The fewest characters of a password that is chosen on the compatible surface.
    package let shortestCompatiblePassword: Int
    package let passwordQueue: Int
    let loginLifetime: Duration
    package let loginIdleLimit: Duration
    let refreshGrace: Duration
    package let codeLifetime: Duration
    package let emailKeepLifetime: Duration
    package let emailChangeWait: Duration
    package let secondFactorRule: SecondFactorRule
    /// Who may sign up, and who is let in.
    package let signUpRule: SignUpRule
    /// What was found in leaks; nil without such a file.
    package let breachedPasswords: BreachedPasswords?
    /// Who is asked about leaks; nil when nobody is.
    package let breachedRange: BreachedPasswordRange.Policy?

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        secrets = AccessSecrets(environment)
        limits = AccessLimits(environment)
        accessTokenLifetime = environment.duration("ACCESS_TOKEN_LIFETIME", default: .seconds(900))
        // Whether it is there is the platform's setting, which says so when it cannot be read.
        let isCompatible = environment.bool("COMPATIBLE_SURFACE", default: true)
        longestTokenLifetime =
            isCompatible ? max(accessTokenLifetime, Self.compatibleTokenLifetime) : accessTokenLifetime
        shortestCompatiblePassword =
            environment.bool("COMPATIBLE_SHORT_PASSWORDS", default: false) ? 6 : PasswordRules.shortest
        passwordQueue = environment.int("PASSWORD_QUEUE", default: 64, in: 1...10_000)
        loginLifetime = environment.duration("LOGIN_LIFETIME", default: .seconds(90 * 86_400))
        // Services believe in no app's token for longer (taken_back.sql), and it lasts as long as its login session.
        if loginLifetime > .seconds(400 * 86_400) {
            environment.refuse("LOGIN_LIFETIME", "must not be longer than 400d.")
        }
        loginIdleLimit = environment.duration("LOGIN_IDLE_LIMIT", default: .seconds(30 * 86_400))
        // Then no access token outlasts its login session, and an end by time has to be told to nobody.
        if loginIdleLimit < accessTokenLifetime {
            environment.refuse("LOGIN_IDLE_LIMIT", "must not be shorter than ACCESS_TOKEN_LIFETIME.")
        }
        refreshGrace = environment.duration("REFRESH_GRACE", default: .seconds(10))
        codeLifetime = environment.duration("CODE_LIFETIME", default: .seconds(1_800))
        emailChangeWait = environment.duration("EMAIL_CHANGE_WAIT", default: .seconds(7 * 86_400))
        emailKeepLifetime = environment.duration("EMAIL_KEEP_LIFETIME", default: .seconds(7 * 86_400))
        secondFactorRule = environment.choice("REQUIRE_SECOND_FACTOR", default: SecondFactorRule.none)
        signUpRule = SignUpRule(environment)
        breachedPasswords = BreachedPasswords(environment)
        breachedRange = BreachedPasswordRange.Policy(environment)
    }

    /// How long what is made with the keys of a purpose may last.
    ///
    /// - Parameter receipts: how long the address of a receipt holds.
    package func lifetime(of name: AccessSecrets.Changeable, receipts: Duration) -> Duration {
        switch name {
        case .refresh: loginIdleLimit
        case .codes: codeLifetime + emailChangeWait + emailKeepLifetime
        case .knownDevices: .seconds(400 * 86_400)
        case .tickets, .nonces: .seconds(900)
        case .receipts: receipts
        // Only the present one counts: with another, the counts of attempts begin anew.
        case .blind: .zero
        }
    }
}
