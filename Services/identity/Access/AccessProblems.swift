package import HTTPServer
import JSON

extension Problem {
    /// 503 while too many passwords wait to be hashed.
    static let passwordsBusy = Problem(.busy, headers: ["Retry-After": "2"])
}

/// Problems of signing in and of what people send about themselves.
extension ProblemCode {
    package static let credentialsInvalid = ProblemCode(
        "credentials-invalid", 401, "Not signed in",
        "Check the address and the password, or sign up.")
    package static let refreshTokenInvalid = ProblemCode(
        "refresh-token-invalid", 401, "The login session is over",
        "Sign in again.")
    package static let refreshTokenReused = ProblemCode(
        "refresh-token-reused", 401, "The login session was ended",
        "Sign in again; somebody else may have this refresh token.")
    package static let originRefused = ProblemCode(
        "origin-refused", 403, "The request comes from another page",
        "Open this server's own page; a client that is no page leaves Refresh-Token-In out and keeps its refresh token itself."
    )
    package static let refreshCookieAmbiguous = ProblemCode(
        "refresh-cookie-ambiguous", 400, "Several refresh cookies came",
        "Remove the cookies of this site from the browser, then sign in again."
    )
    package static let codeInvalid = ProblemCode(
        "code-invalid", 401, "The code cannot be used",
        "Ask for another mail; a code can be used once and not for long.")
    package static let deviceSecretInvalid = ProblemCode(
        "device-secret-invalid", 401, "Not signed in",
        "Send the deviceSecret of the device's first answer, or begin with a new deviceId.")
    package static let secondFactorNeeded = ProblemCode(
        "second-factor-needed", 401, "A code is needed too",
        "Send a code of the authenticator app or a recovery code too, with the ticket if there is one.")
    package static let secondFactorRequired = ProblemCode(
        "second-factor-required", 401, "This account must have a second factor",
        """
        Sign in; then send the ticket of the answer to POST /v1/auth/second-factor/enrolment, and the first code of the \
        authenticator app with it to POST /v1/auth/second-factor.
        """)
    package static let secondFactorStays = ProblemCode(
        "second-factor-stays", 409, "This account must have a second factor",
        "Keep it; who has lost the app signs in with a recovery code, and asks whoever runs this server to remove it.")
    package static let secondFactorInvalid = ProblemCode(
        "second-factor-invalid", 401, "The code cannot be used",
        "Send the code that the authenticator app shows next, or a recovery code; each can be used once.")
    package static let ticketInvalid = ProblemCode(
        "ticket-invalid", 401, "The ticket cannot be used",
        "Sign in with the password again; a ticket can be used once, within five minutes.")
    package static let emailTaken = ProblemCode(
        "email-taken", 409, "The address has an account",
        "Sign in with this address, or sign up with another one.")
    package static let emailChangeWaits = ProblemCode(
        "email-change-waits", 409, "Another address waits already",
        "Withdraw it first with DELETE /v1/me/email/change, or wait until it is the account's.")
    package static let addressMissing = ProblemCode(
        "address-missing", 409, "The account has no address",
        "Use what needs none; an account that began with Google or Apple has an address when they said that it is confirmed."
    )
    package static let addressNotNamed = ProblemCode(
        "address-not-named", 403, "The provider confirms no address",
        "Only listed addresses are let in here; sign in with an account whose address the provider has confirmed.")
    package static let signUpClosed = ProblemCode(
        "sign-up-closed", 403, "Nobody signs up here",
        "Sign in to an account that exists, or ask whoever runs this server for one.")
    package static let addressNotAllowed = ProblemCode(
        "address-not-allowed", 403, "This address is not let in here",
        "Use an account whose address whoever runs this server has put on the list, or ask to be put there.")
    package static let emailUnverified = ProblemCode(
        "email-unverified", 409, "The address is not confirmed",
        "Confirm the address first, or send the password.")
    package static let secondFactorExists = ProblemCode(
        "second-factor-exists", 409, "There is a second factor already",
        "Remove it first.")
    package static let secondFactorMissing = ProblemCode(
        "second-factor-missing", 409, "There is no second factor",
        "Begin one with POST /v1/me/second-factor; its first code has to come within 15 minutes.")
    package static let passwordChanged = ProblemCode(
        "password-changed", 409, "The password was changed meanwhile",
        "Try again with the password that is valid now.")
    package static let emailInvalid = ProblemCode(
        "email-invalid", 422, "The request cannot be accepted",
        "Send an address such as anna@example.org.")
    package static let displayNameInvalid = ProblemCode(
        "display-name-invalid", 422, "The request cannot be accepted",
        "Send a name of at most 100 characters on one line.")
    package static let deviceIdInvalid = ProblemCode(
        "device-id-invalid", 422, "The request cannot be accepted",
        "Send 16 to 128 random letters and digits that the device keeps.")
    package static let deviceNameInvalid = ProblemCode(
        "device-name-invalid", 422, "The request cannot be accepted",
        "Send a deviceName of at most 100 characters on one line.")
    package static let passwordTooShort = ProblemCode(
        "password-too-short", 422, "The request cannot be accepted",
        "Choose a longer password.")
    package static let passwordTooLong = ProblemCode(
        "password-too-long", 422, "The request cannot be accepted",
        "Choose a shorter password.")
    package static let passwordTooCommon = ProblemCode(
        "password-too-common", 422, "The request cannot be accepted",
        "Choose a password that others do not use.")
    package static let tooManyAttempts = ProblemCode(
        "too-many-attempts", 429, "Too many attempts",
        "Wait for as many seconds as Retry-After says, then try again.")
    package static let busy = ProblemCode(
        "busy", 503, "Too many sign-ins at once",
        "Try the same request again in a moment.")

    /// All of them.
    package static let access: [ProblemCode] = [
        credentialsInvalid, refreshTokenInvalid, refreshTokenReused, originRefused,
        refreshCookieAmbiguous, codeInvalid, deviceSecretInvalid,
        secondFactorNeeded, secondFactorRequired, secondFactorStays, secondFactorInvalid, ticketInvalid,
        secondFactorExists, secondFactorMissing, emailTaken, emailChangeWaits,
        addressMissing, addressNotNamed, signUpClosed, addressNotAllowed, emailUnverified, passwordChanged,
        emailInvalid,
        displayNameInvalid, deviceIdInvalid,
        deviceNameInvalid,
        passwordTooShort,
        passwordTooLong, passwordTooCommon, tooManyAttempts, busy,
    ]
}
