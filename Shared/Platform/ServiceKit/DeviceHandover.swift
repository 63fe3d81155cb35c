package import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
package import Primitives
import Runtime

/// An anonymous device whose practice becomes an account's, as identity has announced it: whoever signed in to the account has
/// shown the device's secret in the same request.
package struct DeviceHandover: Sendable {
    /// What a service does about it. Every step can be repeated: after a death all of it is done again, and what is done already
    /// is found done. What goes through the gate comes last.
    package typealias Work = @Loop @Sendable (DeviceHandover, EventStore, any AppendGate) async throws -> Void

    /// How far a device's clock may be ahead, and more: what was practised before a hand-over is never left behind.
    private static let slack = Duration.seconds(3_600)

    /// The device's user, who stays an anonymous device.
    package let device: UUID
    package let account: UUID
    private let message: ReceivedMessage

    /// The id and the hash of the append that goes through the gate.
    package var appendID: UUID { message.appendID }
    package var requestHash: [UInt8] { message.requestHash }

    package init(device: UUID, account: UUID, _ message: ReceivedMessage) {
        self.device = device
        self.account = account
        self.message = message
    }

    /// Whether something that began at a moment was before the hand-over: what comes later belongs to whoever uses the device then, also
    /// when the announcement is heard long after.
    package func concerns(begunAt moment: Timestamp) -> Bool { moment <= message.incoming.time + Self.slack }

    /// Metadata of what is decided on behalf of the account.
    package func metadata(actor service: ServiceName) -> EventMetadata {
        var metadata = message.metadata(actor: service.rawValue)
        metadata.owner = account
        return metadata
    }
}
