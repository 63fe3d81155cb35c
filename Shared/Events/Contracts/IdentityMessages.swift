package import JSON
package import Primitives

/// A user exists: an anonymous device, or a person who signed up.
package struct UserRegistered: PublishedMessage {
    package static let type = MessageType(.identity, "UserRegistered")

    /// The user.
    package var userId: UUID
    /// How the user came to be.
    package var kind: UserKind

    package init(userId: UUID, kind: UserKind) {
        self.userId = userId
        self.kind = kind
    }

    package init(_ object: JSONObject) throws(JSONError) {
        userId = try object.uuid("userId")
        kind = try object.code("kind")
    }

    package var json: JSONObject {
        ["userId": .uuid(userId), "kind": kind.json]
    }

    package var ownerKey: MessageKey { .owner(userId) }
    package var subject: String { userId.description }
}

/// What other services may know of a profile has changed.
package struct UserProfileChanged: PublishedMessage {
    package static let type = MessageType(.identity, "UserProfileChanged")

    /// The user.
    package var userId: UUID
    /// The IANA time zone from now on.
    package var timeZone: String

    package init(userId: UUID, timeZone: String) {
        self.userId = userId
        self.timeZone = timeZone
    }

    package init(_ object: JSONObject) throws(JSONError) {
        userId = try object.uuid("userId")
        timeZone = try object.string("timeZone")
    }

    package var json: JSONObject {
        ["userId": .uuid(userId), "timeZone": .string(timeZone)]
    }

    package var ownerKey: MessageKey { .owner(userId) }
    package var subject: String { userId.description }
}

/// A key that signs access tokens (ES256: ECDSA on P-256 with SHA-256).
package struct SigningKeyPublished: PublishedMessage {
    package static let type = MessageType(.identity, "SigningKeyPublished")

    /// The key's id in token headers (RFC 7517, section 4.5).
    package var kid: String
    /// The x coordinate, base 64 URL without padding (RFC 7518, section 6.2.1).
    package var x: String
    /// The y coordinate, likewise.
    package var y: String
    /// Tokens are signed with it from then on.
    package var notBefore: Timestamp
    /// No token signed with it is accepted after.
    package var expiresAt: Timestamp

    package init(kid: String, x: String, y: String, notBefore: Timestamp, expiresAt: Timestamp) {
        self.kid = kid
        self.x = x
        self.y = y
        self.notBefore = notBefore
        self.expiresAt = expiresAt
    }

    package init(_ object: JSONObject) throws(JSONError) {
        kid = try object.string("kid")
        x = try object.string("x")
        y = try object.string("y")
        notBefore = try object.timestamp("notBefore")
        expiresAt = try object.timestamp("expiresAt")
    }

    package var json: JSONObject {
        [
            "kid": .string(kid), "x": .string(x), "y": .string(y), "notBefore": .time(notBefore),
            "expiresAt": .time(expiresAt),
        ]
    }

    package var ownerKey: MessageKey { .system }
    package var subject: String { kid }
}

/// A signing key is withdrawn.
package struct SigningKeyRetired: PublishedMessage {
    package static let type = MessageType(.identity, "SigningKeyRetired")

    /// The key's id.
    package var kid: String
    /// No token signed with it is accepted from then on.
    package var retiredAt: Timestamp

    package init(kid: String, retiredAt: Timestamp) {
        self.kid = kid
        self.retiredAt = retiredAt
    }

    package init(_ object: JSONObject) throws(JSONError) {
        kid = try object.string("kid")
        retiredAt = try object.timestamp("retiredAt")
    }

    package var json: JSONObject {
        ["kid": .string(kid), "retiredAt": .time(retiredAt)]
    }

    package var ownerKey: MessageKey { .system }
    package var subject: String { kid }
}

/// A user was erased; every service removes what belongs to the user and answers with `SubjectErased`.
package struct UserErased: PublishedMessage {
    package static let type = MessageType(.identity, "UserErased")

    /// The user.
    package var userId: UUID

    package init(userId: UUID) {
        self.userId = userId
    }

    package init(_ object: JSONObject) throws(JSONError) {
        userId = try object.uuid("userId")
    }

    package var json: JSONObject {
        ["userId": .uuid(userId)]
    }

    package var ownerKey: MessageKey { .owner(userId) }
    package var subject: String { userId.description }
}

/// A login session was ended before its time: access tokens that name it count no longer.
package struct LoginSessionEnded: PublishedMessage {
    package static let type = MessageType(.identity, "LoginSessionEnded")

    /// The user.
    package var userId: UUID
    /// The login session, as access tokens name it (`sid`).
    package var loginSessionId: UUID
    /// Why it was ended.
    package var reason: LoginEnding
    /// No access token of it lasts longer.
    package var tokensUntil: Timestamp

    package init(userId: UUID, loginSessionId: UUID, reason: LoginEnding, tokensUntil: Timestamp) {
        self.userId = userId
        self.loginSessionId = loginSessionId
        self.reason = reason
        self.tokensUntil = tokensUntil
    }

    package init(_ object: JSONObject) throws(JSONError) {
        userId = try object.uuid("userId")
        loginSessionId = try object.uuid("loginSessionId")
        reason = try object.code("reason")
        tokensUntil = try object.timestamp("tokensUntil")
    }

    package var json: JSONObject {
        [
            "userId": .uuid(userId), "loginSessionId": .uuid(loginSessionId), "reason": reason.json,
            "tokensUntil": .time(tokensUntil),
        ]
    }

    package var ownerKey: MessageKey { .owner(userId) }
    package var subject: String { loginSessionId.description }
}

