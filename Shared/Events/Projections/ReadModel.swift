package import EventSourcing
package import JSON
package import Primitives

/// A fold of a service's own log into keyed rows; the same functions are used live and in a rebuild.
///
/// Its table has a column `key` (text, primary key) and the columns that ``encode(_:)`` names.
package protocol ReadModel: Sendable {
    /// The service's private events.
    associatedtype Event: PrivateEvent
    /// The key of a row.
    associatedtype Key: Hashable & Sendable
    /// One row.
    associatedtype Row: Sendable

    /// The durable name of the read model and of its table; never rename it.
    static var name: String { get }
    /// The table's columns besides `key`.
    static var columns: [String] { get }

    /// The rows that an event changes.
    static func keys(of event: Event) -> [Key]
    /// A row after an event; nil if the row is gone. Pure.
    static func evolve(_ row: Row?, _ event: Event, key: Key, recordedAt: Timestamp) -> Row?

    /// The key as stored in the table.
    static func text(_ key: Key) -> String
    /// The row's columns.
    static func encode(_ row: Row) -> JSONObject
    /// Reads the columns back.
    static func decode(_ columns: JSONObject) throws(JSONError) -> Row
}

/// A row that encodes its own columns.
package protocol TableRow: Sendable {
    /// The table's columns besides `key`.
    static var columns: [String] { get }
    /// Reads the columns, `key` among them.
    init(_ columns: JSONObject) throws(JSONError)
    /// The columns besides `key`.
    var values: JSONObject { get }
}

extension ReadModel where Row: TableRow {
    package static var columns: [String] { Row.columns }
    package static func encode(_ row: Row) -> JSONObject { row.values }
    package static func decode(_ columns: JSONObject) throws(JSONError) -> Row { try Row(columns) }
}

extension ReadModel where Key == UUID {
    package static func text(_ key: UUID) -> String { key.description }
}

extension ReadModel {
    /// The row of one key, folded from the stream of its events; nil if there is none, or it is gone.
    ///
    /// - Throws: `EventDecodingError` if this build cannot read the events.
    package static func row(
        _ key: Key, after events: [RecordedEvent]
    ) throws(EventDecodingError) -> Row? {
        var row: Row?
        for event in events { row = evolve(row, try event.decoded(), key: key, recordedAt: event.recordedAt) }
        return row
    }
}
