/// What the security log tells. The raw values are durable: alerts and whoever searches logs go by them.
package enum SecurityEvent: String, Sendable, CaseIterable {
    /// Somebody was let in: a login session began, also one of an anonymous device.
    case signedIn = "signed-in"
    /// Who is signed in showed anew who they are.
    case confirmed = "confirmed"
    /// A password, a device's secret, a mailed code, a ticket, or an identity token with its code and nonce was wrong.
    case signInFailed = "sign-in-failed"
    /// A code of the second factor was wrong.
    case secondFactorFailed = "second-factor-failed"
    /// So much failed on one account that whoever tries is refused for a while.
    case lockedOut = "locked-out"
    /// Somebody signed in from a device that had not signed in to the account before.
    case newDevice = "new-device"
    /// A refresh token came back that had been used before; its login session has ended.
    case refreshTokenReused = "refresh-token-reused"
    /// A refresh token of the compatible surface came back whose successor nobody has used yet; it gave the same one again.
    case refreshTokenRepeated = "refresh-token-repeated"
    /// An access token was refused that is not merely over.
    case tokenRefused = "token-refused"
    /// A request was refused that our own clients do not send, or not so often: malformed, too large, too slow, too often, or to an address
    /// that is not for the caller.
    case requestRefused = "request-refused"
    case passwordChanged = "password-changed"
    /// The password was replaced by means of a mailed code.
    case passwordReset = "password-reset"
    case emailChanged = "email-changed"
    /// Another address has shown whose it is, and waits for the one before.
    case emailChangeWaits = "email-change-waits"
    /// Another address that waited does not any more.
    case emailChangeWithdrawn = "email-change-withdrawn"
    /// The address that an account had before keeps it.
    case emailKept = "email-kept"
    case secondFactorAdded = "second-factor-added"
    case secondFactorRemoved = "second-factor-removed"
    case recoveryCodesReplaced = "recovery-codes-replaced"
    /// An identity at Google or Apple opens the account from then on.
    case identityLinked = "identity-linked"
    case identityUnlinked = "identity-unlinked"
    case deviceSecretChanged = "device-secret-changed"
    /// No secret of an anonymous device lets anybody in any more.
    case deviceSecretRevoked = "device-secret-revoked"
    case userErased = "user-erased"
    /// Somebody asked for everything that there is of them.
    case exportRequested = "export-requested"
    /// An operator's request was let in.
    case operatorAction = "operator-action"
    /// A request of the operators' routes had another secret than theirs, or none.
    case operatorRefused = "operator-refused"

    /// Whether anybody can bring it about, as often as they like, without having shown anything.
    var isBounded: Bool {
        switch self {
        // Whoever wants to is let in as a new device.
        case .signedIn, .signInFailed, .secondFactorFailed, .lockedOut, .tokenRefused, .requestRefused,
            .operatorRefused:
            true
        case .confirmed, .newDevice, .refreshTokenReused, .refreshTokenRepeated, .passwordChanged, .passwordReset,
            .emailChanged,
            .emailChangeWaits, .emailChangeWithdrawn, .emailKept, .secondFactorAdded, .secondFactorRemoved,
            .recoveryCodesReplaced,
            .deviceSecretChanged, .deviceSecretRevoked,
            .identityLinked, .identityUnlinked, .userErased, .exportRequested, .operatorAction:
            false
        }
    }
}
