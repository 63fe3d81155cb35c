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
    ///
    /// The row is given away, so that one with a long list in it can be changed in its place instead of copied for each event.
    static func evolve(_ row: consuming Row?, _ event: Event, key: Key, recordedAt: Timestamp) -> Row?

    /// The key as stored in the table.
    static func text(_ key: Key) -> String
    /// The row's columns.
    static func encode(_ row: Row) -> JSONObject
    /// Reads the columns back.
    ///
    /// - Throws: `JSONError` if a column is missing or malformed.
    static func decode(_ columns: JSONObject) throws(JSONError) -> Row
}

/// A row that encodes its own columns.
package protocol TableRow: Sendable {
    /// The table's columns besides `key`.
    static var columns: [String] { get }
    /// Reads the columns, `key` among them.
    ///
    /// - Throws: `JSONError` if a column is missing or malformed.
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
    /// The row of one key as folded from the events of its stream; nil when there is none, or none any more.
    package static func row(_ key: Key, after history: [DatedEvent<Event>]) -> Row? {
        history.reduce(nil) { row, dated in evolve(row, dated.event, key: key, recordedAt: dated.recordedAt) }
    }
}
