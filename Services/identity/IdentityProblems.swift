import Access
import EventStore
package import HTTPServer
import ServiceKit

extension Problem {
    /// 401 for a token of somebody who is erased.
    static let userGone = Problem(.userGone, headers: ["WWW-Authenticate": "Bearer"])
}

/// The one place where refusals of users become problems.
extension UserRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknown, .erased: .userGone
        case .exists: Problem(.userExists)
        case .noAccount, .noPassword: Problem(.accountMissing)
        case .invalidTimeZone: Problem(.timeZoneInvalid)
        }
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
        case .userGone: .userGone
        default: nil
        }
    }
}

/// Problems of users.
extension ProblemCode {
    package static let userGone = ProblemCode(
        "user-gone", 401, "The user is gone",
        "The account was erased; sign up anew.")
    package static let accountUnknown = ProblemCode(
        "account-unknown", 404, "No such account",
        "Check the address; only accounts with an address can be found by it.")
    package static let deviceHasAccount = ProblemCode(
        "device-has-account", 409, "The device has an account",
        "Sign in to the account.")
    package static let userExists = ProblemCode(
        "user-exists", 409, "There is an account already",
        "Sign in instead of signing up.")
    package static let accountMissing = ProblemCode("account-missing", 409, "There is no account yet", "Sign up first.")

    /// All of them.
    package static let identity: [ProblemCode] = [
        userGone, accountUnknown, deviceHasAccount, userExists, accountMissing,
    ]
}
