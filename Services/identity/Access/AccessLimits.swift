package import Configuration

/// How often somebody may knock.
///
/// | Variable | Default | Meaning |
/// |---|---|---|
/// | `LIMIT_SIGN_UP`, `LIMIT_SIGN_IN`, `LIMIT_REFRESH`, `LIMIT_DEVICE` | 100/1h, 100/10m, 1000/10m, 30/1h | per address |
/// | `LIMIT_EMAIL_TAKEN` | 20/1h | per address: sign-ups that were told that the e-mail address has an account |
/// | `LIMIT_PASSWORD_RESET`, `LIMIT_CODE` | 20/1h, 60/10m | per address: mails wanted, codes and passwords tried |
/// | `LIMIT_ACCOUNT`, `LIMIT_ACCOUNT_MAIL` | 10/10m, 5/1h | per account: failed sign-ins, mails wanted |
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
