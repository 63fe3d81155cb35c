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
    /// Whether a password alone lets nobody in.
    package var hasSecondFactor = false
    /// Whether the address was ever changed, and whether the second factor was added after that: an earlier address, which may
    /// keep the account, knows nothing of it then.
    package var hasNewAddress = false
    package var hasFactorOfNewAddress = false
    package var notifications = NotificationPreferences()
    /// What was accepted last; nil without any.
    package var terms: TermsAcceptance?
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
        case .passwordChanged, .passwordReset, .deviceSecretChanged: break
        case .emailVerified, .emailChangeStopped: user.isEmailVerified = true
        case .emailChanged:
            user.isEmailVerified = true
            user.hasNewAddress = true
        case .notificationsChanged(_, let wanted): user.notifications = wanted
        case .termsAccepted(_, let terms): user.terms = terms
        case .erased: user.phase = .erased
        case .erasureConfirmed(_, let service, let removed): user.confirmations[service] = removed
        case .secondFactorAdded:
            user.hasSecondFactor = true
            user.hasFactorOfNewAddress = user.hasNewAddress
        case .secondFactorRemoved:
            user.hasSecondFactor = false
            user.hasFactorOfNewAddress = false
        case .recoveryCodesReplaced, .deviceHandedOver: break
        }
        return user
    }
}
