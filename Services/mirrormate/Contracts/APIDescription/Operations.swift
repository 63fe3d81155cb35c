import Access
import Contracts
import HTTPServer
import JSON
import ServiceKit
import SigningKeys
import Uploads
import identity
import sessions

/// Every route of the public API.
package enum Operations {
    package static let all = identity + sessions + others

    private static let rateLimited = [ProblemCode.tooManyAttempts]
    private static let entering = [ProblemCode.tooManyAttempts, .memberUnknown, .signingKeyMissing]

    private static func ok(_ schema: String, _ meaning: String, _ status: Int = 200) -> Operation.Answer {
        Operation.Answer(status: status, meaning: meaning, schema: schema)
    }

    private static func nothing(_ meaning: String) -> Operation.Answer {
        Operation.Answer(status: 204, meaning: meaning, schema: nil)
    }

    private static let unchanged = Operation.Answer(status: 304, meaning: "It is as it was.", schema: nil)

    /// A header parameter; a malformed optional one counts as absent.
    private static func header(_ name: String, _ meaning: String, required: Bool = false) -> Operation.Parameter {
        let form: JSONValue = ["type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"]
        return Operation.Parameter(
            name: name, place: "header", meaning: meaning, isRequired: required,
            schema: required ? form : ["type": "string"])
    }

    private static let page = [
        Operation.Parameter(
            name: "limit", place: "query", meaning: "How many items.", isRequired: false,
            schema: ["type": "integer", "minimum": 1, "maximum": 100, "default": 20]),
        Operation.Parameter(
            name: "cursor", place: "query", meaning: "The nextCursor of an earlier page.", isRequired: false,
            schema: ["type": "string"]),
    ]

    private static let identity = [
        Operation(
            .identity, "GET", "/.well-known/jwks.json", "publicKeys", "The public keys of access tokens (RFC 7517).",
            .anybody, [ok("PublicKeys", "The keys.")]),
        Operation(
            .identity, "POST", "/v1/auth/sign-up", "signUp",
            "Makes an account; of an anonymous device when the request carries its token.", .either,
            parameters: [header("Idempotency-Key", "The same when the request is repeated.")], body: "SignUp",
            [ok("Welcome", "Signed up and signed in.", 201)],
            entering + [
                .unauthenticated, .emailTaken, .emailInvalid, .displayNameInvalid, .timeZoneInvalid, .passwordTooShort,
                .passwordTooLong,
                .passwordTooCommon, .busy, .credentialsInvalid, .userExists, .userGone, .idempotencyKeyReused,
            ]),
        Operation(
            .identity, "POST", "/v1/auth/sign-in", "signIn", "Signs in.", .anybody, body: "SignIn",
            [ok("Welcome", "Signed in.")], entering + [.emailInvalid, .credentialsInvalid, .busy]),
        Operation(
            .identity, "POST", "/v1/auth/refresh", "refresh", "Gives new tokens for a refresh token.", .anybody,
            body: "Refresh", [ok("Tokens", "New tokens.")],
            entering + [.refreshTokenInvalid, .refreshTokenReused]),
        Operation(
            .identity, "POST", "/v1/auth/sign-out", "signOut",
            "Ends a login session: the refresh token's, or the access token's when none is sent.", .either,
            body: "SignOut", [nothing("It is over.")], [.memberUnknown, .unauthenticated]),
        Operation(
            .identity, "POST", "/v1/auth/password", "changePassword",
            "Changes the password, with the current one or with a mailed code, and ends other login sessions.",
            .either, body: "PasswordChange", [nothing("Changed.")],
            rateLimited + [
                .memberUnknown, .unauthenticated, .passwordTooShort, .passwordTooLong, .passwordTooCommon,
                .credentialsInvalid, .passwordChanged, .accountMissing, .busy,
                .codeInvalid,
            ]),
        Operation(
            .identity, "POST", "/v1/auth/password-reset", "requestPasswordReset",
            "Mails a code for a new password, if the address has an account.", .anybody, body: "PasswordReset",
            [ok("Accepted", "Whether there is an account is not told.", 202)],
            rateLimited + [.memberUnknown, .emailInvalid]),
        Operation(
            .identity, "POST", "/v1/auth/verify-email", "verifyEmail",
            "Mails the caller a code, or takes the code back.", .either, body: "EmailVerification",
            [ok("Accepted", "The mail is on its way.", 202), nothing("The address is verified.")],
            rateLimited + [
                .memberUnknown, .unauthenticated, .codeInvalid, .accountMissing,
            ]),
        Operation(
            .identity, "POST", "/v1/auth/device", "device", "Lets an anonymous device in.", .anybody, body: "Device",
            [ok("Welcome", "The device is known."), ok("Welcome", "The first call; holds deviceSecret.", 201)],
            entering + [
                .deviceIdInvalid, .timeZoneInvalid, .deviceSecretInvalid, .deviceHasAccount, .credentialsInvalid,
            ]),
        Operation(.identity, "GET", "/v1/me", "me", "The caller.", .user, [ok("Me", "The caller.")], [.userGone]),
        Operation(
            .identity, "PATCH", "/v1/me", "changeMe", "Changes the caller's profile.", .user, body: "MeChange",
            [ok("Me", "As it is now.")], [.memberUnknown, .displayNameInvalid, .timeZoneInvalid, .userGone]),
        Operation(
            .identity, "DELETE", "/v1/me", "eraseMe", "Erases the caller, here and in every service.", .user,
            [ok("Erasure", "Every service has confirmed."), ok("Erasure", "Some have not yet.", 202)], [.userGone]),
        Operation(
            .identity, "GET", "/v1/me/erasure", "erasure", "The receipt of an erasure.", .user,
            [ok("Erasure", "Every service has confirmed."), ok("Erasure", "Some have not yet.", 202)], [.notFound]),
    ]

    private static let sessions = [
        Operation(
            .sessions, "POST", "/v1/sessions", "createSession", "Begins a session; quota decides whether it may.",
            .user, parameters: [header("Idempotency-Key", "The same when the request is repeated.", required: true)],
            body: "SessionWish",
            [ok("Session", "It may begin.", 201), ok("Session", "Quota has not decided yet.", 202)],
            [
                .idempotencyKeyMissing, .idempotencyKeyReused, .invalidRequest, .kindUnknown, .mediaTypeUnsupported,
                .timeZoneInvalid,
                .quotaExceeded, .sessionOpen, .notFound,
            ]),
        Operation(
            .sessions, "GET", "/v1/sessions", "sessions", "The caller's sessions, newest first.", .user,
            parameters: page, [ok("SessionPage", "A page.")], [.invalidRequest]),
        Operation(
            .sessions, "GET", "/v1/sessions/{id}", "session", "A session.", .user,
            parameters: [header("If-None-Match", "An ETag of before.")],
            [ok("Session", "The session, with an ETag."), unchanged], [.notFound]),
        Operation(
            .sessions, "GET", "/v1/sessions/{id}/events", "followSession",
            "The session after each change, as server-sent events.", .user,
            parameters: [header("Last-Event-ID", "The id of the last event that was received.")],
            [
                Operation.Answer(
                    status: 200, meaning: "Server-sent events: session, whose data is a Session, or gone.",
                    schema: "Event",
                    contentType: "text/event-stream")
            ],
            [.notFound]),
        Operation(
            .sessions, "POST", "/v1/sessions/{id}/finalize", "finalizeSession",
            "Seals the upload; analysis begins.", .user,
            [ok("Session", "It was finalized before."), ok("Session", "Work begins.", 202)],
            [.notFound, .uploadMissing, .uploadChanged, .sessionEnded]),
        Operation(
            .sessions, "POST", "/v1/sessions/{id}/cancel", "cancelSession", "Ends a session without a result.", .user,
            [ok("Session", "It is cancelled.")], [.notFound, .sessionEnded]),
        Operation(
            .sessions, "DELETE", "/v1/sessions/{id}", "deleteSession", "Removes a session with all that belongs to it.",
            .user, [nothing("It is gone.")], [.notFound]),
        Operation(
            .sessions, "PUT", "/v1/uploads/{id}", "upload", "Takes a recording at a session's upload address.",
            .anybody,
            parameters: ["expires", "signature"].map {
                Operation.Parameter(
                    name: $0, place: "query", meaning: "Part of the upload address.", isRequired: true,
                    schema: ["type": "string"])
            }, body: "Video", [ok("Upload", "The bytes are stored.")],
            [
                .notFound, .uploadAddressInvalid, .uploadAddressExpired, .lengthRequired, .mediaTypeMismatch,
                .uploadMismatch, .sessionQueued, .uploadSealed, .sessionEnded, .bodyTooLarge,
            ]),
    ]

    private static let others = [
        Operation(
            .quota, "GET", "/v1/quota", "quota", "The caller's plan and units.", .user,
            parameters: [
                Operation.Parameter(
                    name: "kind", place: "query", meaning: "The kind of session.", isRequired: false,
                    schema: ["type": "string", "enum": ["mirrormate"], "default": "mirrormate"])
            ], [ok("Quota", "As the next session would find it.")], [.invalidRequest, .notFound]),
        Operation(
            .reporting, "GET", "/v1/reports", "reports", "The caller's reports, newest first, as numbers.", .user,
            parameters: page, [ok("ReportPage", "A page.")], [.invalidRequest]),
        Operation(
            .reporting, "GET", "/v1/reports/{sessionId}", "report", "A whole report.", .user,
            parameters: [header("If-None-Match", "An ETag of before.")],
            [ok("Report", "The report, with an ETag."), unchanged], [.notFound]),
    ]
}
