package import JSON
package import Primitives

/// Announcements: what every service believes of identity without asking it: its keys, ended login sessions, tokens of apps, API keys,
/// devices that were handed over or whose secret was revoked, consents, and erasures. Identity signs them.
package enum Announcements {
    /// Types of release 1, which nobody signed. They count until identity says from when on it signs.
    package static let unsigned: Set<MessageType> = [
        SigningKeyPublished.type, SigningKeyRetired.type, UserErased.type,
    ]

    /// Types that count with a good signature only.
    package static let signed: Set<MessageType> = [
        SigningKeyPublishedV2.type, SigningKeyRetiredV2.type, UserErasedV2.type, AnnouncementsBegun.type,
        LoginSessionEnded.type, AppTokenIssued.type, DeviceHandedOver.type, DeviceHandedOverV2.type,
        DeviceSecretRevoked.type, ConsentGiven.type, ConsentWithdrawn.type, APIKeyIssued.type, APIKeyRevoked.type,
    ]
}

/// What the signature of an announcement covers.
///
/// The canonical form, whose bytes are signed with ES256, is these lines in UTF-8, each ended by a line feed, and then the
/// bytes of the record's value as they are:
///
/// ```
/// mirrormate announcement 1
/// mirrormate.identity.UserErased.v2           the record's type
/// /mirrormate/identity                        its source
/// 0190a1b2-…                                  its key
/// 565863a3-…                                  its event's id
/// e6433c19-…                                  the incarnation of identity's store
/// 1207                                        its position
/// ```
///
/// The incarnation and the position are part of it, so a signed record means something in its own place alone.
package struct AnnouncementContent: Sendable, Equatable {
    package let type: MessageType
    package let key: String
    package let id: UUID
    package let incarnation: UUID
    package let position: Int64
    package let value: [UInt8]

    package init(type: MessageType, key: String, id: UUID, incarnation: UUID, position: Int64, value: [UInt8]) {
        self.type = type
        self.key = key
        self.id = id
        self.incarnation = incarnation
        self.position = position
        self.value = value
    }

    /// The canonical form.
    package var bytes: [UInt8] {
        let lines = [
            "mirrormate announcement 1", type.description, ServiceName.identity.source, key, id.description,
            incarnation.description, String(position),
        ]
        return Array(lines.map { $0 + "\n" }.joined().utf8) + value
    }
}

/// Gives the signature of an announcement as the header ``MessageHeaders/signature`` holds it; nil when it cannot be made.
package typealias AnnouncementSeal = @Sendable (AnnouncementContent) -> String?

/// From this message on identity signs its announcements with a key; what came before is announced again after it.
///
/// An unsigned announcement counts up to the position of the first of these alone.
package struct AnnouncementsBegun: PublishedMessage {
    package static let type = MessageType(.identity, "AnnouncementsBegun")

    /// The key's id: its thumbprint (RFC 7638).
    package var announcementKey: String

    package init(announcementKey: String) { self.announcementKey = announcementKey }

    package init(_ object: JSONObject) throws(JSONError) {
        announcementKey = try object.string("announcementKey")
    }

    package var json: JSONObject { ["announcementKey": .string(announcementKey)] }

    package var ownerKey: MessageKey { .system }
    package var subject: String { announcementKey }
}

/// A key that signs access tokens, announced with a signature.
package struct SigningKeyPublishedV2: PublishedMessage {
    package static let type = MessageType(.identity, "SigningKeyPublished", 2)

    /// The key.
    package var key: SigningKeyPublished

    package init(_ key: SigningKeyPublished) { self.key = key }

    package init(_ object: JSONObject) throws(JSONError) { key = try SigningKeyPublished(object) }

    package var json: JSONObject { key.json }

    package var ownerKey: MessageKey { key.ownerKey }
    package var subject: String { key.subject }
}

/// The withdrawal of a signing key, announced with a signature. A key that was withdrawn stays so, whatever comes later.
package struct SigningKeyRetiredV2: PublishedMessage {
    package static let type = MessageType(.identity, "SigningKeyRetired", 2)

    /// The withdrawal.
    package var retirement: SigningKeyRetired

    package init(_ retirement: SigningKeyRetired) { self.retirement = retirement }

    package init(_ object: JSONObject) throws(JSONError) { retirement = try SigningKeyRetired(object) }

    package var json: JSONObject { retirement.json }

    package var ownerKey: MessageKey { retirement.ownerKey }
    package var subject: String { retirement.subject }
}

/// The erasure of a user, announced with a signature.
package struct UserErasedV2: PublishedMessage {
    package static let type = MessageType(.identity, "UserErased", 2)

    /// The user.
    package var userId: UUID

    package init(userId: UUID) { self.userId = userId }

    package init(_ object: JSONObject) throws(JSONError) { userId = try object.uuid("userId") }

    package var json: JSONObject { ["userId": .uuid(userId)] }

    package var ownerKey: MessageKey { .owner(userId) }
    package var subject: String { userId.description }
}
