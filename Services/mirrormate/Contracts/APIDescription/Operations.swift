import Access
import Contracts
import Federation
import HTTPServer
import JSON
import Photos
import ServiceKit
import SigningKeys
import Uploads
import identity
import quota
import sessions

/// Every route of the public API.
package enum Operations {
    package static let all =
        identity + sessions + resumable + practice + app + others + purchases + progress + sharing
        + exports + webhooks

    private static let rateLimited = [ProblemCode.tooManyAttempts]
    private static let entering = [
        ProblemCode.tooManyAttempts, .memberUnknown, .signingKeyMissing, .originRefused,
        .refreshCookieAmbiguous,
    ]

    static func ok(_ schema: String, _ meaning: String, _ status: Int = 200) -> Operation.Answer {
        Operation.Answer(status: status, meaning: meaning, schema: schema)
    }

    static func nothing(_ meaning: String) -> Operation.Answer {
        Operation.Answer(status: 204, meaning: meaning, schema: nil)
    }

    static let unchanged = Operation.Answer(status: 304, meaning: "It is as it was.", schema: nil)

    /// A header parameter; a malformed optional one counts as absent.
    static func header(_ name: String, _ meaning: String, required: Bool = false) -> Operation.Parameter {
        let form: JSONValue = ["type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"]
        return Operation.Parameter(
            name: name, place: "header", meaning: meaning, isRequired: required,
            schema: required ? form : ["type": "string"])
    }

    /// What makes an address good without a token.
    /// A recording of any type that can be uploaded.
    private static func recording(_ status: Int, _ meaning: String) -> Operation.Answer {
        Operation.Answer(
            status: status, meaning: meaning, schema: "Recording", contentType: "video/mp4",
            otherTypes: ["video/quicktime", "video/webm"])
    }

    static let signature = ["expires", "signature"].map {
        Operation.Parameter(
            name: $0, place: "query", meaning: "Part of the signed address.", isRequired: true,
            schema: ["type": "string"])
    }

    /// What a client that keeps cookies sends by itself.
    private static let knownDevice = Operation.Parameter(
        name: "mirrormate-devices", place: "cookie",
        meaning:
            """
            From an earlier answer under /v1/auth: the device signed in before. Strangers' failures do not stop it. With https \
            its name begins with __Host-.
            """,
        isRequired: false, schema: ["type": "string"])

    /// What a page sends whose refresh token is in a cookie, and the cookie itself where it is read.
    private static let tokenPlace = header(
        "Refresh-Token-In",
        """
        cookie, from this server's own page (as Origin says): the answer has no refreshToken, but sets the cookie \
        __Host-mirrormate-refresh (without https: mirrormate-refresh), which the page's next requests bring. Anything else \
        counts as absent.
        """)
    private static let refreshCookie = [
        tokenPlace,
        Operation.Parameter(
            name: "__Host-mirrormate-refresh", place: "cookie",
            meaning: """
                The refresh token, with Refresh-Token-In: cookie; then the body has none. Without https the name is \
                mirrormate-refresh. Several of them are refused.
                """, isRequired: false,
            schema: ["type": "string"]),
    ]

    static let page = [
        Operation.Parameter(
            name: "limit", place: "query", meaning: "How many items.", isRequired: false,
            schema: ["type": "integer", "minimum": 1, "maximum": 100, "default": 20]),
        Operation.Parameter(
            name: "cursor", place: "query", meaning: "The nextCursor of an earlier page.", isRequired: false,
            schema: ["type": "string"]),
    ]

    private static let showing: [ProblemCode] = [
        .providerOff, .identityTokenInvalid, .nonceInvalid, .authorizationCodeInvalid, .providerUnavailable,
    ]
    /// An anonymous device that is shown in a sign-in.
    private static let handingOver: [ProblemCode] = [
        .deviceIdInvalid, .deviceSecretInvalid, .deviceHasAccount,
    ]
    private static let newcomer: [ProblemCode] = [.signUpClosed, .addressNotAllowed]

    /// Signing in with a provider.
    private static func federated(_ name: String, _ id: String, _ title: String) -> Operation {
        Operation(
            .identity, "POST", "/v1/auth/\(name)", id,
            """
            Signs in with \(title): with its identity token, or with an authorization code. Who comes for the first time gets an \
            account; an anonymous device whose token or secret the request carries becomes one and keeps all that belongs to it. With \
            the secret, what was practised on the device becomes that of an account that there is already.
            """, .either, parameters: [knownDevice, tokenPlace], body: "FederatedSignIn",
            [ok("Welcome", "Signed in."), ok("Welcome", "Signed up and signed in.", 201)],
            entering + showing + newcomer + handingOver + [
                .invalidRequest, .unauthenticated, .displayNameInvalid, .deviceNameInvalid, .timeZoneInvalid,
                .identityAddressTaken, .confirmationNeeded, .credentialsInvalid, .secondFactorNeeded,
                .secondFactorRequired, .userExists,
                .emailUnverified, .termsNotCurrent, .localeInvalid,
            ])
    }

    private static let identity = [
        Operation(
            .identity, "GET", "/.well-known/jwks.json", "publicKeys", "The public keys of access tokens (RFC 7517).",
            .anybody, [ok("PublicKeys", "The keys.")]),
        Operation(
            .identity, "POST", "/v1/auth/sign-up", "signUp",
            """
            Makes an account; of an anonymous device when the request carries its token, which needs a sign-in or confirmation \
            of the last minutes.
            """, .either,
            parameters: [header("Idempotency-Key", "The same when the request is repeated."), knownDevice, tokenPlace],
            body: "SignUp",
            [
                ok("Welcome", "Signed up and signed in.", 201),
                ok("Accepted", "Signed up; this server lets in when the address is confirmed.", 202),
            ],
            entering + newcomer + [
                .unauthenticated, .confirmationNeeded, .emailUnverified, .emailTaken, .emailInvalid,
                .displayNameInvalid, .deviceNameInvalid,
                .timeZoneInvalid,
                .passwordTooShort,
                .passwordTooLong,
                .passwordTooCommon, .busy, .credentialsInvalid, .secondFactorNeeded, .secondFactorRequired, .userExists,
                .idempotencyKeyReused, .termsNotCurrent, .localeInvalid,
            ]),
        Operation(
            .identity, "POST", "/v1/auth/sign-in", "signIn",
            "Signs in. What was practised on an anonymous device whose secret the request carries becomes the account's.",
            .anybody, parameters: [knownDevice, tokenPlace], body: "SignIn",
            [ok("Welcome", "Signed in.")],
            entering + handingOver + [
                .emailInvalid, .deviceNameInvalid, .credentialsInvalid, .secondFactorNeeded, .secondFactorRequired,
                .busy, .addressNotAllowed, .emailUnverified, .loginSessionEnded,
            ]),
        federated("google", "signInWithGoogle", "Google"),
        federated("apple", "signInWithApple", "Apple"),
        Operation(
            .identity, "GET", "/v1/auth/providers", "signInProviders",
            """
            With whom a web page can offer to sign in, and where it sends whoever wants to: with clientId, its own redirect address, a \
            nonce and a challenge by S256, as RFC 6749 and RFC 7636 have it. The code that comes back is for the provider's route.
            """, .anybody, [ok("SignInProviders", "All of them; none where none is set up.")], isKept: false),
        Operation(
            .identity, "POST", "/v1/auth/nonce", "nonce",
            """
            Gives a nonce for a sign-in with Google or Apple, or, to the bearer of an access token, one with which an identity \
            token confirms who they are, or is linked. It counts for nothing else.
            """, .either, [ok("Nonce", "For ten minutes, once.")], rateLimited + [.unauthenticated]),
        Operation(
            .identity, "POST", "/v1/auth/second-factor", "signInWithSecondFactor",
            """
            Goes on with a sign-in that answered second-factor-needed, or second-factor-required. An anonymous device is shown again \
            here, with what lets in.
            """, .anybody,
            parameters: [knownDevice, tokenPlace],
            body: "SecondFactorSignIn", [ok("Welcome", "Signed in.")],
            entering + handingOver + [
                .invalidRequest, .deviceNameInvalid, .ticketInvalid, .secondFactorInvalid, .credentialsInvalid,
                .secondFactorMissing, .loginSessionEnded,
            ]),
        Operation(
            .identity, "POST", "/v1/auth/second-factor/enrolment", "enrolSecondFactor",
            "Begins the second factor that a sign-in asked for with second-factor-required.", .anybody,
            body: "SecondFactorTicket", [ok("SecondFactorSecret", "What an authenticator app needs.", 201)],
            rateLimited + [
                .memberUnknown, .ticketInvalid, .emailUnverified, .secondFactorExists, .addressMissing,
            ]),
        Operation(
            .identity, "POST", "/v1/auth/refresh", "refresh", "Gives new tokens for a refresh token.", .anybody,
            parameters: refreshCookie, body: "Refresh", [ok("Tokens", "New tokens.")],
            entering + [
                .refreshTokenInvalid, .refreshTokenReused, .secondFactorRequired, .addressNotAllowed, .emailUnverified,
            ]),
        Operation(
            .identity, "POST", "/v1/auth/sign-out", "signOut",
            "Ends a login session: the refresh token's, or the access token's when none is sent.", .either,
            parameters: refreshCookie, body: "SignOut", [nothing("It is over.")],
            [.memberUnknown, .unauthenticated, .originRefused, .refreshCookieAmbiguous],
            serving: [.loginSessionEnded, .userGone]),
        Operation(
            .identity, "POST", "/v1/auth/password", "changePassword",
            "Changes the password, with the current one or with a mailed code, and ends other login sessions.",
            .either, body: "PasswordChange", [nothing("Changed.")],
            rateLimited + [
                .memberUnknown, .unauthenticated, .passwordTooShort, .passwordTooLong, .passwordTooCommon,
                .credentialsInvalid, .passwordChanged, .accountMissing, .busy,
                .codeInvalid, .addressMissing,
            ]),
        Operation(
            .identity, "POST", "/v1/auth/password-reset", "requestPasswordReset",
            "Mails a code for a new password, if the address has an account.", .anybody, parameters: [knownDevice],
            body: "PasswordReset",
            [ok("Accepted", "Whether there is an account is not told.", 202)],
            rateLimited + [.memberUnknown, .emailInvalid]),
        Operation(
            .identity, "POST", "/v1/auth/verify-email", "verifyEmail",
            "Mails the caller a code, or takes the code back.", .either, body: "EmailVerification",
            [ok("Accepted", "The mail is on its way.", 202), nothing("The address is verified.")],
            rateLimited + [
                .memberUnknown, .unauthenticated, .codeInvalid, .accountMissing, .addressMissing,
            ]),
        Operation(
            .identity, "POST", "/v1/auth/device", "device", "Lets an anonymous device in.", .anybody,
            parameters: [tokenPlace], body: "Device",
            [ok("Welcome", "The device is known."), ok("Welcome", "The first call; holds deviceSecret.", 201)],
            entering + [
                .signUpClosed, .deviceIdInvalid, .deviceNameInvalid, .timeZoneInvalid, .deviceSecretInvalid,
                .deviceHasAccount,
                .credentialsInvalid, .loginSessionEnded,
            ]),
        Operation(
            .identity, "POST", "/v1/auth/confirm", "confirm",
            "Shows anew who is signed in, before what cannot be undone; without a proof mails a code.", .user,
            body: "Confirmation",
            [
                ok("Confirmed", "An access token with which it can be done."),
                ok("Accepted", "The mail is on its way.", 202),
            ],
            rateLimited + [
                .memberUnknown, .invalidRequest, .credentialsInvalid, .codeInvalid, .deviceSecretInvalid,
                .accountMissing, .deviceHasAccount, .emailUnverified, .secondFactorNeeded, .secondFactorInvalid, .busy,
                .signingKeyMissing, .providerOff, .identityTokenInvalid, .nonceInvalid, .providerUnavailable,
                .addressMissing,
            ]),
        Operation(
            .identity, "GET", "/v1/me/identities", "identities",
            "The identities at Google and Apple with which the caller can sign in.", .user,
            [ok("Identities", "All of them.")]),
        Operation(
            .identity, "POST", "/v1/me/identities", "linkIdentity",
            """
            Lets the caller sign in with an identity at Google or Apple, too; needs a sign-in or confirmation of the last \
            minutes, and a nonce of POST /v1/auth/nonce that the same login session asked for.
            """, .user, body: "IdentityLink", [ok("Identities", "It is linked.")],
            rateLimited + showing + [
                .memberUnknown, .invalidRequest, .confirmationNeeded, .accountMissing, .emailUnverified,
                .identityLinked, .providerLinked,
            ]),
        Operation(
            .identity, "DELETE", "/v1/me/identities/{provider}", "unlinkIdentity",
            """
            Unlinks the identity of a provider, google or apple, but never the last way of signing in; needs a sign-in or \
            confirmation of the last minutes.
            """, .user, [nothing("It opens the account no more.")],
            rateLimited + [.notFound, .confirmationNeeded, .accountMissing, .lastSignInMethod]),
        Operation(
            .identity, "POST", "/v1/me/email", "changeEmail",
            """
            Mails a code to another address, or takes the code back. Where the current address was never confirmed, that makes \
            the new one the account's. Else the current address is mailed a code, too, and the change waits for that code, as \
            oldAddressToken, or until takesEffectAt; all that time, and some days more, the address before can keep the \
            account. Asking needs a sign-in or confirmation of the last minutes. While one waits, there is no other.
            """, .user, body: "EmailChange",
            [
                ok("EmailChangeStep", "The address was changed, or the change waits for the current address."),
                ok("Accepted", "Whether the address is free is not told.", 202),
            ],
            rateLimited + [
                .memberUnknown, .emailInvalid, .confirmationNeeded, .accountMissing, .addressMissing, .codeInvalid,
                .emailTaken, .emailChangeWaits,
            ]),
        Operation(
            .identity, "GET", "/v1/me/email/change", "waitingEmailChange",
            "The change of address that waits for the current address to agree, or null.", .user,
            [ok("WaitingEmailChange", "The change, or null.")]),
        Operation(
            .identity, "DELETE", "/v1/me/email/change", "withdrawEmailChange",
            """
            Gives up the change of address that waits; the address stays as it is. Needs a sign-in or confirmation of the last \
            minutes.
            """, .user, [nothing("None waits any more.")], rateLimited + [.confirmationNeeded, .accountMissing]),
        Operation(
            .identity, "POST", "/v1/auth/keep-email", "keepEmail",
            """
            Keeps the account's address with the code that was mailed to it when another one was asked for: undoes the \
            change, ends all login sessions, and mails a code for a new password.
            """, .anybody, body: "EmailKeeping", [nothing("The address is the account's.")],
            rateLimited + [.memberUnknown, .codeInvalid]),
        Operation(
            .identity, "POST", "/v1/me/device/secret", "changeDeviceSecret",
            """
            Gives an anonymous device another secret and ends its other login sessions; the old one opens nothing any more. \
            Needs a sign-in or confirmation of the last minutes.
            """, .user, [ok("DeviceSecret", "The secret, told once.")],
            rateLimited + [.deviceHasAccount, .confirmationNeeded]),
        Operation(
            .identity, "GET", "/v1/me/devices", "devices",
            """
            The anonymous devices whose secrets the caller may end, the one that was used last first: the caller, as an \
            anonymous device, and those whose practice came to the caller's account last. Their secrets are not told.
            """, .user, [ok("Devices", "All of them.")]),
        Operation(
            .identity, "DELETE", "/v1/me/devices/{id}", "revokeDevice",
            """
            Ends the secret of an anonymous device that is lost: nobody is let in with it any more, and the device's login \
            sessions end. Nothing gives it back. Needs a sign-in or confirmation of the last minutes.
            """, .user, [nothing("It lets nobody in any more.")], rateLimited + [.notFound, .confirmationNeeded]),
        Operation(
            .identity, "GET", "/v1/me/notifications", "notifications", "Which mails the caller wants.", .user,
            [ok("Notifications", "All kinds of mail.")]),
        Operation(
            .identity, "PUT", "/v1/me/notifications", "setNotifications",
            "Says which mails the caller wants; those about the account's safety are always sent.", .user,
            body: "NotificationChoice", [ok("Notifications", "As it is now.")],
            rateLimited + [.memberUnknown, .securityMailsStay]),
        Operation(
            .identity, "GET", "/v1/me/terms", "terms", "The terms of use in force, and those that the caller accepted.",
            .user, [ok("Terms", "Both.")]),
        Operation(
            .identity, "PUT", "/v1/me/terms", "acceptTerms", "Accepts the terms of use in force.", .user,
            body: "TermsAcceptance", [ok("Terms", "As it is now.")],
            rateLimited + [.memberUnknown, .termsNotCurrent, .localeInvalid]),
        Operation(
            .identity, "GET", "/v1/consents", "consents",
            "What the caller can let providers outside this server have, and what the caller does.", .user,
            [ok("Consents", "Both.")]),
        Operation(
            .identity, "PUT", "/v1/consents", "setConsents",
            """
            Says what the caller lets providers have: all of it, so what is not in the list is withdrawn, which is always possible. \
            What was given before, in whichever version, may be sent again and stays as it is.
            """, .user, body: "ConsentChoice", [ok("Consents", "As it is now.")],
            rateLimited + [.memberUnknown, .consentNotOffered]),
        Operation(.identity, "GET", "/v1/me", "me", "The caller.", .user, [ok("Me", "The caller.")]),
        Operation(
            .identity, "PATCH", "/v1/me", "changeMe", "Changes the caller's profile.", .user, body: "MeChange",
            [ok("Me", "As it is now.")],
            rateLimited + [.memberUnknown, .displayNameInvalid, .timeZoneInvalid]),
        Operation(
            .identity, "GET", "/v1/me/photo", "photo", "The caller's photo.", .user,
            parameters: [header("If-None-Match", "An ETag of before.")],
            [
                Operation.Answer(
                    status: 200, meaning: "The photo, with an ETag.", schema: "Photo", contentType: "image/jpeg"),
                unchanged,
            ], [.photoMissing]),
        Operation(
            .identity, "PUT", "/v1/me/photo", "setPhoto",
            """
            Sets the caller's photo, in the place of an earlier one: the square in the middle of the picture that is sent, \
            upright, without anything else that the file says. At most 8 MiB and 25 megapixels; only accounts have one.
            """, .user, body: "Picture", [ok("Me", "As it is now.")],
            rateLimited + [
                .accountMissing, .bodyTooLarge, .photosOff, .photoTypeUnsupported, .photoUnreadable, .photoAnimated,
                .photoTooSmall, .photoTooManyPixels, .photosUnavailable,
            ]),
        Operation(
            .identity, "DELETE", "/v1/me/photo", "removePhoto", "Removes the caller's photo.", .user,
            [nothing("There is none.")], rateLimited),
        Operation(
            .identity, "GET", "/v1/me/login-sessions", "loginSessions",
            "The caller's login sessions, the one that was used last first.", .user,
            [ok("LoginSessions", "All of them.")]),
        Operation(
            .identity, "DELETE", "/v1/me/login-sessions", "endOtherLoginSessions",
            "Ends all of the caller's login sessions but the one that asks.", .user, [nothing("They are over.")]),
        Operation(
            .identity, "DELETE", "/v1/me/login-sessions/{id}", "endLoginSession",
            "Ends one of the caller's login sessions, also the one that asks.", .user, [nothing("It is over.")],
            [.notFound]),
        Operation(
            .identity, "GET", "/v1/me/second-factor", "secondFactor", "Whether sign-ins need a code too.", .user,
            [ok("SecondFactor", "Since when, or null.")]),
        Operation(
            .identity, "POST", "/v1/me/second-factor", "beginSecondFactor",
            "Begins a second factor; needs a confirmed address, and a sign-in or confirmation of the last minutes.",
            .user, [ok("SecondFactorSecret", "What an authenticator app needs.", 201)],
            rateLimited + [
                .confirmationNeeded, .accountMissing, .addressMissing, .emailUnverified, .secondFactorExists,
            ]),
        Operation(
            .identity, "POST", "/v1/me/second-factor/confirm", "confirmSecondFactor",
            "Takes the first code of the login session's own beginning, and ends all other login sessions.", .user,
            body: "SecondFactorCode", [ok("RecoveryCodes", "Shown this once; sign-ins need a code from now on.")],
            rateLimited + [.memberUnknown, .secondFactorMissing, .secondFactorInvalid]),
        Operation(
            .identity, "POST", "/v1/me/second-factor/recovery-codes", "replaceRecoveryCodes",
            "Gives new recovery codes; needs a sign-in or confirmation of the last minutes.", .user,
            [ok("RecoveryCodes", "Shown this once; earlier ones are worth nothing.")],
            rateLimited + [.confirmationNeeded, .secondFactorMissing]),
        Operation(
            .identity, "DELETE", "/v1/me/second-factor", "removeSecondFactor",
            "Removes the second factor; needs a sign-in or confirmation of the last minutes.", .user,
            [nothing("The password is enough again.")],
            rateLimited + [.confirmationNeeded, .secondFactorMissing, .secondFactorStays]),
        Operation(
            .identity, "DELETE", "/v1/me", "eraseMe",
            "Erases the caller, here and in every service; needs a sign-in or confirmation of the last minutes.", .user,
            [ok("Erasure", "Every service has confirmed."), ok("Erasure", "Some have not yet.", 202)],
            [.confirmationNeeded], serving: [.userGone]),
        Operation(
            .identity, "GET", "/v1/me/erasure", "erasure", "The receipt of an erasure.", .user,
            [ok("Erasure", "Every service has confirmed."), ok("Erasure", "Some have not yet.", 202)], [.notFound],
            serving: [.userGone]),
        Operation(
            .identity, "GET", "/v1/erasures/{user}", "erasureReceipt",
            "The receipt of an erasure, at the address that the erasure gave.", .anybody, parameters: signature,
            [ok("Erasure", "Every service has confirmed."), ok("Erasure", "Some have not yet.", 202)],
            [.notFound, .receiptAddressInvalid, .receiptAddressExpired]),
    ]

    private static let sessions = [
        Operation(
            .sessions, "POST", "/v1/sessions", "createSession", "Begins a session; quota decides whether it may.",
            .user, parameters: [header("Idempotency-Key", "The same when the request is repeated.", required: true)],
            body: "SessionWish",
            [ok("Session", "It may begin.", 201), ok("Session", "Quota has not decided yet.", 202)],
            [
                .idempotencyKeyMissing, .idempotencyKeyReused, .invalidRequest, .memberUnknown, .kindUnknown,
                .mediaTypeUnsupported,
                .timeZoneInvalid,
                .quotaExceeded, .sessionOpen, .notFound, .tooManyAnalyses, .tooManyRefusals,
                .addressUnconfirmed,
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
            "The session after each change, as server-sent events; ends with the login session or the access token.",
            .user,
            parameters: [header("Last-Event-ID", "The id of the last event that was received.")],
            [
                Operation.Answer(
                    status: 200,
                    meaning: """
                        Server-sent events: session, whose data is a Session, gone, or signed-out. Where only queuePosition is \
                        another, session comes again with the id of the one before.
                        """,
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
            .sessions, "GET", "/v1/sessions/{id}/media-url", "mediaAddress",
            "A signed address of a session's recording, when that is kept; it holds for some minutes.", .user,
            [ok("MediaAddress", "The address.")], [.notFound, .mediaNotKept]),
        Operation(
            .sessions, "GET", "/v1/media/{id}", "media",
            "The recording of a session at its signed address, or one range of its bytes.", .anybody,
            parameters: signature + [
                header("Range", "One range of bytes; several are answered with the whole."),
                header("If-Range", "The ETag of which it is to be a range; else the whole is answered."),
            ],
            [
                recording(200, "All of it."), recording(206, "The bytes that Content-Range names."),
            ],
            [
                .notFound, .mediaNotKept, .mediaAddressInvalid, .mediaAddressExpired, .rangeNotSatisfiable,
                .tooManyDownloads,
            ]),
        Operation(
            .sessions, "GET", "/v1/retention", "retention",
            "For how many days recordings are kept to be looked at again, and what can be chosen.", .user,
            [ok("Retention", "As it is.")]),
        Operation(
            .sessions, "PUT", "/v1/retention", "chooseRetention",
            """
            Chooses for how many days recordings are kept after their sessions; 0, as it is at first: not at all. What counts for a \
            recording is the choice when its session is completed. A smaller choice removes, within seconds, what is kept beyond it.
            """, .user, body: "RetentionChoice", [ok("Retention", "As it is now.")],
            [.memberUnknown, .retentionTooLong, .retentionChangesUsedUp]),
        Operation(
            .sessions, "PUT", "/v1/uploads/{id}", "upload", "Takes a recording at a session's upload address.",
            .anybody,
            parameters: signature, body: "Video", [ok("Upload", "The bytes are stored.")],
            [
                .notFound, .uploadAddressInvalid, .uploadAddressExpired, .lengthRequired, .mediaTypeMismatch,
                .uploadMismatch, .sessionQueued, .uploadSealed, .sessionEnded, .bodyTooLarge, .uploadInProgress,
                .tooManyUploads, .uploadsUsedUp,
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
            .quota, "GET", "/v1/entitlements", "entitlements",
            "The plan in force with its reason and end, and what was bought: the one answer to whether somebody has premium.",
            .user, [ok("Entitlements", "As the next session would find it.")], [.notFound]),
        Operation(
            .quota, "POST", "/v1/webhooks/stripe", "stripeWebhook",
            """
            Takes an event of Stripe, signed over its bytes. It is kept before it is answered, and an event that comes again changes \
            nothing. There is no such route where no purchases are configured.
            """, .anybody,
            parameters: [
                Operation.Parameter(
                    name: "Stripe-Signature", place: "header",
                    meaning: "The time and the signatures, as Stripe makes them.", isRequired: true,
                    schema: ["type": "string", "minLength": 1, "maxLength": 1000, "pattern": "^[!-~]+$"])
            ],
            body: "StripeEvent", [ok("WebhookReceived", "It is kept.")],
            [.notFound, .webhookSignatureWrong, .webhookSignatureLate, .invalidJson, .bodyTooLarge]),
        Operation(
            .quota, "POST", "/v1/webhooks/apple", "appleWebhook",
            """
            Takes a notification of the App Store (App Store Server Notifications, version 2), which Apple has signed. It is kept before \
            it is answered, and a notification that comes again changes nothing. There is no such route where nothing is sold in the App \
            Store.
            """, .anybody, body: "AppleNotification", [ok("WebhookReceived", "It is kept.")],
            [
                .notFound, .appStoreSignatureWrong, .appStoreAppWrong, .appStoreEnvironmentRefused, .invalidJson,
                .bodyTooLarge,
            ]),
        Operation(
            .quota, "POST", "/v1/purchases/apple", "applePurchase",
            """
            Hands in a subscription's transaction as StoreKit has it, after a purchase and when purchases are restored. The subscription \
            is the caller's from then on: of several accounts the first keeps it, until it is erased. Sent again it changes nothing. There \
            is no such route where nothing is sold in the App Store.
            """, .user, body: "ApplePurchase", [ok("Entitlements", "As the next session would find it.")],
            [
                .notFound, .memberUnknown, .appStoreSignatureWrong, .appStoreAppWrong, .appStoreEnvironmentRefused,
                .purchaseOfAnotherAccount, .purchaseNotSubscription,
            ]),
        Operation(
            .reporting, "GET", "/v1/reports", "reports", "The caller's reports, newest first, as numbers.", .user,
            parameters: page + reportFilters, [ok("ReportPage", "A page.")], [.invalidRequest]),
        Operation(
            .reporting, "GET", "/v1/reports/{sessionId}", "report", "A whole report.", .user,
            parameters: [header("If-None-Match", "An ETag of before.")],
            [ok("Report", "The report, with an ETag."), unchanged], [.notFound]),
    ]
}
