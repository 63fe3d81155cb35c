import Contracts
package import Kafka
package import Primitives

/// The chain headers of a record: its position in the publisher's log and what precedes it in the partition.
package struct ChainRecord: Sendable, Equatable {
    /// Whether it is a message or the lease record with which a relay begins.
    package enum Kind: Sendable, Equatable {
        /// A message: its position and the position of the message before it in the partition.
        case message(position: Int64, previous: Int64)
        /// A lease record: the previous incarnation, if any, and the last position shared with it.
        case lease(parent: UUID?, fork: Int64)
    }

    package let kind: Kind
    package let incarnation: UUID
    package let epoch: Int64
    /// The id of the private event; meaningless on lease records.
    package let id: UUID
    /// On lease records: earlier incarnations, each with its last position that is still history.
    package let lineage: [UUID: Int64]
    /// On lease records of an incarnation that began because somebody else had written into the topic: what they wrote into
    /// the one before it. Nil after a restore, which undoes all that lies beyond the fork.
    package let disowned: Set<DisownedRecord>?

    /// Reads the headers; nil if no relay wrote them.
    package init?(_ record: KafkaRecord) {
        guard let incarnation = record.header(MessageHeaders.incarnation).flatMap({ UUID($0) }),
            let epoch = record.header(MessageHeaders.epoch).flatMap({ Int64($0) }),
            let id = record.header(MessageHeaders.id).flatMap({ UUID($0) })
        else { return nil }
        self.incarnation = incarnation
        self.epoch = epoch
        self.id = id
        if let position = record.header(MessageHeaders.position).flatMap({ Int64($0) }) {
            guard let previous = record.header(MessageHeaders.previous).flatMap({ Int64($0) }), position > previous
            else { return nil }
            kind = .message(position: position, previous: previous)
            lineage = [:]
            disowned = nil
        } else {
            guard let fork = record.header(MessageHeaders.fork).flatMap({ Int64($0) }) else { return nil }
            let parent = record.header(MessageHeaders.parent).flatMap { UUID($0) }
            kind = .lease(parent: parent, fork: fork)
            var lineage: [UUID: Int64] = [:]
            for part in (record.header(MessageHeaders.lineage) ?? "").split(separator: ",") {
                let pair = part.split(separator: ":")
                guard pair.count == 2, let incarnation = UUID(pair[0]), let shared = Int64(pair[1]) else { return nil }
                lineage[incarnation] = shared
            }
            if let parent, lineage[parent] == nil { lineage[parent] = fork }
            self.lineage = lineage
            disowned = record.header(MessageHeaders.disowned).map(DisownedRecord.set)
        }
    }

    /// Identifies the record within its partition: what a consumer remembers of the record before its offset.
    package var identity: String {
        switch kind {
        case .message(let position, _): "\(incarnation)/\(position)"
        case .lease: "\(incarnation)/lease/\(epoch)"
        }
    }

    /// The incarnation and position of a message by its ``identity``; nil for any other record's.
    package static func message(_ identity: String) -> (incarnation: UUID, position: Int64)? {
        let parts = identity.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let incarnation = UUID(parts[0]), let position = Int64(parts[1]) else { return nil }
        return (incarnation, position)
    }

    /// The position; nil for lease records.
    package var position: Int64? {
        guard case .message(let position, _) = kind else { return nil }
        return position
    }
}
