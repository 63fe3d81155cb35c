package import EventSourcing
package import Postgres

extension RecordedEvent {
    /// The columns of an event, in the order in which ``init(_:)`` reads them.
    package static let columns = "position, stream, version, id, type, schema_version, data, metadata, recorded_at"

    /// The log's events after a position, in order, at most so many.
    static let logQuery = "select \(columns) from events where position > $1 order by position limit $2"

    /// The event of a row of ``columns``.
    ///
    /// - Throws: `JSONError` when the metadata cannot be read.
    package init(_ row: PostgresRow) throws {
        self.init(
            position: row.int(0), stream: StreamName(rawValue: row.text(1)), version: row.int(2), id: row.uuid(3),
            type: EventType(row.text(4), Int(row.int(5))), data: row.bytes(6),
            metadata: try row.withBytes(7, EventMetadata.init(stored:)), recordedAt: row.time(8))
    }
}
