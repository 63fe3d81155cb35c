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

/// What the records of a topic have in common: whoever reads one asks this before believing it.
package struct TopicOwner: Sendable {
    private let partitions: UInt64
    // As bytes, because every record is compared with them.
    private let source: [UInt8]
    private let types: [UInt8]
    private let lease: [UInt8]

    /// - Parameter topic: one whose name is no service's owns no record.
    package init(_ topic: Topic) {
        let service = Topic.service(ofName: topic.name)
        partitions = UInt64(topic.partitions)
        source = Array((service?.source ?? "").utf8)
        types = Array("mirrormate.\(service?.rawValue ?? "").".utf8)
        lease = service.map { Array(MessageType.lease($0).description.utf8) } ?? []
    }

    /// Judges a record by its headers, key and place; nil when type, source, key and topic belong together.
    ///
    /// - Parameter chain: the record's chain headers, if it has them.
    package func foreignness(of record: KafkaRecord, _ chain: ChainRecord?) -> ForeignRecord? {
        guard let chain else { return .headers }
        guard !source.isEmpty, bytes(MessageHeaders.source, of: record) == source else { return .source }
        guard let type = bytes(MessageHeaders.type, of: record) else { return .type }
        switch chain.kind {
        case .lease: return type == lease ? nil : .type
        case .message:
            guard type.starts(with: types), type != lease else { return .type }
            let home = StableHash.fnv1a64(record.key ?? []) % partitions
            return home == UInt64(record.partition) ? nil : .partition
        }
    }

    private func bytes(_ name: String, of record: KafkaRecord) -> [UInt8]? {
        record.headers.last { $0.0 == name }?.1
    }
}
