package import Contracts
import JSON
package import Primitives

/// The public half of a key that signs access tokens (ES256); the private half is a sealed row.
package struct SigningKeyMaterial: Sendable, Equatable {
    /// The key's id in token headers (RFC 7517, section 4.5), as this UUID's string form.
    package var kid: UUID
    /// The coordinates, base 64 URL without padding (RFC 7518, section 6.2.1).
    package var x: String
    package var y: String
    /// From when on tokens are signed with it.
    package var notBefore: Timestamp
    /// After this, no token signed with it is accepted.
    package var expiresAt: Timestamp

    package init(kid: UUID, x: String, y: String, notBefore: Timestamp, expiresAt: Timestamp) {
        self.kid = kid
        self.x = x
        self.y = y
        self.notBefore = notBefore
        self.expiresAt = expiresAt
    }

    /// The key as other services hear of it.
    package var message: SigningKeyPublished {
        SigningKeyPublished(kid: kid.description, x: x, y: y, notBefore: notBefore, expiresAt: expiresAt)
    }
}

/// How it is stored in events.
extension SigningKeyMaterial {
    init(_ object: JSONObject) throws(JSONError) {
        kid = try object.uuid("kid")
        x = try object.string("x")
        y = try object.string("y")
        notBefore = try object.timestamp("notBefore")
        expiresAt = try object.timestamp("expiresAt")
    }

    var json: JSONObject {
        [
            "kid": .uuid(kid), "x": .string(x), "y": .string(y), "notBefore": .time(notBefore),
            "expiresAt": .time(expiresAt),
        ]
    }
}
