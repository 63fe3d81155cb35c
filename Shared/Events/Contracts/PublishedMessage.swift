package import JSON

/// What a service publishes about one of its private events.
///
/// Identifiers, numbers, codes and references only: topics keep it for good, so nothing personal is ever in it. Times
/// are RFC 3339 in UTC with microseconds, units are part of the names. Members that a reader does not know are ignored,
/// so that a newer publisher may add some.
package protocol PublishedMessage: Sendable, Equatable {
    /// The durable name and version.
    static var type: MessageType { get }
    /// Reads the value of a record.
    ///
    /// - Throws: `JSONError`: which member is missing or malformed.
    init(_ object: JSONObject) throws(JSONError)
    /// The value of the record.
    var json: JSONObject { get }
    /// The key in whose order it is published.
    var ownerKey: MessageKey { get }
    /// CloudEvents' `subject`: the id of the aggregate it is about.
    var subject: String { get }
}
