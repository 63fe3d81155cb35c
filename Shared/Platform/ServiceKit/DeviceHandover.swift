package import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
package import Primitives
import Runtime

/// An anonymous device whose practice becomes an account's, as identity has announced it: whoever signed in to the account has
/// shown the device's secret in the same request.
package struct DeviceHandover: Sendable {
    /// What a service does about it while the message is handled: one append through the gate. What takes longer, that append
    /// begins, and work in the background goes on with it, so that nobody waits behind the message.
    package typealias Work = @Loop @Sendable (DeviceHandover, EventStore, any AppendGate) async throws -> Void

    /// The device's user, who stays an anonymous device.
    package let device: UUID
    package let account: UUID
    /// When the device's secret was shown: what began later belongs to whoever uses the device then.
    ///
    /// Identity signs it. An announcement of the releases that did not is taken by its record's time, but never by one that is
    /// still to come.
    package let moment: Timestamp
    private let message: ReceivedMessage

    /// The id and the hash of the append that goes through the gate: the same for every delivery of the announcement.
    package var appendID: UUID { message.appendID }
    package var requestHash: [UInt8] { message.requestHash }

    /// - Parameter moment: as the announcement says it; nil for one that says none.
    package init(device: UUID, account: UUID, at moment: Timestamp?, _ message: ReceivedMessage) {
        self.device = device
        self.account = account
        self.moment = moment ?? min(message.incoming.time, .now())
        self.message = message
    }

    /// Metadata of what is decided on behalf of one of the two users.
    package func metadata(of owner: UUID, actor service: ServiceName) -> EventMetadata {
        var metadata = message.metadata(actor: service.rawValue)
        metadata.owner = owner
        return metadata
    }
}
