package import Contracts
package import Kafka
import Primitives

/// Why a record cannot be of the service on whose topic it lies.
package enum ForeignRecord: String, Sendable, Equatable {
    /// It has no chain headers.
    case headers
    /// Its type is another service's, or a message's on a lease record or the other way round.
    case type
    /// Its source is another service.
    case source
    /// It lies in another partition than its key's.
    case partition

    /// Judges a record by its headers, key and place.
    ///
    /// - Parameters:
    ///   - chain: the record's chain headers, if it has them.
    ///   - topic: the topic in which it lies.
    /// - Returns: nil when type, source, topic and partition belong together.
    package init?(_ record: KafkaRecord, _ chain: ChainRecord?, of topic: Topic) {
        guard let chain else {
            self = .headers
            return
        }
        guard let service = Topic.service(ofName: topic.name), record.header(MessageHeaders.source) == service.source
        else {
            self = .source
            return
        }
        guard let type = record.header(MessageHeaders.type) else {
            self = .type
            return
        }
        let lease = MessageType.lease(service).description
        switch chain.kind {
        case .lease:
            guard type == lease else {
                self = .type
                return
            }
        case .message:
            guard type.hasPrefix("mirrormate.\(service.rawValue)."), type != lease else {
                self = .type
                return
            }
            let home = StableHash.fnv1a64(record.key ?? []) % UInt64(topic.partitions)
            guard home == UInt64(record.partition) else {
                self = .partition
                return
            }
        }
        return nil
    }

    /// What is wrong with it, as the end of a sentence about it.
    package var sentence: String {
        switch self {
        case .headers: "it does not have a relay's headers"
        case .type: "its type does not belong to the topic's service"
        case .source: "its source is not the topic's service"
        case .partition: "it does not lie in its key's partition"
        }
    }
}
