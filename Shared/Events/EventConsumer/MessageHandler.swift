package import EventSourcing
package import EventStore
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

    /// Whether the message erases its key's owner: then it is never queued behind parked ones and is applied even while
    /// the chain is broken.
    @Loop func isErasure(_ message: ReceivedMessage) -> Bool

    /// Takes back what an event did that answered a message beyond a fork: the publisher's store was restored to a time
    /// before it. Called at least once for each such event, so a repeat must change nothing.
    @Loop func takeBack(_ event: RecordedEvent) async throws
}

/// The message itself cannot be handled by this build, however often it is tried.
package struct MessageFault: Error, Sendable {
    /// A short name for the reason.
    package let code: String

    package init(_ code: String) { self.code = code }
}
