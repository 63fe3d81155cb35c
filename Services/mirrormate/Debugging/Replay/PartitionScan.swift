import EventRelay
import Kafka
import Primitives

/// What one partition holds: the messages of its chain, and records that do not belong to it.
struct PartitionScan: Sendable {
    let topicPartition: TopicPartition
    var low: Int64 = 0
    var high: Int64 = 0
    /// The messages of the chain, in order.
    var messages: [Message] = []
    var faults: [LedgerFault] = []
    /// The identities of the records at the requested offsets.
    var identities: [Int64: String] = [:]

    struct Message: Sendable {
        let position: Int64
        let id: UUID
        let incarnation: UUID
        let offset: Int64
    }

    private var topEpoch: Int64 = 0
    private var last: Int64 = 0
    private var seen: [Int64: UUID] = [:]

    init(_ topicPartition: TopicPartition) { self.topicPartition = topicPartition }

    /// Takes the next record.
    mutating func take(_ record: KafkaRecord, remembering offsets: Set<Int64>) {
        let chain = ChainRecord(record)
        if offsets.contains(record.offset) { identities[record.offset] = chain?.identity ?? "foreign" }
        guard let chain else {
            note(.foreign, record, "it does not have a relay's headers")
            return
        }
        if chain.epoch < topEpoch {
            note(
                .zombie, record, "epoch \(chain.epoch) wrote it after epoch \(topEpoch) had begun; consumers ignore it")
            return
        }
        if chain.epoch > topEpoch {
            topEpoch = chain.epoch
            last = 0
        }
        guard let position = chain.position else { return }
        if position <= last {
            if seen[position] == chain.id {
                note(.duplicate, record, "position \(position) came before under the same epoch; consumers ignore it")
            } else {
                note(.reordered, record, "position \(position) comes after \(last); consumers consider it seen")
            }
            return
        }
        last = position
        // A new lease may repeat what the previous one wrote.
        if seen[position] == chain.id { return }
        seen[position] = chain.id
        messages.append(
            Message(position: position, id: chain.id, incarnation: chain.incarnation, offset: record.offset))
    }

    private mutating func note(_ kind: LedgerFault.Kind, _ record: KafkaRecord, _ detail: String) {
        faults.append(LedgerFault(kind: kind, place: "\(topicPartition)@\(record.offset)", detail: detail))
    }
}
