package import Contracts
package import EventStore
import JSON
package import Primitives

/// The row functions that every service has: objects outside the database, its own copy of what identity announces (keys,
/// ended login sessions, tokens of apps and API keys), and its instances.
package enum KitRows {
    /// Announces an object before its bytes are written; without ``keepObject`` it is removed after the deadline.
    ///
    /// Arguments: the object's key, the subject, what it is for, the deadline.
    package static let intendObject = RowFunction(
        "intend_object", .string("key"), .uuid("subject"), .string("purpose"), .time("deadline"))
    /// The object is in use; refused when it was given up meanwhile.
    package static let keepObject = RowFunction("keep_object", .string("key"), refusals: [.objectNotIntended])
    /// The object is in use, until a moment at most; then the sweeper removes it. Of several moments the earliest counts.
    package static let keepObjectUntil = RowFunction("keep_object_until", .string("key"), .time("until"))
    /// The object is no longer needed.
    package static let discardObject = RowFunction("discard_object", .string("key"))
    /// The objects of a subject are no longer needed.
    package static let discardObjects = RowFunction("discard_objects", .uuid("subject"))
    /// The objects that were announced for this purpose are no longer needed.
    package static let discardPurpose = RowFunction("discard_purpose", .string("purpose"))
    /// Gives up objects whose writer missed its deadline.
    static let discardOverdue = RowFunction("discard_overdue")

    /// A part of an export is asked for.
    ///
    /// Arguments: the export, its owner, until when somebody waits for it.
    static let askExportPart = RowFunction(
        "ask_export_part", .uuid("exportId"), .uuid("ownerId"), .time("deadline"))
    /// A part of an export was written; refused when it is not asked for any more.
    static let endExportPart = RowFunction(
        "end_export_part", .uuid("exportId"), refusals: [.exportPartElsewhere])
    /// Nobody waits for a part of an export.
    static let forgetExportPart = RowFunction("forget_export_part", .uuid("exportId"))

    private static let learnKey = RowFunction(
        "learn_key", .string("kid"), .string("x"), .string("y"), .time("notBefore"), .time("expiresAt"),
        .json("signed"))
    private static let retireKey = RowFunction("retire_key", .string("kid"), .time("retiredAt"))

    /// From a position of identity's log on, its announcements are signed with a key.
    package static let beginAnnouncements = RowFunction("begin_announcements", .string("key"), .int("position"))

    /// Adds a public key to the service's own copy.
    ///
    /// - Parameter isSigned: whether its announcement was.
    package static func learn(_ key: SigningKeyPublished, isSigned: Bool) -> RowCall {
        learnKey(key.kid, key.x, key.y, key.notBefore, key.expiresAt, .bool(isSigned))
    }

    /// Withdraws a key in the service's own copy.
    package static func retire(_ key: SigningKeyRetired) -> RowCall { retireKey(key.kid, key.retiredAt) }

    private static let learnLoginEnd = RowFunction("learn_login_end", .uuid("session"), .time("tokensUntil"))

    /// Refuses the access tokens of a login session in this service.
    package static func learn(_ ended: LoginSessionEnded) -> RowCall {
        learnLoginEnd(ended.loginSessionId, ended.tokensUntil)
    }

    private static let learnAppToken = RowFunction(
        "learn_app_token", .string("hash"), .uuid("userId"), .uuid("session"), .string("surface"), .string("timeZone"),
        .time("expiresAt"))
    private static let forgetTokens = RowFunction("forget_app_tokens", .uuid("userId"))
    private static let endTokens = RowFunction("end_app_tokens", .uuid("session"))

    /// Lets an app's token count in this service.
    package static func learn(_ token: AppTokenIssued) -> RowCall {
        learnAppToken(
            token.tokenSHA256, token.userId, token.loginSessionId, token.surface.rawValue, token.timeZone,
            token.expiresAt)
    }

    /// The tokens of a user's apps count no longer.
    package static func forgetAppTokens(of user: UUID) -> RowCall { forgetTokens(user) }

    /// The token of a login session counts no longer.
    package static func endAppTokens(of session: UUID) -> RowCall { endTokens(session) }

    private static let learnAPIKey = RowFunction(
        "learn_api_key", .uuid("keyId"), .string("hash"), .string("role"))
    private static let revokeAPIKey = RowFunction("revoke_api_key", .uuid("keyId"))
    private static let takeBackAPIKey = RowFunction("take_back_api_key", .uuid("keyId"), .string("hash"))

    /// Lets an API key count in this service.
    package static func learn(_ key: APIKeyIssued) -> RowCall {
        learnAPIKey(key.keyId, key.keySHA256, key.role.rawValue)
    }

    /// An API key counts no longer, also when it comes later or again.
    package static func revoke(_ key: APIKeyRevoked) -> RowCall { revokeAPIKey(key.keyId) }

    /// An API key was never made, as far as identity knows.
    package static func takeBack(_ key: APIKeyIssued) -> RowCall { takeBackAPIKey(key.keyId, key.keySHA256) }

    private static let takeBackToken = RowFunction(
        "take_back_app_token", .string("hash"), .uuid("userId"), .uuid("session"))
    private static let takeBackKey = RowFunction("take_back_key", .string("kid"), .string("x"), .string("y"))

    /// An app's token was never made, as far as identity knows.
    package static func takeBack(_ token: AppTokenIssued) -> RowCall {
        takeBackToken(token.tokenSHA256, token.userId, token.loginSessionId)
    }

    /// A public key was never published, as far as identity knows; it is learned again where it is.
    package static func takeBack(_ key: SigningKeyPublished) -> RowCall { takeBackKey(key.kid, key.x, key.y) }

    private static let beginInstance = RowFunction("begin_instance", .uuid("instance"))
    private static let tellInstance = RowFunction("tell_instance", .uuid("instance"), refusals: [.instanceTold])

    /// An instance begins, or goes on.
    static func begin(_ instance: UUID) -> RowCall { beginInstance(instance) }

    /// An event tells the end of an instance.
    static func tell(_ instance: UUID) -> RowCall { tellInstance(instance) }

    package static let all =
        [
            intendObject.declaration, keepObject.declaration, keepObjectUntil.declaration, discardObject.declaration,
            discardObjects.declaration,
            discardPurpose.declaration, discardOverdue.declaration, askExportPart.declaration,
            endExportPart.declaration, forgetExportPart.declaration, learnKey.declaration, retireKey.declaration,
            beginAnnouncements.declaration, learnLoginEnd.declaration, learnAppToken.declaration,
            forgetTokens.declaration, endTokens.declaration, takeBackToken.declaration, takeBackKey.declaration,
            beginInstance.declaration, tellInstance.declaration, learnAPIKey.declaration, revokeAPIKey.declaration,
            takeBackAPIKey.declaration,
        ] + ConsentRows.all
}

extension RowRefusal {
    /// The object was given up before it was kept: its deadline had passed, or its subject was erased.
    package static let objectNotIntended = RowRefusal("object-not-intended")
    /// Another instance has written the part of an export, or the export is over.
    static let exportPartElsewhere = RowRefusal("export-part-elsewhere")
    /// Another start has told the end of this instance.
    static let instanceTold = RowRefusal("instance-told")
}
