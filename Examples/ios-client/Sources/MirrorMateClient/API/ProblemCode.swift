extension Problem {
    /// The codes that this client, or an app's screens, act upon. `docs/openapi.json` has all of them, for each route.
    public struct Code: OpenCode {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let tokenExpired = Self(rawValue: "token-expired")
        public static let tokenUnknownKey = Self(rawValue: "token-unknown-key")
        public static let loginSessionEnded = Self(rawValue: "login-session-ended")
        public static let userGone = Self(rawValue: "user-gone")
        public static let refreshTokenInvalid = Self(rawValue: "refresh-token-invalid")
        public static let refreshTokenReused = Self(rawValue: "refresh-token-reused")

        public static let credentialsInvalid = Self(rawValue: "credentials-invalid")
        public static let secondFactorNeeded = Self(rawValue: "second-factor-needed")
        public static let secondFactorRequired = Self(rawValue: "second-factor-required")
        public static let addressUnconfirmed = Self(rawValue: "address-unconfirmed")
        public static let deviceSecretInvalid = Self(rawValue: "device-secret-invalid")
        public static let deviceHasAccount = Self(rawValue: "device-has-account")

        public static let quotaExceeded = Self(rawValue: "quota-exceeded")
        public static let sessionOpen = Self(rawValue: "session-open")
        public static let sessionEnded = Self(rawValue: "session-ended")

        public static let uploadInProgress = Self(rawValue: "upload-in-progress")
        public static let uploadMissing = Self(rawValue: "upload-missing")
        public static let uploadChanged = Self(rawValue: "upload-changed")
        public static let uploadLocked = Self(rawValue: "upload-locked")
        public static let uploadOffsetMismatch = Self(rawValue: "upload-offset-mismatch")
        public static let uploadGone = Self(rawValue: "upload-gone")

        /// A new access token helps.
        var isRenewable: Bool { [.tokenExpired, .tokenUnknownKey].contains(self) }

        /// Only signing in again helps.
        var endsLogin: Bool {
            [.loginSessionEnded, .userGone, .refreshTokenInvalid, .refreshTokenReused].contains(self)
        }

        /// There is no such device any more, or it is an account by now.
        var disownsDevice: Bool { [.deviceSecretInvalid, .deviceHasAccount, .userGone].contains(self) }
    }
}
