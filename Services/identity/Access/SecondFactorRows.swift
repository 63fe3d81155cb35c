package import EventStore
import JSON
package import Primitives

/// The row functions of second factors.
package enum SecondFactorRows {
    static let begin = RowFunction(
        "begin_second_factor", .uuid("userId"), .string("sealed"), .uuid("begunBy"),
        refusals: [.emailUnverified, .secondFactorExists])
    static let confirm = RowFunction(
        "confirm_second_factor", .uuid("userId"), .uuid("begunBy"), .string("sealed"), .int("step"),
        refusals: [.secondFactorInvalid])
    static let useTimeStep = RowFunction(
        "use_time_step", .uuid("userId"), .int("step"), refusals: [.secondFactorInvalid])
    static let useRecoveryCode = RowFunction(
        "use_recovery_code", .uuid("userId"), .string("codeHash"), refusals: [.secondFactorInvalid])
    static let putRecoveryCodes = RowFunction("put_recovery_codes", .uuid("userId"), .json("codeHashes"))
    /// Removes the factor and its recovery codes.
    package static let remove = RowFunction("remove_second_factor", .uuid("userId"))
    static let oneFactorSuffices = RowFunction(
        "one_factor_suffices", .uuid("userId"), refusals: [.secondFactorNeeded])

    package static let all = [
        begin.declaration, confirm.declaration, useTimeStep.declaration, useRecoveryCode.declaration,
        putRecoveryCodes.declaration, remove.declaration, oneFactorSuffices.declaration,
    ]
}

extension RowRefusal {
    /// A second factor needs a confirmed address.
    package static let emailUnverified = RowRefusal("email-unverified")
    /// There is one already.
    package static let secondFactorExists = RowRefusal("second-factor-exists")
    /// The code was used, or the factor is another one meanwhile.
    package static let secondFactorInvalid = RowRefusal("second-factor-invalid")
    /// There is a second factor, and it was not shown.
    package static let secondFactorNeeded = RowRefusal("second-factor-needed")
}
