package import JSON

/// The durable name of a private event and the version of its data. Never rename or reuse one: histories keep it forever.
package struct EventType: Sendable, Hashable, CustomStringConvertible {
    /// The constant name, such as `SessionCreated`; unique within a service, never derived from a Swift type.
    package let name: String
    /// The version of the data's format, from 1.
    package let version: Int

    package init(_ name: String, _ version: Int = 1) {
        self.name = name
        self.version = version
    }

    package var description: String { "\(name).v\(version)" }
}

/// An event of a service's own log. Other services never see it, only what the service publishes for it.
///
/// A service has one conforming enum with one case per event.
package protocol PrivateEvent: Sendable {
    /// The durable name and version under which it is stored.
    var type: EventType { get }
    /// Its data as stored.
    var data: JSONObject { get }
    /// Decodes stored data of any version that was ever written.
    ///
    /// - Throws: ``EventDecodingError``; an unknown type is never skipped: the reader stops.
    static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> Self
    /// The same from the stored text. An event that comes by the hundred thousand can have a shorter way here for what is written as
    /// this build writes it; all else goes by ``decode(_:parsing:)``, which is what happens by default.
    ///
    /// - Throws: ``EventDecodingError``, as the other.
    static func decode(_ type: EventType, stored text: [UInt8]) throws(EventDecodingError) -> Self
}

/// This build cannot read a stored event.
package enum EventDecodingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// This build does not know the type or the version.
    case unknownType(EventType)
    /// The data does not have the format of its type.
    case malformed(EventType, JSONError)

    package var description: String {
        switch self {
        case .unknownType(let type):
            "The event type \(type) is unknown to this build; start a build that knows it, nothing is skipped."
        case .malformed(let type, let error): "An event of type \(type) cannot be read: \(error)."
        }
    }
}

extension PrivateEvent {
    package static func decode(_ type: EventType, stored text: [UInt8]) throws(EventDecodingError) -> Self {
        try decode(type, parsing: text)
    }

    /// Decodes stored text as general JSON.
    ///
    /// - Throws: ``EventDecodingError``; `malformed` also for what is no JSON object.
    package static func decode(_ type: EventType, parsing text: [UInt8]) throws(EventDecodingError) -> Self {
        let object: JSONObject
        do throws(JSONError) { object = try JSONObject.parse(text) } catch { throw .malformed(type, error) }
        return try decode(type, object)
    }

    /// Decodes stored data: brings it to its newest version and has it read by the event's name.
    ///
    /// - Parameters:
    ///   - older: the steps from older versions; without one, an event has had only one version.
    ///   - read: reads an event of the newest version; gives nil for an unknown name.
    /// - Throws: ``EventDecodingError``: `unknownType` for a version or name that is not known, `malformed` with what
    ///   `read` throws.
    package static func reading(
        _ type: EventType, _ data: JSONObject, upcasting older: Upcasters = .none,
        byName read: (_ name: String, _ data: JSONObject) throws(JSONError) -> Self?
    ) throws(EventDecodingError) -> Self {
        let (newest, data) = try older.newest(type, data)
        guard newest.version == older.newestVersion(of: newest.name) else { throw .unknownType(type) }
        let event: Self?
        do throws(JSONError) { event = try read(newest.name, data) } catch { throw .malformed(type, error) }
        guard let event else { throw .unknownType(type) }
        return event
    }
}
