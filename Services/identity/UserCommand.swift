package import Contracts
package import Primitives

/// What can be asked of a user. Addresses, names and secrets are rows; no command carries them.
package enum UserCommand: Sendable, Equatable {
    /// An anonymous device begins.
    case registerDevice(UUID, timeZone: String)
    /// Somebody signs up, and perhaps accepts the terms of use with that. A device keeps its id and all that belongs to it. An
    /// address may be confirmed already, by whoever vouches for it.
    case signUp(
        UUID, method: SignInMethod, timeZone: String, terms: TermsAcceptance? = nil, isEmailVerified: Bool = false)
    /// Another way of signing in is added to an account.
    case attach(method: SignInMethod)
    /// A way of signing in is taken from an account, which has another one.
    case detach(method: SignInMethod)
    /// The time zone has changed.
    case changeTimeZone(String)
    /// The password has changed; its hash is a row of the same append.
    case changePassword
    /// The password was replaced by somebody who read a mail to the address, which confirms it.
    case resetPassword
    /// Somebody has read a mail to the address, so it is the user's.
    case verifyEmail
    /// Somebody has read a mail to another address. It is the user's from now on where the one so far was never confirmed; else
    /// that one is asked, too, and is heard until the given time.
    case proveNewAddress(change: UUID, takesEffectAt: Timestamp)
    /// Somebody has read a mail to the address so far, which agrees to the change.
    case confirmEmailChange(UUID)
    /// The address so far was silent for as long as the change waited.
    case completeEmailChange(UUID, at: Timestamp)
    /// The user does not want the other address any more.
    case withdrawEmailChange
    /// Somebody has read a mail to the address that the account had, and keeps it: the change is undone or does not happen,
    /// the password is out of force, and no linked identity lets anybody in.
    ///
    /// - doubtsFactor: whether the second factor is so new that whoever added it may have meant to change the address next; it goes,
    ///   as does one that was added while another address waited or was the account's.
    case stopEmailChange(doubtsFactor: Bool)
    /// The user wants these mails.
    case setNotifications(NotificationPreferences)
    /// The user accepts the terms of use.
    case acceptTerms(TermsAcceptance)
    /// The user lets providers have this, and nothing else.
    case setConsents([ConsentTerms], at: Timestamp)
    /// A provider may have no more data for a purpose; of what a restore has lost, not before the given moment.
    case withdrawConsent(ConsentScope, at: Timestamp)
    /// An anonymous device gets another secret.
    case changeDeviceSecret
    /// Nobody is let in with a secret of an anonymous device any more: it is lost, or somebody else may know it.
    case revokeDeviceSecret
    /// Remove the user everywhere; what goes here goes with the decision.
    case erase(here: SubjectErased.Removed)
    /// Announce the erasure again: with a new announcement key.
    case announceErasure
    /// A service is done with an erasure.
    case confirmErasure(UUID, service: String, removed: SubjectErased.Removed)
    /// A second factor is asked for from now on; its secret and its recovery codes are rows of the same append.
    case addSecondFactor
    /// The same by somebody who puts out whoever asked for the change of address that waits.
    case addSecondFactorGivingUpChange
    /// The second factor is asked for no longer.
    case removeSecondFactor
    /// The same by an operator, for somebody who has lost it: a change of address that waits may be of whoever made them lose it.
    case liftSecondFactor
    /// Other recovery codes stand for the second factor.
    case replaceRecoveryCodes
    /// What was practised on an anonymous device so far becomes an account's.
    case handOver(to: UUID, at: Timestamp?)
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
    /// No such change of the address waits, or not for long enough; ask for another one.
    case noEmailChange
    /// Another change of the address waits already; withdraw that one first.
    case emailChangeWaits
    /// The device's secret lets nobody in any more; begin with another device.
    case deviceRevoked
    /// The account has no password; sign in as before or add one.
    case noPassword
    /// The account has no such way of signing in.
    case noSuchMethod
    /// It is the account's last way of signing in; add another one first.
    case lastMethod
    /// There is a second factor already; remove it first.
    case hasSecondFactor
    /// There is no second factor; add one first.
    case noSecondFactor
    /// The time zone is not an IANA name, for instance `Europe/Berlin`.
    case invalidTimeZone
}
