import Contracts
import Primitives

/// A header of every message, as the relay writes it.
package struct DeclaredHeader: Sendable {
    package let name: String
    /// `uuid`, `integer`, `time`, `type`, `text`, `traceparent`; optional ones end in `?`.
    package let form: String
    package let meaning: String

    /// The headers of messages.
    package static let ofMessages = [
        DeclaredHeader(MessageHeaders.specVersion, "text", "CloudEvents' version, always 1.0."),
        DeclaredHeader(MessageHeaders.id, "uuid", "The id of the private event behind the message."),
        DeclaredHeader(MessageHeaders.source, "text", "The publisher, /mirrormate/<service>."),
        DeclaredHeader(MessageHeaders.type, "type", "mirrormate.<service>.<Name>.v<version>."),
        DeclaredHeader(MessageHeaders.subject, "text", "The id of the aggregate it is about."),
        DeclaredHeader(MessageHeaders.time, "time", "When the private event was recorded."),
        DeclaredHeader(MessageHeaders.partitionKey, "text", "The same as the record's key."),
        DeclaredHeader(MessageHeaders.correlationID, "uuid", "The same for everything that follows from one request."),
        DeclaredHeader(MessageHeaders.causationID, "uuid?", "The event or message that this one answers."),
        DeclaredHeader(MessageHeaders.contentType, "text", "The media type of the value, always application/json."),
        DeclaredHeader(MessageHeaders.traceParent, "traceparent?", "W3C trace context."),
        DeclaredHeader(MessageHeaders.position, "integer", "The position in the publisher's log."),
        DeclaredHeader(
            MessageHeaders.previous, "integer", "The position of the record before it in the partition, or 0."),
        DeclaredHeader(MessageHeaders.incarnation, "uuid", "The incarnation of the publishing store."),
        DeclaredHeader(MessageHeaders.epoch, "integer", "The lease under which the relay wrote."),
        DeclaredHeader(MessageHeaders.signature, "text?", "On identity's announcements: key.signature."),
    ]

    /// The headers of lease records, with which a relay begins in a partition.
    package static let ofLeases = [
        DeclaredHeader(MessageHeaders.specVersion, "text", "CloudEvents' version, always 1.0."),
        DeclaredHeader(MessageHeaders.id, "uuid", "Identifies the record; has no further meaning."),
        DeclaredHeader(MessageHeaders.source, "text", "The publisher."),
        DeclaredHeader(MessageHeaders.type, "type", "mirrormate.<service>.Lease.v1."),
        DeclaredHeader(MessageHeaders.contentType, "text", "Always application/json."),
        DeclaredHeader(MessageHeaders.incarnation, "uuid", "The incarnation of the publishing store."),
        DeclaredHeader(MessageHeaders.epoch, "integer", "The lease."),
        DeclaredHeader(MessageHeaders.fork, "integer", "The last position shared with the parent."),
        DeclaredHeader(MessageHeaders.parent, "uuid?", "The incarnation before this one."),
        DeclaredHeader(MessageHeaders.lineage, "text?", "Every incarnation before, with its last good position."),
        DeclaredHeader(MessageHeaders.disowned, "text?", "Records that somebody else wrote into the one before."),
    ]

    init(_ name: String, _ form: String, _ meaning: String) {
        self.name = name
        self.form = form
        self.meaning = meaning
    }

    /// Why a header's value does not have a form; nil if it does.
    static func problem(_ value: String?, _ form: String) -> String? {
        let isOptional = form.hasSuffix("?")
        guard let value else { return isOptional ? nil : "is missing" }
        let isGood =
            switch isOptional ? String(form.dropLast()) : form {
            case "uuid": UUID(value)?.description == value
            case "integer": Int64(value).map { String($0) } == value
            case "time": Timestamp(rfc3339: value)?.rfc3339 == value
            case "type": MessageType(value)?.description == value
            case "traceparent":
                value.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [2, 32, 16, 2]
            case "text": !value.isEmpty
            default: false
            }
        return isGood ? nil : "must be of the form \(form), and is \(value)"
    }
}
