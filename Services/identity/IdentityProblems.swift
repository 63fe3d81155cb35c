import Access
package import HTTPServer

/// The service's ways of saying no, each with what to do next.
enum Problems {
    static let emailTaken = Problem(
        status: 409, code: "email-taken", title: "The address has an account",
        detail: "Sign in with this address, or sign up with another one.")
    static let credentialsInvalid = Problem(
        status: 401, code: "credentials-invalid", title: "Not signed in",
        detail: "Check the address and the password, or sign up.")
    static let deviceSecretInvalid = Problem(
        status: 401, code: "device-secret-invalid", title: "Not signed in",
        detail: "This device is known: send the deviceSecret of its first answer, or begin with a new deviceId.")
    static let deviceHasAccount = Problem(
        status: 409, code: "device-has-account", title: "The device has an account", detail: "Sign in to the account.")
    static let userGone = Problem(
        status: 401, code: "user-gone", title: "The user is gone", detail: "The account was erased; sign up anew.",
        headers: ["WWW-Authenticate": "Bearer"])
    static let passwordChanged = Problem(
        status: 409, code: "password-changed", title: "The password was changed meanwhile",
        detail: "Try again with the password that is valid now.")
    static let notErased = Problem(
        status: 404, code: "not-found", title: "There is no erasure", detail: "DELETE /v1/me erases the user.")
}

extension UserRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknown, .erased: Problems.userGone
        case .exists:
            Problem(
                status: 409, code: rawValue, title: "There is an account already",
                detail: "Sign in instead of signing up.")
        case .noAccount:
            Problem(status: 409, code: rawValue, title: "There is no account yet", detail: "Sign up first.")
        case .noPassword:
            Problem(status: 409, code: rawValue, title: "The account has no password", detail: "Sign in as before.")
        case .invalidTimeZone:
            .unacceptable(rawValue, "Send an IANA time zone such as Europe/Berlin.")
        }
    }
}