/// A token was made for an app whose client cannot refresh one: it opens that app's routes until it ends, or its login session does.
package struct AppTokenIssued: PublishedMessage {
    package static let type = MessageType(.identity, "AppTokenIssued")

    /// The user.
    package var userId: UUID
    /// The login session that it belongs to.
    package var loginSessionId: UUID
    /// SHA-256 of the token's text, 64 hexadecimal digits.
    package var tokenSHA256: String
    /// Where it counts.
    package var surface: AppSurface
    /// The user's IANA time zone when it was made.
    package var timeZone: String
    /// It counts no longer than that.
    package var expiresAt: Timestamp

    package init(
        userId: UUID, loginSessionId: UUID, tokenSHA256: String, surface: AppSurface, timeZone: String,
        expiresAt: Timestamp
    ) {
        self.userId = userId
        self.loginSessionId = loginSessionId
        self.tokenSHA256 = tokenSHA256
        self.surface = surface
        self.timeZone = timeZone
        self.expiresAt = expiresAt
    }

    package init(_ object: JSONObject) throws(JSONError) {
        userId = try object.uuid("userId")
        loginSessionId = try object.uuid("loginSessionId")
        tokenSHA256 = try object.string("tokenSHA256")
        surface = try object.code("surface")
        timeZone = try object.string("timeZone")
        expiresAt = try object.timestamp("expiresAt")
    }

    package var json: JSONObject {
        [
            "userId": .uuid(userId), "loginSessionId": .uuid(loginSessionId), "tokenSHA256": .string(tokenSHA256),
            "surface": surface.json, "timeZone": .string(timeZone), "expiresAt": .time(expiresAt),
        ]
    }

    package var ownerKey: MessageKey { .owner(userId) }
    package var subject: String { loginSessionId.description }
}

/// What was practised on an anonymous device so far is an account's: whoever signed in to the account has shown the device's secret, too.
///
/// Of releases that did not sign the moment; newer ones say ``DeviceHandedOverV2``.
package struct DeviceHandedOver: PublishedMessage {
    package static let type = MessageType(.identity, "DeviceHandedOver")

    /// The device's user, who stays an anonymous device.
    package var userId: UUID
    /// The account.
    package var accountId: UUID

    package init(userId: UUID, accountId: UUID) {
        self.userId = userId
        self.accountId = accountId
    }

    package init(_ object: JSONObject) throws(JSONError) {
        userId = try object.uuid("userId")
        accountId = try object.uuid("accountId")
    }

    package var json: JSONObject { ["userId": .uuid(userId), "accountId": .uuid(accountId)] }
    package var ownerKey: MessageKey { .owner(userId) }
    package var subject: String { userId.description }
}

/// The hand-over of a device with its moment, which the signature covers, too: what began later is not part of it.
package struct DeviceHandedOverV2: PublishedMessage {
    package static let type = MessageType(.identity, "DeviceHandedOver", 2)

    /// The device's user, who stays an anonymous device.
    package var userId: UUID
    /// The account.
    package var accountId: UUID
    /// When the device's secret was shown with the sign-in.
    package var handedOverAt: Timestamp

    package init(userId: UUID, accountId: UUID, handedOverAt: Timestamp) {
        self.userId = userId
        self.accountId = accountId
        self.handedOverAt = handedOverAt
    }

    package init(_ object: JSONObject) throws(JSONError) {
        userId = try object.uuid("userId")
        accountId = try object.uuid("accountId")
        handedOverAt = try object.timestamp("handedOverAt")
    }

    package var json: JSONObject {
        ["userId": .uuid(userId), "accountId": .uuid(accountId), "handedOverAt": .time(handedOverAt)]
    }
    package var ownerKey: MessageKey { .owner(userId) }
    package var subject: String { userId.description }
}

/// No secret of an anonymous device lets anybody in any more. Identity itself believes it after a restore, which would bring the secret
/// back.
package struct DeviceSecretRevoked: PublishedMessage {
    package static let type = MessageType(.identity, "DeviceSecretRevoked")

    /// The device's user.
    package var userId: UUID

    package init(userId: UUID) {
        self.userId = userId
    }

    package init(_ object: JSONObject) throws(JSONError) {
        userId = try object.uuid("userId")
    }

    package var json: JSONObject { ["userId": .uuid(userId)] }
    package var ownerKey: MessageKey { .owner(userId) }
    package var subject: String { userId.description }
}
