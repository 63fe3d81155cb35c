import Access
import Contracts
import EventSourcingTesting
import Primitives
import SigningKeys

@testable import identity

typealias Given = Specification<User>

/// One user, one signing key and all that can be said of them.
enum Fixture {
    static let id = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0001)
    static let kid = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0002)
    static let start = Timestamp(seconds: 1_795_000_000)
    static let removed = SubjectErased.Removed(rows: 2, objects: 1)
    static let key = SigningKeyMaterial(
        kid: kid, x: "eHg", y: "eXk", notBefore: start, expiresAt: start.adding(seconds: 86_400))

    static let device = UserEvent.registered(id, .device, timeZone: "Europe/Berlin")
    static let person = UserEvent.registered(id, .user, timeZone: "Europe/Berlin")
    static let password = UserEvent.credentialsAttached(id, .password, upgradesDevice: false)
    static let upgraded = UserEvent.credentialsAttached(id, .google, upgradesDevice: true)
    static let linked = UserEvent.credentialsAttached(id, .google, upgradesDevice: false)
    static let detached = UserEvent.credentialsDetached(id, .google)
    static let moved = UserEvent.profileChanged(id, timeZone: "Asia/Tokyo")
    static let changed = UserEvent.passwordChanged(id)
    static let reset = UserEvent.passwordReset(id)
    static let verified = UserEvent.emailVerified(id)
    static let protected = UserEvent.secondFactorAdded(id)
    static let unprotected = UserEvent.secondFactorRemoved(id)
    static let recoverable = UserEvent.recoveryCodesReplaced(id)
    static let handedOver = UserEvent.deviceHandedOver(id, accountId: login, at: start)
    /// Of before its moment was kept.
    static let handedOverBefore = UserEvent.deviceHandedOver(id, accountId: login, at: nil)
    static let erased = UserEvent.erased(id)
    static let change = UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0004)
    static let proven = UserEvent.newAddressProven(id, change: change, takesEffectAt: start)
    static let readdressed = UserEvent.emailChanged(id, by: .bothAddresses)
    static let withdrawn = UserEvent.emailChangeWithdrawn(id)
    static let revoked = UserEvent.deviceSecretRevoked(id)
    /// Of before it was announced.
    static let revokedBefore = UserEvent.deviceSecretRevoked(id, isAnnounced: false)
    static let keep = UserCommand.stopEmailChange(doubtsFactor: false)
    static let kept = UserEvent.emailChangeStopped(id)
    static let wanted: NotificationPreferences = {
        var wanted = NotificationPreferences()
        wanted.productNews = true
        wanted.weeklySummary = false
        return wanted
    }()
    static let consent = ConsentTerms(
        scope: ConsentScope(provider: "openai", purpose: .transcription), dataClasses: [.audio], version: "2026-11",
        locale: "en", textSHA256: String(repeating: "cd", count: 32))
    static let consented = UserEvent.consentGiven(id, Consent(terms: consent, givenAt: start))
    static let unconsented = UserEvent.consentWithdrawn(id, consent.scope, at: start)
    static let terms = TermsAcceptance(version: "2026-11", locale: "de", acceptedAt: start)

    static let login = UUID(high: 0x019A_9C60_0000_4000, low: 0x8000_0000_0000_0003)
    static let appToken = AppTokenIssued(
        userId: id, loginSessionId: login, tokenSHA256: String(repeating: "ab", count: 32), surface: .practice,
        timeZone: "Europe/Berlin", expiresAt: start)
    static let apiKey = APIKeyIssued(keyId: login, keySHA256: String(repeating: "ab", count: 32), role: .service)
    static let end = LoginSessionEnd(session: login, user: id, reason: .signedOut, tokensUntil: start)

    static func confirmed(_ service: ServiceName) -> UserEvent {
        .erasureConfirmed(id, service: service.rawValue, removed)
    }

    static let absent = Given([])
    static let anonymous = Given([device])
    static let account = Given([person, password])
    static let googleAccount = Given([device, upgraded])
    static let linkedAccount = Given([person, password, verified, linked])
    static let protectedAccount = Given([person, password, protected])
    static let changingAccount = Given([person, password, verified, proven])
    static let consentingAccount = Given([person, password, consented])
    static let readdressedAccount = Given([person, password, readdressed])
    static let gone = Given([person, password, erased])
}
