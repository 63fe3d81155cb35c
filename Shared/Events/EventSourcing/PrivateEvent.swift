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
    /// Decodes an event type that has had only one version, by its name; the reader returns nil for an unknown name.
    ///
    /// - Throws: ``EventDecodingError``: `unknownType` for a version other than 1 or a name for which `read` returns
    ///   nil, `malformed` with what `read` throws.
    package static func reading(
        _ type: EventType, byName read: (String) throws(JSONError) -> Self?
    ) throws(EventDecodingError) -> Self {
        let event: Self?
        do throws(JSONError) { event = type.version == 1 ? try read(type.name) : nil } catch {
            throw .malformed(type, error)
        }
        guard let event else { throw .unknownType(type) }
        return event
    }

    /// Runs a decoder of data and adds the type to its error.
    ///
    /// - Throws: ``EventDecodingError/malformed(_:_:)`` with what `read` throws.
    package static func reading(
        _ type: EventType, _ read: () throws(JSONError) -> Self
    ) throws(EventDecodingError) -> Self {
        do throws(JSONError) { return try read() } catch { throw .malformed(type, error) }
    }
}
