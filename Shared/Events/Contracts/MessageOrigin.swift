package import Primitives

/// Where a message comes from: the event of another service's log that it publishes.
///
/// A consumer writes it into the metadata of what follows from the message, as `service/incarnation/position`.
package struct MessageOrigin: Sendable, Hashable, CustomStringConvertible {
    /// The publisher.
    package let service: ServiceName
    /// The publisher's history: another one after each confirmed restore.
    package let incarnation: UUID
    /// The position in the publisher's log.
    package let position: Int64

    package init(service: ServiceName, incarnation: UUID, position: Int64) {
        self.service = service
        self.incarnation = incarnation
        self.position = position
    }

    /// Reads what ``description`` wrote; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let service = ServiceName(rawValue: String(parts[0])), let incarnation = UUID(parts[1]),
            let position = Int64(parts[2])
        else { return nil }
        self.init(service: service, incarnation: incarnation, position: position)
    }

    package var description: String { "\(service.rawValue)/\(incarnation)/\(position)" }

    /// The id of what a consumer appends because of the message: the same for every delivery of it.
    package var appendID: UUID {
        UUID.v5(namespace: incarnation, name: "\(service.rawValue)/\(position)")
    }
}
