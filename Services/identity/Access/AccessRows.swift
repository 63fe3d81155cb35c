package import EventStore
package import Primitives

/// The row functions of what lets people in.
package enum AccessRows {
    static let putCredentials = RowFunction(
        "put_credentials", .uuid("userId"), .string("emailKey"), .string("passwordHash"), refusals: [.emailTaken])
    static let changePassword = RowFunction(
        "change_password", .uuid("userId"), .string("passwordHash"), .string("checkedHash"),
        refusals: [.passwordChanged])
    static let passwordStands = RowFunction(
        "password_stands", .uuid("userId"), .time("changedAt"), refusals: [.passwordChanged])
    static let resetPassword = RowFunction("reset_password", .uuid("userId"), .string("passwordHash"))
    static let disablePassword = RowFunction("disable_password", .uuid("userId"), .string("passwordHash"))
    static let putAddress = RowFunction(
        "put_address", .uuid("userId"), .string("emailKey"), .string("passwordHash"), refusals: [.emailTaken])
    static let putIdentity = RowFunction(
        "put_identity", .uuid("userId"), .string("provider"), .string("subjectHash"),
        refusals: [.identityLinked, .providerLinked])
    /// Unlinks a user's identity of a provider.
    package static let removeIdentity = RowFunction("remove_identity", .uuid("userId"), .string("provider"))
    static let identityStands = RowFunction(
        "identity_stands", .uuid("userId"), .string("provider"), .time("linkedAt"), refusals: [.identityUnlinked])
    static let verifyEmail = RowFunction("verify_email", .uuid("userId"))
    static let putDevice = RowFunction(
        "put_device", .uuid("userId"), .string("deviceKey"), refusals: [.deviceSecretInvalid])
    static let deviceStands = RowFunction(
        "device_stands", .uuid("userId"), .int("number"), refusals: [.deviceHasAccount, .deviceSecretInvalid])
    static let loginStands = RowFunction(
        "login_stands", .uuid("session"), .uuid("userId"), refusals: [.loginEnded])
    static let beginLogin = RowFunction(
        "begin_login", .uuid("session"), .uuid("userId"), .time("expiresAt"), .string("amr"),
        .optionalString("device"))
    static let confirmLogin = RowFunction(
        "confirm_login", .uuid("session"), .uuid("userId"), .string("amr"), refusals: [.loginEnded])
    static let makeAppLogin = RowFunction(
        "make_app_login", .uuid("session"), .string("surface"), refusals: [.loginEnded])
    static let makeCompatibleLogin = RowFunction(
        "make_compatible_login", .uuid("session"), refusals: [.loginEnded])
    static let endLogin = RowFunction("end_login", .uuid("session"))
    static let noOtherLogins = RowFunction(
        "no_other_logins", .uuid("userId"), .uuid("session"), .optionalString("amr"), refusals: [.loginBegun])
    static let openCode = RowFunction(
        "open_code", .uuid("id"), .uuid("userId"), .string("purpose"), .time("expiresAt"), .optionalUUID("session"))
    static let useCode = RowFunction(
        "use_code", .uuid("id"), .uuid("userId"), .string("purpose"), refusals: [.codeInvalid])
    static let askEmailChange = RowFunction(
        "ask_email_change", .uuid("id"), .uuid("userId"), .string("newEmail"), .uuid("keepId"), .time("expiresAt"),
        .uuid("session"), refusals: [.userGone])
    static let oldEmailStands = RowFunction(
        "old_email_stands", .uuid("id"), .uuid("userId"), refusals: [.codeInvalid])
    static let forgetAskedEmailChanges = RowFunction("forget_asked_email_changes", .uuid("userId"))
    static let tellOfEmailChange = RowFunction(
        "tell_of_email_change", .uuid("id"), .time("dueAt"), refusals: [.codeInvalid])
    static let noOtherEmailChange = RowFunction(
        "no_other_email_change", .uuid("userId"), .uuid("session"), refusals: [.loginBegun])
    static let noEmailChangeOf = RowFunction(
        "no_email_change_of", .uuid("userId"), .uuid("session"), refusals: [.loginBegun])
    static let proveEmailChange = RowFunction(
        "prove_email_change", .uuid("id"), .uuid("userId"), .uuid("keepId"), .uuid("confirmId"), .uuid("remindId"),
        .uuid("tellId"), .time("dueAt"), .time("expiresAt"), refusals: [.codeInvalid, .emailTaken])
    static let changeEmail = RowFunction(
        "change_email", .uuid("id"), .uuid("userId"), .time("keepUntil"), refusals: [.codeInvalid, .emailTaken])
    /// Ends the change of address that waits.
    package static let dropEmailChange = RowFunction("drop_email_change", .uuid("userId"))
    static let remindOfEmailChange = RowFunction(
        "remind_of_email_change", .uuid("id"), refusals: [.codeInvalid])
    static let keepEmail = RowFunction("keep_email", .uuid("keepId"), .uuid("userId"), refusals: [.codeInvalid])
    static let changeDeviceSecret = RowFunction(
        "change_device_secret", .uuid("userId"), .int("number"), refusals: [.deviceSecretInvalid])
    /// Notes which account what was practised on a device came to.
    package static let handDeviceOver = RowFunction(
        "hand_device_over", .uuid("userId"), .uuid("accountId"), .optionalTime("at"))
    /// Lets nobody in with a secret of a device any more.
    package static let revokeDevice = RowFunction("revoke_device", .uuid("userId"))

    package static let all = [
        putCredentials.declaration, changePassword.declaration, passwordStands.declaration,
        resetPassword.declaration, verifyEmail.declaration, putDevice.declaration, deviceStands.declaration,
        loginStands.declaration,
        beginLogin.declaration, confirmLogin.declaration, makeAppLogin.declaration, endLogin.declaration,
        makeCompatibleLogin.declaration,
        noOtherLogins.declaration,
        openCode.declaration, useCode.declaration, askEmailChange.declaration, changeEmail.declaration,
        keepEmail.declaration, changeDeviceSecret.declaration, disablePassword.declaration, putAddress.declaration,
        putIdentity.declaration, removeIdentity.declaration, identityStands.declaration,
        proveEmailChange.declaration, dropEmailChange.declaration, remindOfEmailChange.declaration,
        handDeviceOver.declaration, revokeDevice.declaration,
        oldEmailStands.declaration, forgetAskedEmailChanges.declaration, tellOfEmailChange.declaration,
        noOtherEmailChange.declaration, noEmailChangeOf.declaration,
    ]
}

extension RowRefusal {
    /// Another account has the address.
    package static let emailTaken = RowRefusal("email-taken")
    /// The password is another one than was checked.
    package static let passwordChanged = RowRefusal("password-changed")
    /// The same device was quicker on another connection, or its secret is another one than was checked.
    package static let deviceSecretInvalid = RowRefusal("device-secret-invalid")
    /// The device has become an account.
    package static let deviceHasAccount = RowRefusal("device-has-account")
    /// Another account has the identity.
    package static let identityLinked = RowRefusal("identity-linked")
    /// The account has another identity of the provider.
    package static let providerLinked = RowRefusal("provider-linked")
    /// The identity was unlinked, or linked anew, since it was looked up.
    package static let identityUnlinked = RowRefusal("identity-unlinked")
    /// A login session began while all others were to end.
    package static let loginBegun = RowRefusal("login-begun")
    /// The login session ended meanwhile.
    package static let loginEnded = RowRefusal("login-ended")
    /// The user was erased meanwhile.
    package static let userGone = RowRefusal("user-gone")
    /// The code was used or is over.
    package static let codeInvalid = RowRefusal("code-invalid")
}
