package import Contracts
package import EventSourcing
package import Primitives

/// One user, as far as the next decision needs it: an anonymous device or an account.
package struct User: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        /// Nothing is known, but perhaps that a service has already removed what belonged to it.
        case absent
        case active
        case erased
    }

    package var phase: Phase = .absent
    package var id: UUID?
    package var timeZone = ""
    /// The ways of signing in; none for an anonymous device.
    package var methods: Set<SignInMethod> = []
    package var isEmailVerified = false
    /// Another address that has shown whose it is, while the one so far has not confirmed that it is to be the account's.
    package var emailChange: WaitingEmailChange?
    /// Whether a password alone lets nobody in.
    package var hasSecondFactor = false
    /// Whether the address was ever changed, and whether the second factor was added after that or while another one waited: an
    /// earlier address, which may keep the account, knows nothing of it then.
    package var hasNewAddress = false
    package var hasFactorOfNewAddress = false
    /// Whether no secret of the anonymous device lets anybody in any more.
    package var isDeviceRevoked = false
    package var notifications = NotificationPreferences()
    /// What was accepted last; nil without any.
    package var terms: TermsAcceptance?
    /// What providers may have now.
    package var consents: [ConsentScope: Consent] = [:]
    /// When the user last gave or withdrew a consent; in the past before the first.
    package var consentsChangedAt: Timestamp = .epoch
    /// What each service removed, by its name.
    package var confirmations: [String: SubjectErased.Removed] = [:]

    package init() {}

    /// Whether it is an anonymous device or an account; nil for an unknown or erased user.
    package var kind: UserKind? { phase == .active ? (methods.isEmpty ? .device : .user) : nil }

    /// The services whose part of the erasure is still open, in a fixed order; empty when the receipt is complete.
    package var unconfirmed: [ServiceName] { ServiceName.allCases.filter { confirmations[$0.rawValue] == nil } }

    /// Whether the user is erased and all services have said so.
    package var isFullyErased: Bool { phase == .erased && unconfirmed.isEmpty }
}

extension User {
    package typealias Command = UserCommand
    package typealias Event = UserEvent
    package typealias Refusal = UserRefusal

    package static var initial: User { User() }

    /// The category of the streams of users.
    package static let category = "user"

    /// The stream of a user.
    package static func stream(_ id: UUID) -> StreamName { StreamName(category, id) }

    package static func evolve(_ state: User, _ event: UserEvent) -> User {
        var user = state
        user.id = event.userId
        switch event {
        case .registered(_, _, let timeZone):
            user.phase = .active
            user.timeZone = timeZone
        case .credentialsAttached(_, let method, _): user.methods.insert(method)
        case .credentialsDetached(_, let method): user.methods.remove(method)
        case .profileChanged(_, let timeZone): user.timeZone = timeZone
        // Whoever shows that the account is theirs, and puts everybody else out, wants nothing of what those began.
        case .passwordChanged, .passwordReset, .emailChangeWithdrawn: user.dropEmailChange()
        case .deviceSecretChanged: break
        case .deviceSecretRevoked: user.isDeviceRevoked = true
        case .emailVerified: user.isEmailVerified = true
        case .newAddressProven(_, let change, let moment):
            user.emailChange = WaitingEmailChange(id: change, takesEffectAt: moment)
        case .emailChangeStopped:
            user.isEmailVerified = true
            user.emailChange = nil
        case .emailChanged:
            user.isEmailVerified = true
            user.hasNewAddress = true
            user.emailChange = nil
        case .notificationsChanged(_, let wanted): user.notifications = wanted
        case .termsAccepted(_, let terms): user.terms = terms
        case .consentGiven(_, let consent):
            user.consents[consent.scope] = consent
            user.consentsChangedAt = consent.givenAt
        case .consentWithdrawn(_, let scope, let moment):
            user.consents[scope] = nil
            user.consentsChangedAt = moment
        case .erased: user.phase = .erased
        case .erasureConfirmed(_, let service, let removed): user.confirmations[service] = removed
        case .secondFactorAdded:
            user.hasSecondFactor = true
            user.hasFactorOfNewAddress = user.hasNewAddress || user.emailChange != nil
        case .secondFactorRemoved:
            user.hasSecondFactor = false
            user.hasFactorOfNewAddress = false
        case .recoveryCodesReplaced, .deviceHandedOver: break
        }
        return user
    }

    /// Without a change there is no address that knows nothing of the second factor.
    private mutating func dropEmailChange() {
        emailChange = nil
        if !hasNewAddress { hasFactorOfNewAddress = false }
    }
}
