import Contracts
import EventSourcing
import JSON
import Kafka
import Primitives

/// Builds the records of one lease: CloudEvents 1.0 in Kafka's binary mode, plus the chain headers.
struct RelayRecords: Sendable {
    private let service: ServiceName
    private let topic: Topic
    private let lease: RelayLease
    private let seal: AnnouncementSeal?
    // The headers that are the same for every record.
    private let common: RecordHeaders

    /// - Parameter seal: signs announcements.
    init(_ service: ServiceName, _ topic: Topic, _ lease: RelayLease, seal: AnnouncementSeal? = nil) {
        self.seal = seal
        self.service = service
        self.topic = topic
        self.lease = lease
        var common = RecordHeaders()
        common.append(MessageHeaders.specVersion, MessageHeaders.cloudEventsVersion)
        common.append(MessageHeaders.source, service.source)
        common.append(MessageHeaders.contentType, MessageHeaders.json)
        common.append(MessageHeaders.incarnation, lease.lineage.incarnation)
        common.append(MessageHeaders.epoch, String(lease.epoch))
        self.common = common
    }

    /// The lease record with which this lease begins in a partition.
    func lease(partition: Int32) -> OutgoingRecord {
        var headers = common
        headers.append(MessageHeaders.type, MessageType.lease(service).description)
        headers.append(MessageHeaders.id, UUID.v7())
        headers.append(MessageHeaders.fork, String(lease.lineage.fork))
        if let parent = lease.lineage.parent {
            headers.append(MessageHeaders.parent, parent)
            let earlier = lease.lineage.shared.filter { $0.key != lease.lineage.incarnation }.map {
                "\($0.key):\($0.value)"
            }.sorted()
            headers.append(MessageHeaders.lineage, earlier.joined(separator: ","))
        }
        if let disowned = lease.lineage.disowned {
            headers.append(MessageHeaders.disowned, DisownedRecord.text(disowned))
        }
        return OutgoingRecord(
            topic: topic.name, partition: partition, key: nil, value: Array("{}".utf8), headers: headers)
    }

    /// The record of a published event, still without its link in the partition's chain.
    ///
    /// - Throws: ``RelayTrouble/unsealed(position:)`` for an announcement that cannot be signed.
    func message(_ outgoing: Outgoing, of event: RecordedEvent) throws(RelayTrouble) -> OutgoingRecord {
        let key = Array(outgoing.key.description.utf8)
        var headers = common
        headers.reserve(11, bytes: 400)
        headers.append(MessageHeaders.id, event.id)
        headers.append(MessageHeaders.type, outgoing.type.description)
        headers.append(MessageHeaders.subject, outgoing.subject)
        headers.append(MessageHeaders.time, event.recordedAt.rfc3339)
        headers.append(MessageHeaders.partitionKey, key)
        headers.append(MessageHeaders.correlationID, event.metadata.correlation)
        if let causation = event.metadata.causation { headers.append(MessageHeaders.causationID, causation) }
        if let trace = event.metadata.traceparent { headers.append(MessageHeaders.traceParent, trace) }
        headers.append(MessageHeaders.position, String(event.position))
        let value = JSONValue.object(outgoing.data).bytes
        if Announcements.signed.contains(outgoing.type) {
            let content = AnnouncementContent(
                type: outgoing.type, key: outgoing.key.description, id: event.id,
                incarnation: lease.lineage.incarnation,
                position: event.position, value: value)
            // Unsigned, nobody would believe it, and the chain would have a hole.
            guard let signature = seal?(content) else { throw .unsealed(position: event.position) }
            headers.append(MessageHeaders.signature, signature)
        }
        return OutgoingRecord(
            topic: topic.name, partition: topic.partition(of: outgoing.key), key: key, value: value, headers: headers)
    }

    /// Links a record to the message before it, by that message's position.
    func chain(_ record: inout OutgoingRecord, to previous: Int64) {
        record.headers.append(MessageHeaders.previous, String(previous))
    }
}

extension OutgoingRecord {
    /// Roughly the memory that the record takes in the broker, in bytes.
    var size: Int { (key?.count ?? 0) + (value?.count ?? 0) + headers.size + 80 }
}

extension KafkaRecord {
    /// Roughly the memory that the record takes in the broker, in bytes.
    var size: Int {
        (key?.count ?? 0) + (value?.count ?? 0) + headers.reduce(80) { $0 + $1.0.utf8.count + $1.1.count + 4 }
    }
}
