package import Contracts

/// One service's part of the ledger, in numbers.
package struct ServiceLedger: Sendable {
    package let service: ServiceName
    package var head: Int64 = 0
    package var cursor: Int64 = 0
    /// How long the first event behind the cursor has waited.
    package var relayLate: Duration = .zero
    package var refused: String?
    /// Messages in the topic, over all partitions.
    package var topicMessages = 0
    /// The highest position in the topic.
    package var topicEnd: Int64 = 0
    package var consumers: [ConsumerLedger] = []
    package var readModels: [ReadModelLedger] = []
    package var parked: Int64 = 0
}

/// How far a service has consumed another one's topic.
package struct ConsumerLedger: Sendable {
    package let source: ServiceName
    /// The highest position seen, over all partitions.
    package var seen: Int64 = 0
    /// Messages that are in the topic and were not seen.
    package var behind = 0
    /// How long the oldest of them has waited.
    package var late: Duration = .zero
    /// Why, when it is late.
    package var cause: String?
}

/// How far a read model is folded.
package struct ReadModelLedger: Sendable {
    package let name: String
    package let position: Int64
    package let late: Duration
}
