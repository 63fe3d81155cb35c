package import Contracts
package import Primitives

/// What happened to a service's store or topic, and belongs to no session or user.
package struct ServiceChange: Sendable, Equatable, CustomStringConvertible {
    /// What it was; the raw value is the stable name.
    package enum Kind: String, Sendable {
        /// A new incarnation of the store began: behind it lies what a restore has taken away, or what nobody here wrote.
        case incarnation
        /// A read model was built anew beside the live one.
        case rebuild
        /// An instance publishes the log from then on.
        case leaseTaken = "lease-taken"
        /// An instance publishes it no longer.
        case leaseLost = "lease-lost"
        /// The topic lacked what had been published.
        case topicReset = "topic-reset"
    }

    package let service: ServiceName
    package let kind: Kind
    package let at: Timestamp
    /// What happened, without service and time.
    package let words: String

    package init(service: ServiceName, kind: Kind, at: Timestamp, words: String) {
        self.service = service
        self.kind = kind
        self.at = at
        self.words = words
    }

    package var description: String { "\(service.rawValue) at \(at): \(words)" }
}
