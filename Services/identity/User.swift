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
        case .profileChanged(_, let timeZone): user.timeZone = timeZone
        case .passwordChanged, .passwordReset: break
        case .emailVerified: user.isEmailVerified = true
        case .erased: user.phase = .erased
        case .erasureConfirmed(_, let service, let removed): user.confirmations[service] = removed
        }
        return user
    }
}
