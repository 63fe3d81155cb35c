package import Contracts
package import EventStore
import JSON
package import Primitives

/// The row functions of a service's own copy of consents.
package enum ConsentRows {
    private static let learnGiven = RowFunction(
        "learn_consent", .uuid("userId"), .string("provider"), .string("purpose"), .json("dataClasses"),
        .time("givenAt"))
    private static let learnWithdrawn = RowFunction(
        "learn_consent_withdrawal", .uuid("userId"), .string("provider"), .string("purpose"), .time("withdrawnAt"))
    private static let takeBackGiven = RowFunction(
        "take_back_consent", .uuid("userId"), .string("provider"), .string("purpose"), .time("givenAt"))
    private static let requireGiven = RowFunction(
        "require_consent", .uuid("userId"), .string("provider"), .string("purpose"), .json("dataClasses"),
        refusals: [.consentMissing])
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

    /// Guards an append that begins to send data to a provider: refused as ``EventStore/RowRefusal/consentMissing`` when their owner does not let it
    /// have all of these now.
    package static func require(_ scope: ConsentScope, _ classes: Set<DataClass>, of user: UUID) -> RowCall {
        requireGiven(user, scope.provider, scope.purpose.rawValue, DataClasses.json(classes))
    }

    static let all = [
        learnGiven.declaration, learnWithdrawn.declaration, takeBackGiven.declaration, forget.declaration,
        requireGiven.declaration,
    ]
}

extension RowRefusal {
    /// The owner does not let the provider have the data.
    package static let consentMissing = RowRefusal("consent-missing")
}
