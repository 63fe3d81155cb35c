extension ProblemCode {
    /// A line of the list.
    package struct Entry: Sendable, Equatable {
        /// The HTTP status.
        package let status: Int
        /// The kind of problem in a few words, the same for every occurrence.
        package let title: String
        /// What the caller can do next.
        package let advice: String

        fileprivate init(_ status: Int, _ title: String, _ advice: String) {
            self.status = status
            self.title = title
            self.advice = advice
        }
    }

    /// What the list says of a code.
    package var entry: Entry {
        switch self {
        case .invalidRequest: Entry(400, "The request is not valid", "Correct what detail names.")
        case .malformedRequest: Entry(400, "The request was refused", "Send a request that is well-formed HTTP/1.1.")
        case .httpsNeeded: Entry(400, "Encryption needed", "Use the same address with https://.")
        case .invalidJson: Entry(400, "The body is not what it must be", "Correct the member that detail names.")
        case .notFound:
            Entry(
                404, "There is nothing at this path",
                "Check the path and the id; what belongs to somebody else looks as if it were not there.")
        case .methodNotAllowed: Entry(405, "The method is not allowed here", "Use one of the methods in Allow.")
        case .requestTooSlow:
            Entry(
                408, "The request was refused",
                "Send the request again, and all of it without long pauses.")
        case .lengthRequired: Entry(411, "Length is missing", "Send the file with a Content-Length.")
        case .bodyTooLarge: Entry(413, "The body is too large", "Send at most as many bytes as limitBytes says.")
        case .targetTooLong: Entry(414, "The address is too long", "Send a shorter path and query.")
        case .unsupportedMediaType: Entry(415, "Not JSON", "Send the body as application/json.")
        case .expectationFailed: Entry(417, "The request was refused", "Expect nothing else than 100-continue.")
        case .tooManyRequests: Entry(429, "Too many requests", "Wait for as many seconds as Retry-After says.")
        case .headTooLarge: Entry(431, "The request was refused", "Send fewer or shorter header fields.")
        case .internal: Entry(500, "The server failed", "Try again later; when it happens again, report the traceId.")
        case .codingNotSupported: Entry(501, "The request was refused", "Use no other Transfer-Encoding than chunked.")
        case .temporarilyUnavailable:
            Entry(
                503, "Temporarily unavailable",
                "Try the same request again after as many seconds as Retry-After says.")
        case .deadlineExceeded: Entry(503, "The server took too long", "Try again later.")
        case .versionNotSupported: Entry(505, "The request was refused", "Speak HTTP/1.1.")
        case .idempotencyKeyMissing:
            Entry(
                400, "Idempotency-Key is missing",
                "Send a header Idempotency-Key with a value of your own, the same when you repeat the request.")
        case .idempotencyKeyReused:
            Entry(
                422, "Key used for another request",
                "Send a new Idempotency-Key, or the same request as before.")
        case .unauthenticated:
            Entry(
                401, "Not signed in",
                "Send an access token in the header Authorization: Bearer ….")
        case .tokenMalformed: Entry(401, "Not signed in", "Sign in again or refresh the access token.")
        case .tokenUnknownKey: Entry(401, "Not signed in", "Sign in again or refresh the access token.")
        case .tokenBadSignature: Entry(401, "Not signed in", "Sign in again or refresh the access token.")
        case .tokenExpired: Entry(401, "Not signed in", "Refresh the access token.")
        case .tokenNotYetValid: Entry(401, "Not signed in", "Check the clocks of client and server.")
        case .tokenWrongIssuer: Entry(401, "Not signed in", "Sign in at this server.")
        case .tokenWrongAudience: Entry(401, "Not signed in", "Sign in at this server.")
        case .operatorKeyWrong:
            Entry(
                401, "Not an operator",
                "Send the text of OPERATOR_KEY in the header Authorization: Bearer ….")
        case .credentialsInvalid: Entry(401, "Not signed in", "Check the address and the password, or sign up.")
        case .refreshTokenInvalid: Entry(401, "The login session is over", "Sign in again.")
        case .refreshTokenReused:
            Entry(
                401, "The login session was ended",
                "Sign in again; somebody else may have this refresh token.")
        case .codeInvalid:
            Entry(
                401, "The code cannot be used",
                "Ask for another mail; a code can be used once and not for long.")
        case .deviceSecretInvalid:
            Entry(
                401, "Not signed in",
                "Send the deviceSecret of the device's first answer, or begin with a new deviceId.")
        case .userGone: Entry(401, "The user is gone", "The account was erased; sign up anew.")
        case .accountUnknown:
            Entry(
                404, "No such account",
                "Check the address; only accounts with an address can be found by it.")
        case .emailTaken:
            Entry(
                409, "The address has an account",
                "Sign in with this address, or sign up with another one.")
        case .deviceHasAccount: Entry(409, "The device has an account", "Sign in to the account.")
        case .passwordChanged:
            Entry(
                409, "The password was changed meanwhile",
                "Try again with the password that is valid now.")
        case .userExists: Entry(409, "There is an account already", "Sign in instead of signing up.")
        case .accountMissing: Entry(409, "There is no account yet", "Sign up first.")
        case .memberUnknown: Entry(422, "The request cannot be accepted", "Send only the members that detail names.")
        case .emailInvalid: Entry(422, "The request cannot be accepted", "Send an address such as anna@example.org.")
        case .displayNameInvalid:
            Entry(
                422, "The request cannot be accepted",
                "Send a name of at most 100 characters on one line.")
        case .timeZoneInvalid:
            Entry(
                422, "The request cannot be accepted",
                "Send an IANA time zone such as Europe/Berlin.")
        case .deviceIdInvalid:
            Entry(
                422, "The request cannot be accepted",
                "Send 16 to 128 random letters and digits that the device keeps.")
        case .passwordTooShort: Entry(422, "The request cannot be accepted", "Choose a longer password.")
        case .passwordTooLong: Entry(422, "The request cannot be accepted", "Choose a shorter password.")
        case .passwordTooCommon:
            Entry(
                422, "The request cannot be accepted",
                "Choose a password that others do not use.")
        case .tooManyAttempts:
            Entry(
                429, "Too many attempts",
                "Wait for as many seconds as Retry-After says, then try again.")
        case .busy: Entry(503, "Too many sign-ins at once", "Try the same request again in a moment.")
        case .signingKeyMissing: Entry(503, "Nobody can sign in just now", "Try the same request again in a minute.")
        case .uploadAddressInvalid:
            Entry(
                403, "Not an upload address",
                "Read the session for its upload address and send the bytes there unchanged.")
        case .uploadAddressExpired: Entry(403, "Upload address expired", "Read the session for a new upload address.")
        case .sessionQueued: Entry(409, "Still queued", "Wait until the session's status is awaitingUpload.")
        case .sessionEnded: Entry(409, "Session has ended", "Create another session.")
        case .sessionOpen:
            Entry(
                409, "A session is open",
                "Go on with the session in heldBy, cancel it, or name it in replaces.")
        case .uploadMissing: Entry(409, "Nothing uploaded", "Put the file to the session's upload address first.")
        case .uploadSealed:
            Entry(
                409, "Upload is sealed",
                "The session was finalized; create another for another file.")
        case .uploadChanged: Entry(409, "Upload was replaced", "A newer upload took its place; finalize again.")
        case .mediaTypeUnsupported:
            Entry(
                415, "Unsupported media type",
                "Record MP4, QuickTime or WebM and say so in contentType.")
        case .mediaTypeMismatch:
            Entry(
                415, "Not a video of the announced type",
                "Send an MP4, QuickTime or WebM file of the type that was announced.")
        case .uploadMismatch:
            Entry(
                422, "Not the announced file",
                "Send exactly the bytes whose size and SHA-256 were announced, or create another session.")
        case .kindUnknown: Entry(422, "Unknown kind of session", "The kind is mirrormate.")
        case .quotaExceeded: Entry(429, "Quota used up", "The next analysis is possible at resetsAt.")
        case .planUnknown: Entry(422, "Unknown plan", "The plans are free and premium.")
        case .unitsOutOfRange: Entry(422, "Too few or too many units", "Give 1 to 1000 units.")
        }
    }
}
