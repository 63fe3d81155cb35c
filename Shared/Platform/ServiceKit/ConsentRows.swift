import Contracts
import EventStore
import JSON
import Primitives

/// The row functions of a service's own copy of consents.
enum ConsentRows {
    private static let learnGiven = RowFunction(
        "learn_consent", .uuid("userId"), .string("provider"), .string("purpose"), .json("dataClasses"),
        .time("givenAt"))
    private static let learnWithdrawn = RowFunction(
        "learn_consent_withdrawal", .uuid("userId"), .string("provider"), .string("purpose"), .time("withdrawnAt"))
    private static let takeBackGiven = RowFunction(
        "take_back_consent", .uuid("userId"), .string("provider"), .string("purpose"), .time("givenAt"))
    /// Removes what a user has said of consents: the user.
    static let forget = RowFunction("forget_consents", .uuid("userId"))

    /// A provider may have data from now on.
    static func learn(_ given: ConsentGiven) -> RowCall {
        learnGiven(
            given.userId, given.scope.provider, given.scope.purpose.rawValue, DataClasses.json(given.dataClasses),
            given.givenAt)
    }

    /// A provider may have no more data.
    static func learn(_ withdrawn: ConsentWithdrawn) -> RowCall {
        learnWithdrawn(
            withdrawn.userId, withdrawn.scope.provider, withdrawn.scope.purpose.rawValue, withdrawn.withdrawnAt)
    }

    /// A consent was never given, as far as identity knows.
    static func takeBack(_ given: ConsentGiven) -> RowCall {
        takeBackGiven(given.userId, given.scope.provider, given.scope.purpose.rawValue, given.givenAt)
    }

    static let all = [
        learnGiven.declaration, learnWithdrawn.declaration, takeBackGiven.declaration, forget.declaration,
    ]
}
