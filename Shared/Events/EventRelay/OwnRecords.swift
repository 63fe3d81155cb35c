import Contracts
import Kafka
import Runtime

/// Tells whether a topic still holds what a relay has written last. One that was made anew, or has lost its end, says so by itself
/// only when something more is written to it, and until then nobody can read there what was published.
@Loop struct OwnRecords {
    let topic: Topic
    let broker: any Broker
    let lease: RelayLease

    /// The first partition in which the record at its offset is not of this lease, or is gone; nil when there is none.
    ///
    /// - Parameter offsets: of records that were acknowledged under this lease, by partition.
    /// - Throws: `KafkaError` when the broker cannot tell.
    func partition(lacking offsets: [Int64]) async throws -> Int32? {
        let reader = try broker.reader()
        do {
            var found: Int32?
            for (partition, offset) in zip(Int32(0)..., offsets) where found == nil {
                let place = TopicPartition(topic: topic.name, partition: partition)
                // Others may have written behind a lost end, so that it is not enough that there is something.
                let chain = try await reader.record(at: offset, of: place).flatMap(ChainRecord.init)
                if chain?.epoch != lease.epoch || chain?.incarnation != lease.lineage.incarnation { found = partition }
            }
            await reader.close()
            return found
        } catch {
            await reader.close()
            throw error
        }
    }
}
