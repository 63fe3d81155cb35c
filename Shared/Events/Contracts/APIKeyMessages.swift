package import JSON
package import Primitives

/// An API key of the compatible surface counts from now on.
package struct APIKeyIssued: PublishedMessage {
    package static let type = MessageType(.identity, "APIKeyIssued")

    /// The key's name, by which it is listed and revoked.
    package var keyId: UUID
    /// SHA-256 of the key's text, 64 hexadecimal digits.
    package var keySHA256: String
    /// Whom it stands for.
    package var role: APIKeyRole

    package init(keyId: UUID, keySHA256: String, role: APIKeyRole) {
        self.keyId = keyId
        self.keySHA256 = keySHA256
        self.role = role
    }

    package init(_ object: JSONObject) throws(JSONError) {
        keyId = try object.uuid("keyId")
        keySHA256 = try object.string("keySHA256")
        role = try object.code("role")
    }

    package var json: JSONObject {
        ["keyId": .uuid(keyId), "keySHA256": .string(keySHA256), "role": role.json]
    }

    package var ownerKey: MessageKey { .system }
    package var subject: String { keyId.description }
}

/// An API key of the compatible surface counts no longer, whatever comes later.
package struct APIKeyRevoked: PublishedMessage {
    package static let type = MessageType(.identity, "APIKeyRevoked")

    /// The key's name.
    package var keyId: UUID

    package init(keyId: UUID) { self.keyId = keyId }

    package init(_ object: JSONObject) throws(JSONError) { keyId = try object.uuid("keyId") }

    package var json: JSONObject { ["keyId": .uuid(keyId)] }

    package var ownerKey: MessageKey { .system }
    package var subject: String { keyId.description }
}
