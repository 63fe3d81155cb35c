package import Configuration

/// How often somebody may knock.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `LIMIT_SIGN_UP` | rate | 100/1h | per address: sign-ups |
/// | `LIMIT_EMAIL_TAKEN` | rate | 20/1h | per address: sign-ups that were told that the e-mail address has an account |
/// | `LIMIT_SIGN_IN` | rate | 100/10m | per address: sign-ins |
/// | `LIMIT_REFRESH` | rate | 1000/10m | per address: refreshed tokens |
/// | `LIMIT_DEVICE` | rate | 30/1h | per address: anonymous devices |
/// | `LIMIT_PASSWORD_RESET` | rate | 20/1h | per address: mails wanted |
/// | `LIMIT_CODE` | rate | 60/10m | per address: codes and passwords tried |
/// | `LIMIT_ACCOUNT` | rate | 10/10m | per account: failed sign-ins |
/// | `LIMIT_ACCOUNT_MAIL` | rate | 5/1h | per account: mails wanted |
package struct AccessLimits: Sendable {
    package let signUp: RateLimit
    package let emailTaken: RateLimit
    package let signIn: RateLimit
    package let refresh: RateLimit
    package let device: RateLimit
    package let passwordReset: RateLimit
    package let code: RateLimit
    package let account: RateLimit
    package let accountMail: RateLimit

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        signUp = RateLimit("SIGN_UP", environment, default: "100/1h")
        emailTaken = RateLimit("EMAIL_TAKEN", environment, default: "20/1h")
        signIn = RateLimit("SIGN_IN", environment, default: "100/10m")
        refresh = RateLimit("REFRESH", environment, default: "1000/10m")
        device = RateLimit("DEVICE", environment, default: "30/1h")
        passwordReset = RateLimit("PASSWORD_RESET", environment, default: "20/1h")
        code = RateLimit("CODE", environment, default: "60/10m")
        account = RateLimit("ACCOUNT", environment, default: "10/10m")
        accountMail = RateLimit("ACCOUNT_MAIL", environment, default: "5/1h")
    }
}
