import Contracts
import EventSourcing
import JSON
import Primitives

/// The event used for measuring: about 200 B of data and 250 B of metadata, published like a service's.
struct Deed: PrivateEvent, Equatable {
    let session: UUID
    let owner: UUID
    let bytes: Int64
    let digest: String

    static let eventType = EventType("VideoStored")

    init(session: UUID, owner: UUID) {
        self.session = session
        self.owner = owner
        bytes = 12_345_678
        digest = "\(session)\(owner)"
    }

    var type: EventType { Self.eventType }

    var data: JSONObject {
        [
            "session": .uuid(session), "owner": .uuid(owner), "bytes": .int(bytes), "digest": .string(digest),
            "mediaType": "video/mp4",
        ]
    }

    private init(_ data: JSONObject) throws(JSONError) {
        session = try data.uuid("session")
        owner = try data.uuid("owner")
        bytes = try data.int("bytes")
        digest = try data.string("digest")
    }

    static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> Deed {
        try reading(type, data) { (name, data) throws(JSONError) in name == eventType.name ? try Deed(data) : nil }
    }

    /// What every service does with an event: decodes it, then maps it to a message.
    static func publication(
        by service: ServiceName
    ) -> @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing? {
        { recorded throws(EventDecodingError) in
            let deed = try recorded.decoded(as: Deed.self)
            return Outgoing(
                type: MessageType(service, "VideoStored"), key: .owner(deed.owner),
                subject: deed.session.description, data: deed.data)
        }
    }

    var metadata: EventMetadata {
        EventMetadata(
            owner: owner, correlation: session, causation: owner, actor: owner.description,
            traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    }

    /// The i-th of a fixed sequence of identifiers, so that SQL can generate the same ones.
    static func identifier(_ kind: UInt64, _ index: Int) -> UUID {
        UUID(high: kind << 32 | 0x4000, low: 0x8000_0000_0000_0000 | UInt64(index))
    }
}
