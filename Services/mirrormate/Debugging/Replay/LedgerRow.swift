package import Contracts

/// The ledger's figures for one service.
package struct ServiceLedger: Sendable {
    package let service: ServiceName
    package var head: Int64 = 0
    package var cursor: Int64 = 0
    /// How long the first event after the cursor has been waiting.
    package var relayLate: Duration = .zero
    package var refused: String?
    /// Messages in the topic, over all partitions.
    package var topicMessages = 0
    /// The highest position in the topic.
    package var topicEnd: Int64 = 0
    package var consumers: [ConsumerLedger] = []
    package var readModels: [ReadModelLedger] = []
    package var parked: Int64 = 0

    package init(service: ServiceName) { self.service = service }
}

/// How far a service has consumed another one's topic.
package struct ConsumerLedger: Sendable {
    package let source: ServiceName
    /// The highest position seen, over all partitions.
    package var seen: Int64 = 0
    /// Messages in the topic that were not seen.
    package var behind = 0
    /// How long the oldest of them has been waiting.
    package var late: Duration = .zero
    /// Why it is late, if it is.
    package var cause: String?

    package init(source: ServiceName) { self.source = source }
}

/// How far a read model is folded.
package struct ReadModelLedger: Sendable {
    package let name: String
    package let position: Int64
    package let late: Duration
}
