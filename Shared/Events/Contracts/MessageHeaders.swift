/// The names of the Kafka headers: CloudEvents 1.0 in binary mode (Kafka protocol binding, section 3.2), W3C trace
/// context, and the headers by which a consumer proves that nothing is missing.
package enum MessageHeaders {
    /// CloudEvents' version, always ``cloudEventsVersion``.
    package static let specVersion = "ce_specversion"
    /// The id of the private event that the message was made of.
    package static let id = "ce_id"
    /// ``ServiceName/source``.
    package static let source = "ce_source"
    /// ``MessageType`` as text.
    package static let type = "ce_type"
    /// The aggregate's id.
    package static let subject = "ce_subject"
    /// When the private event was recorded, RFC 3339 UTC with microseconds.
    package static let time = "ce_time"
    /// The same text as the record's key.
    package static let partitionKey = "ce_partitionkey"
    /// The same id for all that follows from one request.
    package static let correlationID = "ce_correlationid"
    /// The id of the event or message that this one answers.
    package static let causationID = "ce_causationid"
    /// The media type of the value, always ``json``.
    package static let contentType = "content-type"
    /// W3C trace context.
    package static let traceParent = "traceparent"

    /// The private event's position in the publishing service's log, decimal; absent on lease records.
    package static let position = "ce_position"
    /// The position of the record before this one in the same partition, decimal; 0 when there is none.
    package static let previous = "ce_previous"
    /// The incarnation of the publishing store, a UUID; a restore begins a new one.
    package static let incarnation = "ce_incarnation"
    /// The lease under which the relay wrote, decimal; rises with every take-over.
    package static let epoch = "ce_epoch"
    /// On lease records: the incarnation before this one; absent on the first.
    package static let parent = "ce_parent"
    /// On lease records: the last position that this incarnation shares with its parent, decimal.
    package static let fork = "ce_fork"

    /// On lease records after a restore: every incarnation before this one with its last position that is still part of the
    /// history, `incarnation:position` with commas between.
    package static let lineage = "ce_lineage"
    /// On lease records after records that somebody else wrote into the topic: those, `position:id` with commas between.
    /// What else lies beyond the fork was the publisher's own and is published again.
    package static let disowned = "ce_disowned"

    /// On announcements: `key.signature`, the announcement key's id and the signature of ``AnnouncementContent``, in base 64
    /// URL without padding.
    package static let signature = "ce_signature"

    /// The only value of ``specVersion``.
    package static let cloudEventsVersion = "1.0"
    /// The only value of ``contentType``.
    package static let json = "application/json"
}
