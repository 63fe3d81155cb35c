package import EventSourcing
package import JSON

/// What happened to an announcement key, by its id, the thumbprint. The names in ``type`` are durable.
package enum AnnouncingEvent: PrivateEvent, Equatable {
    /// Announcements are signed with it; living and retired keys follow in the same append.
    case begun(key: String)
    /// Every erased user was announced again.
    case erasuresAnnounced(key: String)

    package var type: EventType {
        switch self {
        case .begun: EventType("AnnouncementsBegun")
        case .erasuresAnnounced: EventType("ErasuresAnnounced")
        }
    }

    package var data: JSONObject {
        switch self {
        case .begun(let key), .erasuresAnnounced(let key): ["announcementKey": .string(key)]
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> AnnouncingEvent {
        try reading(type, data, byName: read)
    }

    /// Whether an event of this name is one of these.
    static func hasName(_ name: String) -> Bool { name == "AnnouncementsBegun" || name == "ErasuresAnnounced" }

    /// The event; nil for an unknown name.
    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> AnnouncingEvent? {
        switch name {
        case "AnnouncementsBegun": try .begun(key: data.string("announcementKey"))
        case "ErasuresAnnounced": try .erasuresAnnounced(key: data.string("announcementKey"))
        default: nil
        }
    }
}
