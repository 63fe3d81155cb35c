/// The bodies of requests about signing in. Members that are nil are left out.
enum Bodies {
    struct Device: Encodable {
        let deviceId: String
        let deviceSecret: String?
        let timeZone: String?
        let deviceName: String?
    }

    struct SignUp: Encodable {
        let email: String
        let password: String
        let displayName: String?
        let timeZone: String?
        let deviceName: String?
    }

    struct SignIn: Encodable {
        let email: String
        let password: String
        let deviceName: String?
        let deviceId: String?
        let deviceSecret: String?
    }

    struct SecondFactorSignIn: Encodable {
        let ticket: String
        let code: String?
        let recoveryCode: String?
        let deviceName: String?
        let deviceId: String?
        let deviceSecret: String?
    }

    struct FederatedSignIn: Encodable {
        let identityToken: String
        let nonce: String?
        let displayName: String?
        let timeZone: String?
        let deviceName: String?
        let deviceId: String?
        let deviceSecret: String?
    }

    struct EmailVerification: Encodable {
        let token: String?
    }

    struct PasswordReset: Encodable {
        let email: String
    }

    struct PasswordChange: Encodable {
        /// The code of the mail.
        let resetToken: String
        let newPassword: String
    }

    struct Refresh: Encodable {
        let refreshToken: String?
    }

    struct SignOut: Encodable {
        let refreshToken: String?
    }
}
