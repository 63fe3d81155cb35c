import Contracts
import EventStore
import Kafka
import Primitives
import Runtime

/// Finds where each partition's chain ends, from which a new lease holder continues.
@Loop struct ReadBack {
    let connection: any LeaseConnection
    let topic: Topic
    let lease: RelayLease
    let broker: any Broker
    /// Called at every step, to show that a long read is alive.
    let progress: @Loop () -> Void

    /// What a partition holds before the lease record, and what was expected there.
    struct Finding: Sendable {
        /// The end of the unbroken chain; what comes after a hole counts as not published.
        var tail: PartitionTail
        /// The position that was acknowledged earlier; a tail below it means that the topic was reset or lost records.
        var expected: Int64
    }

    /// Reads every partition up to its lease record.
    ///
    /// - Parameter ends: the offsets of the lease records, by partition.
    /// - Throws: ``RelayTrouble/storeSetBack(partition:position:)`` when the log does not hold what the topic holds, or
    ///   `KafkaError`.
    func findings(upTo ends: [Int64]) async throws -> [Finding] {
        let hints = Dictionary(uniqueKeysWithValues: try await connection.notedTails().map { ($0.partition, $0) })
        let reader = try broker.reader()
        do {
            var result: [Finding] = []
            for (index, end) in ends.enumerated() {
                let partition = Int32(index)
                let hint = hints[partition]
                var found: (tail: PartitionTail, compared: [ChainRecord])?
                // The development broker's partitions are small, and their bytes must be counted.
                if let hint, hint.offset >= 0, broker.kind != .development {
                    found = try await scan(reader, partition, from: hint, to: end)
                }
                if found == nil { found = try await scan(reader, partition, from: nil, to: end) }
                guard let (found, compared) = found else { throw RelayTrouble.offsetWentBack(partition: partition) }
                for record in compared { try await compare(record, partition) }
                var tail = found
                tail.floor = end
                result.append(Finding(tail: tail, expected: hint?.position ?? 0))
            }
            await reader.close()
            return result
        } catch {
            await reader.close()
            throw error
        }
    }

    /// Reads from a hint, or from the beginning; nil if the record at the hint is not the one remembered.
    private func scan(
        _ reader: any RecordReader, _ partition: Int32, from hint: PartitionTail?, to end: Int64
    ) async throws -> (tail: PartitionTail, compared: [ChainRecord])? {
        let topicPartition = TopicPartition(topic: topic.name, partition: partition)
        let low = try await reader.watermarks(topicPartition).low
        if let hint, hint.offset < low || hint.offset >= end { return nil }
        var tail = PartitionTail(partition: partition)
        var chain = UnbrokenChain(after: hint, within: lease.lineage)
        let owner = TopicOwner(topic)
        var topEpoch: Int64 = 0
        var next = hint?.offset ?? low
        try await reader.assign(topicPartition, from: next)
        while next < end {
            progress()
            guard case .records(let records) = try await reader.next() else {
                // The lease record was acknowledged at `end`; if the partition ends before it, this is another topic of the
                // same name.
                throw RelayTrouble.offsetWentBack(partition: partition)
            }
            for record in records where record.offset < end {
                tail.bytes += record.size
                let found = ChainRecord(record)
                if let hint, record.offset == hint.offset,
                    found?.position != hint.position || found?.epoch != hint.epoch
                {
                    await reader.stop()
                    return nil
                }
                // Consumers set it aside, so it moves no chain.
                guard let found, owner.foreignness(of: record, found) == nil else { continue }
                topEpoch = max(topEpoch, found.epoch)
                switch chain.take(found) {
                case .next:
                    tail.offset = record.offset
                    tail.position = found.position ?? 0
                    tail.epoch = found.epoch
                    tail.id = found.id
                case .beside: break
                // This log never had that incarnation: topic and store do not belong together.
                case .foreign: throw RelayTrouble.storeSetBack(partition: partition, position: found.position ?? 0)
                }
            }
            next = (records.last?.offset ?? next) + 1
        }
        await reader.stop()
        // Nobody may have used our epoch before us.
        if topEpoch >= lease.epoch { throw try await lease.settle(connection, with: topEpoch) }
        return (tail, [chain.last, chain.highest].compactMap { $0 })
    }

    private func compare(_ last: ChainRecord, _ partition: Int32) async throws {
        guard let position = last.position else { return }
        if try await connection.eventID(at: position) != last.id {
            throw RelayTrouble.storeSetBack(partition: partition, position: position)
        }
    }
}
