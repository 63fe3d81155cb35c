/// Every problem that a client can meet: the closed list of the API. Codes are stable; programs tell problems by them.
///
/// It stands here, below everything that answers, so that a ``Problem`` can be made of a code of this list only. Status,
/// title and advice of each stand in ``entry``; what a route knows better replaces the advice as `detail`.
package enum ProblemCode: String, Sendable, CaseIterable {
    // MARK: HTTP itself

    case invalidRequest = "invalid-request"
    case malformedRequest = "malformed-request"
    case httpsNeeded = "https-needed"
    case invalidJson = "invalid-json"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case requestTooSlow = "request-too-slow"
    case lengthRequired = "length-required"
    case bodyTooLarge = "body-too-large"
    case targetTooLong = "target-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case expectationFailed = "expectation-failed"
    case tooManyRequests = "too-many-requests"
    case headTooLarge = "head-too-large"
    case `internal`
    case codingNotSupported = "coding-not-supported"
    case temporarilyUnavailable = "temporarily-unavailable"
    case deadlineExceeded = "deadline-exceeded"
    case versionNotSupported = "version-not-supported"

    // MARK: Repeats

    case idempotencyKeyMissing = "idempotency-key-missing"
    case idempotencyKeyReused = "idempotency-key-reused"

    // MARK: Who asks

    case unauthenticated
    case tokenMalformed = "token-malformed"
    case tokenUnknownKey = "token-unknown-key"
    case tokenBadSignature = "token-bad-signature"
    case tokenExpired = "token-expired"
    case tokenNotYetValid = "token-not-yet-valid"
    case tokenWrongIssuer = "token-wrong-issuer"
    case tokenWrongAudience = "token-wrong-audience"
    case operatorKeyWrong = "operator-key-wrong"

    // MARK: Accounts

    case credentialsInvalid = "credentials-invalid"
    case refreshTokenInvalid = "refresh-token-invalid"
    case refreshTokenReused = "refresh-token-reused"
    case codeInvalid = "code-invalid"
    case deviceSecretInvalid = "device-secret-invalid"
    case userGone = "user-gone"
    case accountUnknown = "account-unknown"
    case emailTaken = "email-taken"
    case deviceHasAccount = "device-has-account"
    case passwordChanged = "password-changed"
    case userExists = "user-exists"
    case accountMissing = "account-missing"
    case memberUnknown = "member-unknown"
    case emailInvalid = "email-invalid"
    case displayNameInvalid = "display-name-invalid"
    case timeZoneInvalid = "time-zone-invalid"
    case deviceIdInvalid = "device-id-invalid"
    case passwordTooShort = "password-too-short"
    case passwordTooLong = "password-too-long"
    case passwordTooCommon = "password-too-common"
    case tooManyAttempts = "too-many-attempts"
    case busy
    case signingKeyMissing = "signing-key-missing"

    // MARK: Sessions and uploads

    case uploadAddressInvalid = "upload-address-invalid"
    case uploadAddressExpired = "upload-address-expired"
    case sessionQueued = "session-queued"
    case sessionEnded = "session-ended"
    case sessionOpen = "session-open"
    case uploadMissing = "upload-missing"
    case uploadSealed = "upload-sealed"
    case uploadChanged = "upload-changed"
    case mediaTypeUnsupported = "media-type-unsupported"
    case mediaTypeMismatch = "media-type-mismatch"
    case uploadMismatch = "upload-mismatch"
    case kindUnknown = "kind-unknown"

    // MARK: Quota

    case quotaExceeded = "quota-exceeded"
    case planUnknown = "plan-unknown"
    case unitsOutOfRange = "units-out-of-range"
}
