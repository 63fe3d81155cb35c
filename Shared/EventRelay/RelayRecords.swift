import Contracts
import EventSourcing
import JSON
import Kafka
import Primitives

/// Makes the records of one lease: CloudEvents 1.0 in Kafka's binary mode with the chain headers.
struct RelayRecords {
    private let service: ServiceName
    private let topic: Topic
    private let lease: RelayLease
    // The headers that are the same on every record.
    private let common: [(String, [UInt8])]

    init(_ service: ServiceName, _ topic: Topic, _ lease: RelayLease) {
        self.service = service
        self.topic = topic
        self.lease = lease
        common = [
            (MessageHeaders.specVersion, Array(MessageHeaders.cloudEventsVersion.utf8)),
            (MessageHeaders.source, Array(service.source.utf8)),
            (MessageHeaders.contentType, Array(MessageHeaders.json.utf8)),
            (MessageHeaders.incarnation, Array(lease.incarnation.description.utf8)),
            (MessageHeaders.epoch, Array(String(lease.epoch).utf8)),
        ]
    }

    /// The mark with which this lease begins on a partition.
    func lease(partition: Int32) -> OutgoingRecord {
        var headers = common
        headers.append((MessageHeaders.type, Array(MessageType.lease(service).description.utf8)))
        headers.append((MessageHeaders.id, Array(UUID.v7().description.utf8)))
        headers.append((MessageHeaders.fork, Array(String(lease.fork).utf8)))
        if let parent = lease.parent {
            headers.append((MessageHeaders.parent, Array(parent.description.utf8)))
            let earlier = lease.lineage.filter { $0.key != lease.incarnation }.map { "\($0.key):\($0.value)" }.sorted()
            headers.append((MessageHeaders.lineage, Array(earlier.joined(separator: ",").utf8)))
        }
        return OutgoingRecord(
            topic: topic.name, partition: partition, key: nil, value: Array("{}".utf8), headers: headers)
    }

    /// The record of a published event.
    func message(_ outgoing: Outgoing, of event: RecordedEvent, partition: Int32, previous: Int64) -> OutgoingRecord {
        let key = Array(outgoing.key.description.utf8)
        var headers = common
        headers.reserveCapacity(16)
        headers.append((MessageHeaders.id, Array(event.id.description.utf8)))
        headers.append((MessageHeaders.type, Array(outgoing.type.description.utf8)))
        headers.append((MessageHeaders.subject, Array(outgoing.subject.utf8)))
        headers.append((MessageHeaders.time, Array(event.recordedAt.rfc3339.utf8)))
        headers.append((MessageHeaders.partitionKey, key))
        headers.append((MessageHeaders.correlationID, Array(event.metadata.correlation.description.utf8)))
        if let causation = event.metadata.causation {
            headers.append((MessageHeaders.causationID, Array(causation.description.utf8)))
        }
        if let trace = event.metadata.traceparent { headers.append((MessageHeaders.traceParent, Array(trace.utf8))) }
        headers.append((MessageHeaders.position, Array(String(event.position).utf8)))
        headers.append((MessageHeaders.previous, Array(String(previous).utf8)))
        return OutgoingRecord(
            topic: topic.name, partition: partition, key: key, value: JSONValue.object(outgoing.data).bytes,
            headers: headers)
    }
}

extension OutgoingRecord {
    /// About what the record takes in the broker's memory.
    var size: Int {
        (key?.count ?? 0) + (value?.count ?? 0) + headers.reduce(80) { $0 + $1.0.utf8.count + $1.1.count + 4 }
    }
}

extension KafkaRecord {
    /// About what the record takes in the broker's memory.
    var size: Int {
        (key?.count ?? 0) + (value?.count ?? 0) + headers.reduce(80) { $0 + $1.0.utf8.count + $1.1.count + 4 }
    }
}
