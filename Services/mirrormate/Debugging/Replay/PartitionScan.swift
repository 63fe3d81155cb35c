import Contracts
import EventRelay
import EventSourcing
import JSON
import Kafka
import Primitives

/// What one partition holds: the messages of its chain, and records that do not belong to it.
struct PartitionScan: Sendable {
    let topicPartition: TopicPartition
    var low: Int64 = 0
    var high: Int64 = 0
    /// The messages of the chain, in order.
    var messages: [Message] = []
    /// The ids of records that consumers passed over because of another one at their position or under a higher epoch.
    private(set) var passedOver: [Int64: Set<UUID>] = [:]
    /// The identities of the records at the requested offsets.
    var identities: [Int64: String] = [:]

    struct Message: Sendable {
        let position: Int64
        let id: UUID
        let incarnation: UUID
        let offset: Int64
    }

    /// A fault, and the message that it is about, where there is one.
    private struct Note: Sendable {
        let fault: LedgerFault
        let message: ChainRecord?
    }

    /// A record that consumers do not believe though its headers are right.
    struct Doubted: Sendable {
        let chain: ChainRecord
        let type: String?
        let key: [UInt8]?
        let value: [UInt8]?
        let fault: LedgerFault

        /// Whether it says nothing else than the publisher's log.
        func says(_ outgoing: Outgoing, of event: RecordedEvent) -> Bool {
            chain.id == event.id && type == outgoing.type.description
                && key == Array(outgoing.key.description.utf8) && value == JSONValue.object(outgoing.data).bytes
        }
    }

    private struct Said: Sendable, Equatable {
        let id: UUID
        let incarnation: UUID
    }

    /// By their positions.
    private(set) var doubted: [Int64: [Doubted]] = [:]

    private let owner: TopicOwner
    private var notes: [Note] = []
    private var topEpoch: Int64 = 0
    private var last: Int64 = 0
    private var seen: [Int64: Said] = [:]

    init(_ topicPartition: TopicPartition, of topic: Topic) {
        self.topicPartition = topicPartition
        owner = TopicOwner(topic)
    }

    /// What is wrong with its records.
    ///
    /// - Parameter shared: the publisher's incarnations, each with its last position that is history; what lies beyond is over
    ///   and done with.
    func faults(_ shared: [UUID: Int64]) -> [LedgerFault] {
        notes.filter { note in
            guard let message = note.message, let position = message.position, let last = shared[message.incarnation]
            else { return true }
            return position <= last
        }.map(\.fault)
    }

    /// Takes the next record.
    ///
    /// - Parameter doubt: why consumers do not believe it though its headers are right.
    mutating func take(_ record: KafkaRecord, remembering offsets: Set<Int64>, doubt: String? = nil) {
        let chain = ChainRecord(record)
        if offsets.contains(record.offset) { identities[record.offset] = chain?.identity ?? "foreign" }
        guard let chain else { return note(.foreign, record, ForeignRecord.headers.sentence) }
        if let reason = owner.foreignness(of: record, chain)?.sentence {
            return note(.foreign, record, told(record, reason))
        }
        if let doubt {
            guard let position = chain.position else { return note(.foreign, record, told(record, doubt)) }
            let fault = LedgerFault(kind: .foreign, place: place(of: record), detail: told(record, doubt))
            doubted[position, default: []].append(
                Doubted(
                    chain: chain, type: record.header(MessageHeaders.type), key: record.key, value: record.value,
                    fault: fault))
            return
        }
        if chain.epoch < topEpoch {
            // A relay's mark says nothing: by reading up to its own a relay finds out that it is behind.
            if chain.position != nil {
                note(
                    .zombie, record,
                    "epoch \(chain.epoch) wrote it after epoch \(topEpoch) had begun; consumers ignore it", chain)
            }
            return
        }
        if chain.epoch > topEpoch {
            topEpoch = chain.epoch
            last = 0
        }
        guard let position = chain.position else { return }
        if position <= last {
            if seen[position]?.id == chain.id {
                note(
                    .duplicate, record, "position \(position) came before under the same epoch; consumers ignore it",
                    chain)
            } else {
                note(
                    .reordered, record, "position \(position) comes after \(last); consumers consider it seen", chain)
            }
            return
        }
        last = position
        // A new lease may repeat what the previous one wrote. A new incarnation that decided the same again says it anew, and
        // what the old one said beyond the fork is no history.
        let said = Said(id: chain.id, incarnation: chain.incarnation)
        if seen[position] == said { return }
        seen[position] = said
        messages.append(
            Message(position: position, id: chain.id, incarnation: chain.incarnation, offset: record.offset))
    }

    private mutating func note(
        _ kind: LedgerFault.Kind, _ record: KafkaRecord, _ detail: String, _ message: ChainRecord? = nil
    ) {
        notes.append(
            Note(fault: LedgerFault(kind: kind, place: place(of: record), detail: detail), message: message))
        if let message, let position = message.position { passedOver[position, default: []].insert(message.id) }
    }

    private func place(of record: KafkaRecord) -> String { "\(topicPartition)@\(record.offset)" }

    private func told(_ record: KafkaRecord, _ reason: String) -> String {
        "\(record.header(MessageHeaders.type) ?? "no type"): \(reason)"
    }
}
