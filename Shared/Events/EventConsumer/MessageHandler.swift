package import EventSourcing
package import EventStore
package import Kafka
import Runtime

/// What a service does with the messages of others.
package protocol MessageHandler: AnyObject {
    /// Handles one message. Its last append goes through `gate`, which commits it together with the watermark's move, so
    /// that effect and watermark are committed atomically; steps before that go straight to the store. When nothing goes
    /// through the gate, the consumer moves the watermark itself.
    ///
    /// - Throws: errors of the database hold the partition and are tried again; ``MessageFault`` and refusals of the
    ///   domain park the message.
    @Loop func handle(_ message: ReceivedMessage, through gate: any AppendGate) async throws

    /// Why a record must not be believed that its headers and its place let pass: an announcement without a good signature.
    /// Called for every record, before its place in the chain is judged.
    ///
    /// - Throws: errors of the database hold the partition.
    @Loop func doubt(_ record: KafkaRecord) async throws -> RecordDoubt?

    /// Whether the message is final whatever came before it, as an erasure is: then it is never queued behind parked ones and is
    /// applied even while the chain is broken.
    @Loop func isLastWord(_ message: ReceivedMessage) -> Bool

    /// Takes back what an event did that answered a message beyond a fork: the publisher's store was restored to a time
    /// before it. Called at least once for each such event, so a repeat must change nothing.
    ///
    /// What it appends goes through `gate`, which lets it pass only while the log holds the event: not when another owner has
    /// gone on, nor in an older database that has taken the place of the one from which the event was read.
    @Loop func takeBack(_ event: RecordedEvent, through gate: any AppendGate) async throws
}

extension MessageHandler {
    // Where nothing is announced, nothing needs a signature.
    package func doubt(_: KafkaRecord) async throws -> RecordDoubt? { nil }
}

/// Why a record cannot be the publisher's; the raw value is the stable code under which it is parked.
package enum RecordDoubt: String, Error, Sendable, Equatable {
    /// Its headers, type, source or partition do not belong to the topic's service.
    case foreign = "foreign-record"
    /// An announcement that counts with a signature only.
    case unsigned = "announcement-unsigned"
    /// An announcement whose signature is not that of a known announcement key, or not for its place.
    case forged = "announcement-forged"

    /// What is wrong, as the end of a sentence about the record.
    package var sentence: String {
        switch self {
        case .foreign: "its headers or its place do not belong to the topic's service"
        case .unsigned: "it announces without a signature what identity signs"
        case .forged: "its signature is not one of a known announcement key for this place"
        }
    }
}

/// The message itself cannot be handled by this build, however often it is tried.
package struct MessageFault: Error, Sendable {
    /// A short name for the reason.
    package let code: String

    package init(_ code: String) { self.code = code }
}
