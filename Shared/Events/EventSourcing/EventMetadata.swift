package import JSON
package import Primitives

/// What every event says of its origin, from the first event on: it cannot be added to history later.
package struct EventMetadata: Sendable, Equatable {
    /// The user whose event it is: the Kafka key and the subject of erasure. Nothing for system events.
    package var owner: UUID?
    /// The same for all that follows from one request of the outside world.
    package var correlation: UUID
    /// The id of the event or message that this one answers; nothing at the edge.
    package var causation: UUID?
    /// Who acted: a user id, a service or an operator's name; never an address.
    package var actor: String
    /// W3C trace context at the append.
    package var traceparent: String?
    /// The message of another service that this answers, as `service/incarnation/position`; nothing for commands.
    package var origin: String?

    package init(
        owner: UUID?, correlation: UUID, causation: UUID? = nil, actor: String, traceparent: String? = nil,
        origin: String? = nil
    ) {
        self.owner = owner
        self.correlation = correlation
        self.causation = causation
        self.actor = actor
        self.traceparent = traceparent
        self.origin = origin
    }

    /// The stored form.
    package var json: JSONObject {
        var object = JSONObject()
        if let owner { object["owner"] = .uuid(owner) }
        object["correlation"] = .uuid(correlation)
        if let causation { object["causation"] = .uuid(causation) }
        object["actor"] = .string(actor)
        if let traceparent { object["traceparent"] = .string(traceparent) }
        if let origin { object["origin"] = .string(origin) }
        return object
    }

    /// Reads the stored form.
    package init(_ object: JSONObject) throws(JSONError) {
        owner = try object.optionalUUID("owner")
        correlation = try object.uuid("correlation")
        causation = try object.optionalUUID("causation")
        actor = try object.string("actor")
        traceparent = try object.optionalString("traceparent")
        origin = try object.optionalString("origin")
    }
}

extension EventMetadata {
    /// Reads the stored form from its text. What ``json`` has written is read in one go, anything else as JSON of any form.
    ///
    /// - Throws: `JSONError` when it is not JSON, or a member is missing or of another form.
    package init(stored text: UnsafeRawBufferPointer) throws(JSONError) {
        var reader = FlatReader(text.assumingMemoryBound(to: UInt8.self))
        if let read = reader.metadata() {
            self = read
        } else {
            try self.init(JSONObject.parse(Array(text)))
        }
    }
}
