import Access
package import Configuration
import Mail
import SigningKeys

/// What the service reads from its environment besides what all services read, `AccessSettings`, `AccessLimits`,
/// `MailSettings` and `SigningKeySettings`.
///
/// | Variable | Default | Meaning |
/// |---|---|---|
/// | `PASSWORD_RESET_LINK`, `VERIFY_EMAIL_LINK` | | what a mail offers to open, with `{code}` in it |
/// | `ERASURE_WAIT` | 2s | how long the answer to an erasure waits for the other services |
package struct IdentitySettings: Sendable {
    let access: AccessSettings
    let signingKeys: SigningKeySettings
    let mail: MailSettings
    let links: [AccountMails.Kind: String]
    let erasureWait: Duration

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
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
