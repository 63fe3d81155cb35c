package import Configuration

/// How often somebody may knock. An address is an IPv4 address, or the /64 of an IPv6 one; its /56 may four times as often, its
/// /48 sixteen times.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `LIMIT_SIGN_UP` | rate | 100/1h | per address: sign-ups |
/// | `LIMIT_EMAIL_TAKEN` | rate | 20/1h | per address: sign-ups that were told that the e-mail address has an account |
/// | `LIMIT_SIGN_IN` | rate | 100/10m | per address: sign-ins |
/// | `LIMIT_NONCE` | rate | 200/10m | per address: nonces for sign-ins with Google or Apple |
/// | `LIMIT_REFRESH` | rate | 1000/10m | per address: refreshed tokens |
/// | `LIMIT_DEVICE` | rate | 30/1h | per address: anonymous devices |
/// | `LIMIT_HANDOVER` | rate | 10/1d | per anonymous device: sign-ins to accounts that get what was practised on it |
/// | `LIMIT_PASSWORD_RESET` | rate | 20/1h | per address: mails wanted |
/// | `LIMIT_CODE` | rate | 60/10m | per address: codes and passwords tried |
/// | `LIMIT_ACCOUNT` | rate | 10/10m | per account and address, or known device: wrong passwords |
/// | `LIMIT_ACCOUNT_STRANGERS` | rate | 100/1h | per account: wrong passwords from all addresses, known devices apart |
/// | `LIMIT_SECOND_FACTOR` | rate | 10/1h | per account and address, or device that showed it before: wrong codes of the second factor |
/// | `LIMIT_SECOND_FACTOR_STRANGERS` | rate | 20/1d | per account: wrong codes of the second factor from all others |
/// | `LIMIT_ACCOUNT_MAIL` | rate | 5/1h | per account and kind of mail: mails wanted; for a new password as `LIMIT_ACCOUNT` |
/// | `LIMIT_ACCOUNT_MAIL_STRANGERS` | rate | 20/1h | per account: mails for a new password, from all, known devices apart |
/// | `LIMIT_ACCOUNT_CHANGES` | rate | 200/1d | what is changed below `/v1/me`, and the password: per user after a proof; without one per login session, five times as much for all of a user; erasure and ending login sessions do not count |
package struct AccessLimits: Sendable {
    package let signUp: RateLimit
    package let emailTaken: RateLimit
    package let signIn: RateLimit
    package let nonce: RateLimit
    package let refresh: RateLimit
    package let device: RateLimit
    package let handover: RateLimit
    package let passwordReset: RateLimit
    package let code: RateLimit
    package let password: AccountLimit
    package let resetMail: AccountLimit
    package let accountMail: RateLimit
    package let secondFactor: AccountLimit
    package let accountChanges: RateLimit
    /// How many times as many changes as one login session all of a user make together, without a proof.
    package static let loginsThatChange = 5

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        signUp = RateLimit("SIGN_UP", environment, default: "100/1h")
        emailTaken = RateLimit("EMAIL_TAKEN", environment, default: "20/1h")
        signIn = RateLimit("SIGN_IN", environment, default: "100/10m")
        nonce = RateLimit("NONCE", environment, default: "200/10m")
        refresh = RateLimit("REFRESH", environment, default: "1000/10m")
        device = RateLimit("DEVICE", environment, default: "30/1h")
        handover = RateLimit("HANDOVER", environment, default: "10/1d")
        passwordReset = RateLimit("PASSWORD_RESET", environment, default: "20/1h")
        code = RateLimit("CODE", environment, default: "60/10m")
        password = AccountLimit(
            visitor: RateLimit("ACCOUNT", environment, default: "10/10m"),
            strangers: RateLimit("ACCOUNT_STRANGERS", environment, default: "100/1h"),
            advice: """
                Wait for as many seconds as Retry-After says, or choose a new password with a mailed code, which opens the \
                account again.
                """)
        secondFactor = AccountLimit(
            visitor: RateLimit("SECOND_FACTOR", environment, default: "10/1h"),
            strangers: RateLimit("SECOND_FACTOR_STRANGERS", environment, default: "20/1d"),
            advice: "Send a recovery code, or wait for as many seconds as Retry-After says.")
        accountChanges = RateLimit("ACCOUNT_CHANGES", environment, default: "200/1d")
        accountMail = RateLimit("ACCOUNT_MAIL", environment, default: "5/1h")
        resetMail = AccountLimit(
            visitor: accountMail, strangers: RateLimit("ACCOUNT_MAIL_STRANGERS", environment, default: "20/1h"),
            advice: "Use the code of a mail that came already, or wait for as many seconds as Retry-After says.")
    }
}
