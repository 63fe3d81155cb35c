import CompatibleSurface
import HTTPServer
import JSON

/// What this service's problems are called on `/auth/v1`.
enum CompatibleAuthErrors {
    /// The word of the surface; nil where the platform's is right.
    static func translation(_ problem: Problem) -> CompatibleError? {
        guard let (status, code) = names[problem.code.description] else { return nil }
        var error =
            code == grant ? CompatibleError.oauth(code, problem.detail) : CompatibleError(status, code, problem.detail)
        error.headers = problem.headers
        error.headers["WWW-Authenticate"] = nil
        if let reason = weaknesses[problem.code.description] {
            error.members["weak_password"] = ["reasons": [.string(reason)], "message": .string(problem.detail)]
        }
        return error
    }

    /// What is wrong with an identity token has the form of OAuth.
    private static let grant = "invalid_grant"

    private static let names: [String: (status: Int, code: String)] = [
        // Of an unknown address as of a wrong password.
        "credentials-invalid": (400, "invalid_credentials"),
        "email-invalid": (400, "validation_failed"), "display-name-invalid": (400, "validation_failed"),
        "password-too-long": (400, "validation_failed"), "password-too-short": (422, "weak_password"),
        "password-too-common": (422, "weak_password"), "password-changed": (409, "conflict"),
        "email-taken": (422, "user_already_exists"), "user-exists": (422, "user_already_exists"),
        "device-has-account": (422, "user_already_exists"), "sign-up-closed": (422, "signup_disabled"),
        "address-not-allowed": (422, "signup_disabled"), "address-not-named": (422, "signup_disabled"),
        "email-unverified": (400, "email_not_confirmed"), "second-factor-needed": (403, "insufficient_aal"),
        "second-factor-required": (403, "insufficient_aal"),
        // Only these two of a refresh token, and only when the login session is over.
        "refresh-token-invalid": (400, "refresh_token_not_found"),
        "refresh-token-reused": (400, "refresh_token_already_used"),
        "code-invalid": (403, "otp_expired"), "confirmation-needed": (400, "reauthentication_needed"),
        "provider-off": (400, "provider_disabled"), "identity-linked": (422, "identity_already_exists"),
        "provider-linked": (422, "identity_already_exists"), "identity-address-taken": (422, "email_exists"),
        "identity-token-invalid": (400, grant), "nonce-invalid": (400, grant),
        "address-missing": (422, "validation_failed"), "account-missing": (422, "validation_failed"),
        "email-change-waits": (422, "validation_failed"),
    ]

    /// What clients show of a password that is refused; with the code `weak_password` they need it.
    private static let weaknesses = ["password-too-short": "length", "password-too-common": "pwned"]
}
