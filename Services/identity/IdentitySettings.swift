import Access
import Configuration
import Mail
import SigningKeys

/// What the service reads from its environment besides what all services read, `AccessSettings`, `AccessLimits`,
/// `MailSettings` and `SigningKeySettings`.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `PASSWORD_RESET_LINK` | address | none | what the mail for a new password offers to open, with `{code}` in it |
/// | `VERIFY_EMAIL_LINK` | address | none | what the mail that confirms an address offers to open, with `{code}` in it |
/// | `ERASURE_WAIT` | duration | 2s | how long the answer to an erasure waits for the other services |
struct IdentitySettings: Sendable {
    let access: AccessSettings
    let signingKeys: SigningKeySettings
    let mail: MailSettings
    let links: [AccountMails.Kind: String]
    let erasureWait: Duration

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        access = AccessSettings(environment)
        signingKeys = SigningKeySettings(
            environment, sealingKey: access.secrets.sealing, tokenLifetime: access.accessTokenLifetime)
        mail = MailSettings(environment)
        var links: [AccountMails.Kind: String] = [:]
        for (kind, name) in [
            (AccountMails.Kind.passwordReset, "PASSWORD_RESET_LINK"), (.verifyEmail, "VERIFY_EMAIL_LINK"),
        ] {
            links[kind] = environment.optional(name)
            if links[kind]?.contains("{code}") == false { environment.refuse(name, "must have {code} in it.") }
        }
        self.links = links
        erasureWait = environment.duration("ERASURE_WAIT", default: .seconds(2))
    }
}
