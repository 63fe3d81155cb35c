package import HTTPServer

/// Problems that any service may answer with: about callers, repeats, time zones and kinds.
extension ProblemCode {
    package static let idempotencyKeyMissing = ProblemCode(
        "idempotency-key-missing", 400, "Idempotency-Key is missing",
        "Send a header Idempotency-Key with a value of your own, the same when you repeat the request.")
    package static let idempotencyKeyReused = ProblemCode(
        "idempotency-key-reused", 422, "Key used for another request",
        "Send a new Idempotency-Key, or the same request as before.")
    package static let unauthenticated = ProblemCode(
        "unauthenticated", 401, "Not signed in",
        "Send an access token in the header Authorization: Bearer ….")
    package static let tokenMalformed = ProblemCode(
        "token-malformed", 401, "Not signed in",
        "Sign in again or refresh the access token.")
    package static let appTokenUnknown = ProblemCode(
        "app-token-unknown", 401, "Not signed in",
        "Sign in again: the token is over, or was made for another app.")
    package static let tokenUnknownKey = ProblemCode(
        "token-unknown-key", 401, "Not signed in",
        "Sign in again or refresh the access token.")
    package static let tokenBadSignature = ProblemCode(
        "token-bad-signature", 401, "Not signed in",
        "Sign in again or refresh the access token.")
    package static let tokenExpired = ProblemCode("token-expired", 401, "Not signed in", "Refresh the access token.")
    package static let tokenNotYetValid = ProblemCode(
        "token-not-yet-valid", 401, "Not signed in",
        "Check the clocks of client and server.")
    package static let tokenWrongIssuer = ProblemCode(
        "token-wrong-issuer", 401, "Not signed in",
        "Sign in at this server.")
    package static let tokenWrongAudience = ProblemCode(
        "token-wrong-audience", 401, "Not signed in",
        "Sign in at this server.")
    package static let loginSessionEnded = ProblemCode(
        "login-session-ended", 401, "The login session was ended",
        "Sign in again; refreshing does not help.")
    package static let userGone = ProblemCode(
        "user-gone", 401, "The user is gone",
        "The account was erased; sign up anew.")
    package static let confirmationNeeded = ProblemCode(
        "confirmation-needed", 401, "Show again who you are",
        "Send a proof of one of the methods to POST /v1/auth/confirm, then repeat the request with the token that it gives."
    )
    package static let operatorKeyWrong = ProblemCode(
        "operator-key-wrong", 401, "Not an operator",
        "Send the operators' key, whose hash is OPERATOR_KEY_HASH, in the header Authorization: Bearer ….")
    package static let memberUnknown = ProblemCode(
        "member-unknown", 422, "The request cannot be accepted",
        "Send only the members that detail names.")
    package static let timeZoneInvalid = ProblemCode(
        "time-zone-invalid", 422, "The request cannot be accepted",
        "Send an IANA time zone such as Europe/Berlin.")
    package static let kindUnknown = ProblemCode(
        "kind-unknown", 422, "Unknown kind of session",
        "Send a kind that this deployment offers.")

    /// All of them.
    package static let platform: [ProblemCode] = [
        idempotencyKeyMissing, idempotencyKeyReused, unauthenticated, tokenMalformed, appTokenUnknown, tokenUnknownKey,
        tokenBadSignature, tokenExpired, tokenNotYetValid, tokenWrongIssuer, tokenWrongAudience,
        loginSessionEnded, userGone, confirmationNeeded, operatorKeyWrong, memberUnknown, timeZoneInvalid,
        kindUnknown,
    ]
}
