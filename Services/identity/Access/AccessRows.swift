package import EventStore
import Primitives

/// The row functions of what lets people in.
package enum AccessRows {
    static let putCredentials = RowFunction(
        "put_credentials", .uuid("userId"), .string("emailKey"), .string("passwordHash"), refusals: [.emailTaken])
    static let changePassword = RowFunction(
        "change_password", .uuid("userId"), .string("passwordHash"), .string("checkedHash"),
        refusals: [.passwordChanged])
    static let resetPassword = RowFunction("reset_password", .uuid("userId"), .string("passwordHash"))
    static let verifyEmail = RowFunction("verify_email", .uuid("userId"))
    static let putDevice = RowFunction(
        "put_device", .uuid("userId"), .string("deviceKey"), refusals: [.deviceSecretInvalid])
    static let beginLogin = RowFunction("begin_login", .uuid("session"), .uuid("userId"), .time("expiresAt"))
    static let endOtherLogins = RowFunction("end_other_logins", .uuid("userId"), .uuid("session"))
    static let openCode = RowFunction(
        "open_code", .uuid("id"), .uuid("userId"), .string("purpose"), .time("expiresAt"))
    static let useCode = RowFunction(
        "use_code", .uuid("id"), .uuid("userId"), .string("purpose"), refusals: [.codeInvalid])

    package static let all = [
        putCredentials.declaration, changePassword.declaration, resetPassword.declaration, verifyEmail.declaration,
        putDevice.declaration, beginLogin.declaration, endOtherLogins.declaration, openCode.declaration,
        useCode.declaration,
    ]
}

extension RowRefusal {
    /// Another account has the address.
    package static let emailTaken = RowRefusal("email-taken")
    /// The password is another one than was checked.
    package static let passwordChanged = RowRefusal("password-changed")
    /// The same device was quicker on another connection.
    package static let deviceSecretInvalid = RowRefusal("device-secret-invalid")
    /// The code was used or is over.
    package static let codeInvalid = RowRefusal("code-invalid")
}
