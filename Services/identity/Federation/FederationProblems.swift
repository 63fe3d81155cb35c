package import HTTPServer
import JSON

extension Problem {
    /// 401 for an identity token that is not accepted; `reason` says why.
    static func refused(_ error: IdentityTokenError) -> Problem {
        Problem(
            .identityTokenInvalid, detail: error.description, members: [("reason", .string(error.code))])
    }

    /// 503 while a provider does not answer.
    static let providerUnavailable = Problem(.providerUnavailable, headers: ["Retry-After": "30"])
}

/// Problems of signing in with Google or Apple.
extension ProblemCode {
    package static let providerOff = ProblemCode(
        "provider-off", 404, "Nobody signs in so here",
        "Sign in in another way; whoever runs this server has not set it up with this provider.")
    package static let identityTokenInvalid = ProblemCode(
        "identity-token-invalid", 401, "The identity token is not accepted",
        "Sign in with the provider again, and send the token that it gives.")
    package static let nonceInvalid = ProblemCode(
        "nonce-invalid", 401, "The nonce or the identity token cannot be used",
        "Sign in with the provider again, with another nonce of POST /v1/auth/nonce if you use one; each of both can be used once, for ten minutes."
    )
    package static let authorizationCodeInvalid = ProblemCode(
        "authorization-code-invalid", 401, "The authorization code is not accepted",
        "Sign in with the provider again; a code can be used once, with its own codeVerifier and redirectUri.")
    package static let providerUnavailable = ProblemCode(
        "provider-unavailable", 503, "The provider does not answer",
        "Try again after as many seconds as Retry-After says, or sign in in another way.")
    package static let identityLinked = ProblemCode(
        "identity-linked", 409, "The identity belongs to another account",
        "Sign in with it, or unlink it there first.")
    package static let providerLinked = ProblemCode(
        "provider-linked", 409, "The account has another identity of this provider",
        "Unlink that one first.")
    package static let identityAddressTaken = ProblemCode(
        "identity-address-taken", 409, "The address has an account",
        "Sign in to that account as before, and link this identity to it with POST /v1/me/identities.")

    /// All of them.
    package static let federation: [ProblemCode] = [
        providerOff, identityTokenInvalid, nonceInvalid, authorizationCodeInvalid, providerUnavailable, identityLinked,
        providerLinked, identityAddressTaken,
    ]
}
