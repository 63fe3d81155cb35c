import Access
import Configuration
import Federation
import Mail
import ObjectStorage
import Photos
import ServiceKit
import SigningKeys

/// What the service reads from its environment besides what all services read, `AccessSettings`, `AccessLimits`,
/// `SignUpRule`, `FederationSettings`, `MailSettings`, `PhotoSettings`, `ObjectStoreSettings` and `SigningKeySettings`.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `PASSWORD_RESET_LINK` | address | the app page | what the mail for a new password offers to open, with `{code}` in it |
/// | `VERIFY_EMAIL_LINK` | address | the app page | what the mail that confirms an address offers to open, with `{code}` in it |
/// | `CHANGE_EMAIL_LINK` | address | the app page | what the mail to a new address offers to open, with `{code}` in it |
/// | `CONFIRM_EMAIL_CHANGE_LINK` | address | the app page | what the mail that asks the old address about a new one offers to open, with `{code}` in it |
/// | `KEEP_EMAIL_LINK` | address | the app page | what mails about a new address to the old one offer to open that keeps the account, with `{code}` in it |
/// | `TERMS_VERSION` | text | none | the version of the terms of use that is in force |
/// | `CONSENTS_FILE` | file | none | what users can consent to, see `docs/providers.md`; without it nothing |
/// | `ERASURE_WAIT` | duration | 2s | how long the answer to an erasure waits for the other services |
/// | `ERASURE_RECEIPT_LIFETIME` | duration | 90d | how long the address of an erasure's receipt holds |
struct IdentitySettings: Sendable {
    var access: AccessSettings
    let signingKeys: SigningKeySettings
    let federation: FederationSettings
    let mail: MailSettings
    let photos: PhotoSettings
    /// Where its parts of exports lie.
    let objects: ObjectStoreSettings
    /// The links in mails, by the purpose of the code in them.
    private(set) var links: [String: String]
    let terms: Terms
    let consents: ConsentOffers
    let erasureWait: Duration
    let receiptLifetime: Duration

    /// Reads the variables; problems stay in `environment` until it is finished.
    init(_ environment: Environment) {
        access = AccessSettings(environment)
        signingKeys = SigningKeySettings(
            environment, sealing: access.secrets.sealing, tokenLifetime: access.longestTokenLifetime)
        federation = FederationSettings(environment)
        mail = MailSettings(environment)
        photos = PhotoSettings(environment)
        objects = ObjectStoreSettings(environment)
        var links: [String: String] = [:]
        let ofAccounts: [(AccountMails.Kind, String)] = [
            (.passwordReset, "PASSWORD_RESET_LINK"), (.verifyEmail, "VERIFY_EMAIL_LINK"),
            (.newAddress, "CHANGE_EMAIL_LINK"), (.keepAddress, "KEEP_EMAIL_LINK"),
        ]
        let ofChange = (AccountMails.ChangeNotice.oldAddress.rawValue, "CONFIRM_EMAIL_CHANGE_LINK")
        for (purpose, name) in ofAccounts.map({ ($0.rawValue, $1) }) + [ofChange] {
            links[purpose] = environment.optional(name)
            if links[purpose]?.contains("{code}") == false { environment.refuse(name, "must have {code} in it.") }
        }
        self.links = links
        terms = Terms(version: environment.optional("TERMS_VERSION"))
        if let version = terms.version, version.wholeMatch(of: #/[A-Za-z0-9._-]{1,40}/#) == nil {
            environment.refuse("TERMS_VERSION", "must be up to 40 letters, digits, points and dashes, such as 2026-11.")
        }
        consents = environment.settingsFile("CONSENTS_FILE", ConsentFile.read) ?? ConsentOffers()
        erasureWait = environment.duration("ERASURE_WAIT", default: .seconds(2))
        receiptLifetime = environment.duration("ERASURE_RECEIPT_LIFETIME", default: .seconds(90 * 86_400))
    }

    /// Lets mails lead to the app page where no other link is set. What stands behind # is sent to no server.
    ///
    /// - Parameter publicURL: the only address that clients see; the page is at its root.
    mutating func linkToPage(at publicURL: String) {
        let views: [(AccountMails.Kind, String)] = [
            (.passwordReset, "reset"), (.verifyEmail, "verify"), (.newAddress, "new-address"),
            (.keepAddress, "keep-address"),
        ]
        let ofChange = (AccountMails.ChangeNotice.oldAddress.rawValue, "old-address")
        for (purpose, view) in views.map({ ($0.rawValue, $1) }) + [ofChange] where links[purpose] == nil {
            links[purpose] = "\(publicURL)/#/\(view)/{code}"
        }
    }
}
