import Contracts
import EventStore
import Kafka
import Postgres
import Primitives
import Runtime

/// Finds where a partition's chain ends: what a new lease holder may go on from.
@Loop struct ReadBack {
    let pool: PostgresPool
    let topic: Topic
    let lease: RelayLease
    let kafka: KafkaSettings

    /// What a partition holds below the lease record, and what was expected of it.
    struct Finding: Sendable {
        var tail: PartitionTail
        /// The position that was acknowledged there before; a tail below it means that the topic was reset.
        var expected: Int64
    }

    /// Reads every partition up to its lease record.
    ///
    /// - Parameter ends: the offsets of the lease records, by partition.
    /// - Throws: ``RelayTrouble/storeSetBack`` when the log does not hold what the topic holds, or `KafkaError`.
    func findings(upTo ends: [Int64]) async throws -> [Finding] {
        let rows = try await pool.query(
            "select partition, last_offset, last_position, last_epoch from relay_partitions"
        ).rows
        let hints = Dictionary(
            uniqueKeysWithValues: rows.map { (Int32($0.int(0)), ($0.int(1), $0.int(2), $0.int(3))) })
        let reader = try PartitionReader(settings: kafka)
        do {
            var result: [Finding] = []
            for (index, end) in ends.enumerated() {
                let partition = Int32(index)
                let hint = hints[partition]
                var found: (tail: PartitionTail, last: ChainRecord?)?
                // The development broker's partitions are small, and their bytes must be counted.
                if let hint, kafka.kind != .development {
                    found = try await scan(reader, partition, from: hint, to: end)
                }
                let (tail, last) =
                    if let found { found } else { try await scan(reader, partition, from: nil, to: end)! }
                if let last { try await compare(last, partition) }
                result.append(Finding(tail: tail, expected: hint?.1 ?? 0))
            }
            await reader.close()
            return result
        } catch {
            await reader.close()
            throw error
        }
    }

    /// Reads from a hint, or from the start; nothing when the record at the hint is not the one remembered.
    private func scan(
        _ reader: PartitionReader, _ partition: Int32, from hint: (offset: Int64, position: Int64, epoch: Int64)?,
        to end: Int64
    ) async throws -> (PartitionTail, ChainRecord?)? {
        var tail = PartitionTail(partition: partition, offset: -1, position: lease.parent == nil ? 0 : lease.fork)
        var last: ChainRecord?
        var epoch = hint?.epoch ?? 0
        let place = TopicPartition(topic: topic.name, partition: partition)
        let low = try await reader.watermarks(place).low
        let start = max(hint?.offset ?? low, low)
        if let hint, hint.offset < low || hint.offset >= end { return nil }
        var next = start
        try await reader.assign(place, from: start)
        reading: while next < end {
            guard case .records(let records) = try await reader.next() else { break }
            for record in records {
                if record.offset >= end { break reading }
                next = record.offset + 1
                tail.bytes += record.size
                guard let chain = ChainRecord(record) else { continue }
                if let hint, record.offset == hint.offset, chain.position != hint.position { return nil }
                // Behind a lease record, lower epochs are a zombie's and no part of the chain.
                if chain.epoch < epoch { continue }
                epoch = chain.epoch
                guard let position = chain.position else { continue }
                // An incarnation that this log never had: topic and store do not belong together.
                guard let shared = lease.lineage[chain.incarnation] else {
                    throw RelayTrouble.storeSetBack(partition: partition, position: position)
                }
                // Beyond a fork the topic holds what a restore has undone.
                if position > shared { continue }
                last = chain
                tail.offset = record.offset
                tail.position = position
            }
        }
        await reader.stop()
        // A new incarnation's chain begins at the fork, whatever the last shared record was.
        if lease.parent != nil, last?.incarnation != lease.incarnation { tail.position = lease.fork }
        return (tail, last)
    }

    private func compare(_ last: ChainRecord, _ partition: Int32) async throws {
        guard let position = last.position else { return }
        let row = try await pool.query("select id from events where position = $1", [.int(position)]).first
        if row?.uuid(0) != last.id { throw RelayTrouble.storeSetBack(partition: partition, position: position) }
    }
}
