package import EventSourcing
import JSON
package import Primitives

/// An event on its way into the log.
package struct NewEvent: Sendable {
    package let type: EventType
    /// The JSON text exactly as it will be stored.
    package let data: [UInt8]

    /// The largest data of one event, in bytes.
    package static let maximumSize = 262_144

    package init(_ event: some PrivateEvent) {
        type = event.type
        data = JSONValue.object(event.data).bytes
    }
}

/// The events that an append adds to one stream.
package struct StreamWrite: Sendable {
    package let stream: StreamName
    /// The version that the decision was made on; 0 when the stream must not exist yet.
    package let expectedVersion: Int64
    package let events: [NewEvent]

    package init(_ stream: StreamName, expectedVersion: Int64, events: [NewEvent]) {
        self.stream = stream
        self.expectedVersion = expectedVersion
        self.events = events
    }

    /// What was decided on a version of the stream.
    package init(_ stream: StreamName, after version: Int64, _ events: [some PrivateEvent]) {
        self.init(stream, expectedVersion: version, events: events.map { NewEvent($0) })
    }
}

/// All that one command or one message adds to the log: accepted as a whole or not at all.
package struct Append: Sendable {
    /// The command's or message's id. The same id with the same hash is a repeat and gets the first answer.
    package let id: UUID
    /// Keyed hash of the request; differs when an id is used again for another request.
    package let requestHash: [UInt8]
    package let metadata: EventMetadata
    package let writes: [StreamWrite]
    package let calls: [RowCall]
    /// Whether the append is allowed on behalf of an erased subject: only erasure itself is.
    package let thoughErased: Bool

    package init(
        id: UUID, requestHash: [UInt8], metadata: EventMetadata, writes: [StreamWrite], calls: [RowCall] = [],
        thoughErased: Bool = false
    ) {
        self.id = id
        self.requestHash = requestHash
        self.metadata = metadata
        self.writes = writes.filter { !$0.events.isEmpty }
        self.calls = calls
        self.thoughErased = thoughErased
    }

    /// What was decided about one or more streams, with the row writes that belong to it.
    ///
    /// - Parameter writes: of streams that begin with it, whose row writes are among `calls`.
    package init(
        id: UUID, requestHash: [UInt8], metadata: EventMetadata, decisions: [Decision], writes: [StreamWrite] = [],
        calls: [RowCall] = [], thoughErased: Bool = false
    ) {
        self.init(
            id: id, requestHash: requestHash, metadata: metadata, writes: decisions.map(\.write) + writes,
            calls: decisions.flatMap(\.calls) + calls, thoughErased: thoughErased)
    }

    /// The same append with further calls.
    package func adding(_ calls: [RowCall]) -> Append {
        Append(
            id: id, requestHash: requestHash, metadata: metadata, writes: writes, calls: self.calls + calls,
            thoughErased: thoughErased)
    }

    /// The same append with guards that are asked before all its other calls.
    package func adding(first guards: [RowCall]) -> Append {
        Append(
            id: id, requestHash: requestHash, metadata: metadata, writes: writes, calls: guards + calls,
            thoughErased: thoughErased)
    }

    /// The id of the event at an index of the append (UUIDv5, RFC 9562 section 5.5).
    package static func eventID(_ append: UUID, _ index: Int) -> UUID {
        UUID.v5(namespace: append, name: String(index))
    }

    /// The id of the first event, by which a repeat is recognised; nil for an append of calls alone.
    var firstEventID: UUID? { writes.isEmpty ? nil : Self.eventID(id, 0) }

    /// Why the data may not enter a batch, if so. PostgreSQL's `json` accepts NUL escapes and fails on them later.
    var dataProblem: String? {
        for event in writes.lazy.flatMap(\.events) {
            if event.data.count > NewEvent.maximumSize { return "event-too-large" }
            if event.data.hasNULEscape { return "event-has-nul" }
        }
        if JSONValue.object(metadata.json).bytes.hasNULEscape { return "metadata-has-nul" }
        return nil
    }
}

extension [UInt8] {
    /// Whether a JSON text holds the escape of a NUL character.
    fileprivate var hasNULEscape: Bool {
        var index = 0
        while let slash = self[index...].firstIndex(of: UInt8(ascii: "\\")) {
            if slash + 5 < endIndex, self[(slash + 1)...(slash + 5)].elementsEqual("u0000".utf8) { return true }
            index = slash + 2
            if index >= count { return false }
        }
        return false
    }
}
