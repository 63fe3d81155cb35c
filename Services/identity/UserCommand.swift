package import Contracts
package import Primitives

/// What can be asked of a user. Addresses, names and secrets are rows; no command carries them.
package enum UserCommand: Sendable, Equatable {
    /// An anonymous device begins.
    case registerDevice(UUID, timeZone: String)
    /// Somebody signs up. A device keeps its id and all that belongs to it.
    case signUp(UUID, method: SignInMethod, timeZone: String)
    /// Another way of signing in is added to an account.
    case attach(method: SignInMethod)
    /// The time zone has changed.
    case changeTimeZone(String)
    /// The password has changed; its hash is a row of the same append.
    case changePassword
    /// The password was replaced by somebody who read a mail to the address.
    case resetPassword
    /// Somebody has read a mail to the address, so it is the user's.
    case verifyEmail
    /// Remove the user everywhere; what goes here goes with the decision.
    case erase(here: SubjectErased.Removed)
    /// Announce the erasure again: with a new announcement key.
    case announceErasure
    /// A service is done with an erasure.
    case confirmErasure(UUID, service: String, removed: SubjectErased.Removed)
}

/// How somebody proves who they are.
package struct SignInMethod: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let password = SignInMethod(rawValue: "password")
    package static let google = SignInMethod(rawValue: "google")
    package static let apple = SignInMethod(rawValue: "apple")
}

/// Why a command to a user is refused.
package enum UserRefusal: Error, Sendable, Equatable, CaseIterable {
    /// There is no such user.
    case unknown
    /// The user has credentials already; sign in instead.
    case exists
    /// The user is erased; nothing brings it back.
    case erased
    /// An anonymous device has no account yet; sign up first.
    case noAccount
    /// The account has no password; sign in as before or add one.
    case noPassword
    /// The time zone is not an IANA name, for instance `Europe/Berlin`.
    case invalidTimeZone
}
