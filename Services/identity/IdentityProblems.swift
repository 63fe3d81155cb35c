import Access
import EventStore
import Federation
package import HTTPServer
import Primitives
import Runtime
import ServiceKit

extension Problem {
    /// 401 for a token of somebody who is erased.
    static let userGone = unauthorized(.userGone)

    /// 401 for a token whose login session ended while it was asked about.
    static let loginSessionEnded = unauthorized(.loginSessionEnded)
}

/// The one place where refusals of users become problems.
extension UserRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknown, .erased: .userGone
        case .exists: Problem(.userExists)
        case .noEmailChange: Problem(.codeInvalid)
        case .emailChangeWaits: Problem(.emailChangeWaits)
        // Its login sessions have ended with the secret.
        case .deviceRevoked: .loginSessionEnded
        case .noAccount, .noPassword: Problem(.accountMissing)
        case .noSuchMethod: Problem(.notFound, detail: "The account has no identity of this provider.")
        case .lastMethod: Problem(.lastSignInMethod)
        case .hasSecondFactor: Problem(.secondFactorExists)
        case .noSecondFactor: Problem(.secondFactorMissing)
        case .invalidTimeZone: Problem(.timeZoneInvalid)
        }
    }
}

extension Credentials {
    /// The address of a user, in small letters.
    ///
    /// - Throws: `UserRefusal.noAccount` for an anonymous device, the problem `address-missing` for an account without one,
    ///   or `PostgresError`.
    func requireAddress(of user: UUID) async throws -> String {
        if let address = try await address(of: user) { return address }
        throw try await withoutAddress(user)
    }

    /// What is said to a user who has no address, so no password.
    func withoutAddress(_ user: UUID) async throws -> any Error {
        try await hasAccount(user) ? Problem(.addressMissing) : UserRefusal.noAccount
    }
}

extension RowRefusal {
    /// What the refusal of a row function is to a client; nil for those of signing keys, which the service itself makes.
    var problem: Problem? {
        switch self {
        case .emailTaken: Problem(.emailTaken)
        case .passwordChanged: Problem(.passwordChanged)
        case .deviceSecretInvalid: Problem(.deviceSecretInvalid)
        case .codeInvalid: Problem(.codeInvalid)
        case .deviceHasAccount: Problem(.deviceHasAccount)
        case .emailUnverified: Problem(.emailUnverified)
        case .secondFactorExists: Problem(.secondFactorExists)
        case .secondFactorInvalid: Problem(.secondFactorInvalid)
        case .identityLinked: Problem(.identityLinked)
        case .providerLinked: Problem(.providerLinked)
        case .identityUnlinked: Problem(.credentialsInvalid)
        case .nonceUsed: Problem(.nonceInvalid)
        case .secondFactorNeeded: .secondFactorNeeded
        case .loginEnded: .loginSessionEnded
        case .userGone: .userGone
        default: nil
        }
    }
}

/// Problems of users.
extension ProblemCode {
    package static let accountUnknown = ProblemCode(
        "account-unknown", 404, "No such account",
        "Check the address; only accounts with an address can be found by it.")
    package static let deviceUnknown = ProblemCode(
        "device-unknown", 404, "No such device",
        "Check the id: users devices lists those of an account, and a device itself has its own from GET /v1/me.")
    package static let receiptAddressInvalid = ProblemCode(
        "receipt-address-invalid", 403, "Not the address of a receipt",
        "Use the address in the answer to the erasure unchanged.")
    package static let receiptAddressExpired = ProblemCode(
        "receipt-address-expired", 403, "The address of the receipt is over",
        "There is nothing more to read; the erasure stands.")
    package static let deviceHasAccount = ProblemCode(
        "device-has-account", 409, "The device has an account",
        "Sign in to the account.")
    package static let userExists = ProblemCode(
        "user-exists", 409, "There is an account already",
        "Sign in instead of signing up.")
    package static let lastSignInMethod = ProblemCode(
        "last-sign-in-method", 409, "It is the last way of signing in",
        "Add another one first: link another identity, or choose a password with POST /v1/auth/password-reset.")
    package static let termsNotCurrent = ProblemCode(
        "terms-not-current", 409, "These terms are not in force",
        "Show the terms that GET /v1/me/terms names as current, and send their version.")
    package static let securityMailsStay = ProblemCode(
        "security-mails-stay", 409, "These mails cannot be turned off",
        "Leave security out, or send true: mails about the account's safety are always sent.")
    package static let localeInvalid = ProblemCode(
        "locale-invalid", 422, "The request cannot be accepted",
        "Send a BCP 47 tag of the language that was shown, such as en or pt-BR.")
    package static let consentNotOffered = ProblemCode(
        "consent-not-offered", 409, "This text is not in force",
        "Show the texts that GET /v1/consents offers, and send the provider, purpose and version of those that were agreed to, with a language that they have."
    )
    package static let accountMissing = ProblemCode("account-missing", 409, "There is no account yet", "Sign up first.")

    /// All of them.
    package static let identity: [ProblemCode] = [
        accountUnknown, deviceUnknown, receiptAddressInvalid, receiptAddressExpired, deviceHasAccount, userExists,
        accountMissing,
        lastSignInMethod,
        termsNotCurrent, securityMailsStay, localeInvalid, consentNotOffered,
    ]
}
