package import JSON
package import Primitives

/// The origin of an event; recorded for every event, because it cannot be added to history later.
package struct EventMetadata: Sendable, Equatable {
    /// The user whose event it is: the Kafka key and the subject of erasure. Nil for system events.
    package var owner: UUID?
    /// The same for everything that follows from one external request.
    package var correlation: UUID
    /// The id of the event or message that caused this one; nil at the edge.
    package var causation: UUID?
    /// Who acted: a user id, a service or an operator's name; never an e-mail address.
    package var actor: String
    /// W3C trace context at the append.
    package var traceparent: String?
    /// The other service's message that caused this event, as `service/incarnation/position`; nil for commands.
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
    ///
    /// - Throws: `JSONError` if a member is missing or malformed.
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
    /// Reads the stored form from its text: what ``json`` has written on a fast path, anything else as general JSON.
    ///
    /// - Throws: `JSONError` if it is not JSON, or a member is missing or malformed.
    package init(stored text: UnsafeRawBufferPointer) throws(JSONError) {
        var reader = FlatReader(text.assumingMemoryBound(to: UInt8.self))
        if let read = reader.metadata() {
            self = read
        } else {
            try self.init(JSONObject.parse(Array(text)))
        }
    }
}
