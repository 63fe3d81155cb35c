package import Primitives

/// An event as stored in a service's log.
package struct RecordedEvent: Sendable {
    /// The position in the log: dense, from 1, in commit order.
    package let position: Int64
    /// The aggregate's stream.
    package let stream: StreamName
    /// The version within the stream: dense, from 1.
    package let version: Int64
    /// UUIDv5 of the append's id and the event's index in it.
    package let id: UUID
    /// The durable name and the version of the data.
    package let type: EventType
    /// The data as written, byte for byte.
    package let data: [UInt8]
    /// Who, why and on whose behalf.
    package let metadata: EventMetadata
    /// PostgreSQL's clock at the append; never decreases along the log.
    package let recordedAt: Timestamp

    package init(
        position: Int64, stream: StreamName, version: Int64, id: UUID, type: EventType, data: [UInt8],
        metadata: EventMetadata, recordedAt: Timestamp
    ) {
        self.position = position
        self.stream = stream
        self.version = version
        self.id = id
        self.type = type
        self.data = data
        self.metadata = metadata
        self.recordedAt = recordedAt
    }

    /// The event as the service's own type.
    ///
    /// - Throws: ``EventDecodingError`` if this build cannot read it.
    package func decoded<Event: PrivateEvent>(as _: Event.Type = Event.self) throws(EventDecodingError) -> Event {
        try Event.decode(type, stored: data)
    }
}

/// A decoded event with the moment at which it was recorded.
package struct DatedEvent<Event: Sendable>: Sendable {
    package let event: Event
    package let recordedAt: Timestamp

    package init(_ event: Event, recordedAt: Timestamp) {
        self.event = event
        self.recordedAt = recordedAt
    }
}
