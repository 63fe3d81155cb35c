package import Contracts
package import EventSourcing
import Primitives

/// What a service's code makes of its own log, without its types: folds and decisions, and nothing with side effects.
///
/// Tools that look at histories get this and no more, so nothing they do can have a side effect.
package struct ServiceHistory: Sendable {
    package let service: ServiceName
    /// The services whose messages it consumes.
    package let reads: [ServiceName]
    package let aggregates: [AggregateHistory]
    package let readModels: [ReadModelHistory]
    /// The types of messages that it reacts to.
    package let hears: Set<MessageType>
    /// An event described for people; nil where its name is enough.
    package let words: @Sendable (RecordedEvent) throws(EventDecodingError) -> String?
    /// What is published of a private event.
    package let publication: @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?

    package init(
        _ service: ServiceName, reads: [ServiceName], hears: [MessageType], aggregates: [AggregateHistory],
        readModels: [ReadModelHistory],
        words: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> String? = { _ in nil },
        publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) {
        self.hears = Set(hears)
        self.words = words
        self.service = service
        self.reads = reads
        self.aggregates = aggregates
        self.readModels = readModels
        self.publication = publication
    }

    /// The aggregate that a stream belongs to; nil for streams of the platform, such as learned keys.
    package func aggregate(of stream: StreamName) -> AggregateHistory? {
        aggregates.first { $0.categories.contains(String(stream.category)) }
    }

    /// The read model of a name.
    package func readModel(_ name: String) -> ReadModelHistory? { readModels.first { $0.name == name } }
}
