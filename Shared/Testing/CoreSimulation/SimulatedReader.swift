import Kafka
import Runtime

/// Reads single partitions.
@Loop final class SimulatedReader: RecordReader {
    private let process: SimulatedProcess
    private let broker: SimulatedBroker
    private var place: (partition: TopicPartition, next: Int64)?
    private var isClosed = false

    init(_ process: SimulatedProcess, _ broker: SimulatedBroker) {
        self.process = process
        self.broker = broker
    }

    func watermarks(_ partition: TopicPartition, within limit: Duration) async throws(KafkaError)
        -> PartitionReader.Watermarks
    {
        let found: SimulatedBroker.Partition
        do { found = try await ask(partition, within: limit) { $0 } } catch let error as KafkaError {
            throw error
        } catch { throw KafkaError(.cancelled) }
        return PartitionReader.Watermarks(low: 0, high: found.end)
    }

    func assign(_ partition: TopicPartition, from offset: Int64) async throws(KafkaError) {
        if isClosed { throw KafkaError(.closed) }
        let next =
            switch offset {
            case KafkaOffset.beginning: Int64(0)
            case KafkaOffset.end: broker[partition]?.end ?? 0
            default: offset
            }
        place = (partition, next)
    }

    func next(limit: Int, within duration: Duration) async throws -> PartitionReader.Step {
        guard let (partition, next) = place else { throw KafkaError(.timedOut, isRetriable: true) }
        let surroundings = broker.surroundings
        return try await ask(partition, within: duration) { found in
            if next > found.end { throw KafkaError(.offsetOutOfRange) }
            if next == found.end { return .end(next) }
            let count = min(Int64(limit), 1 + Int64(surroundings.below(20)), found.end - next)
            self.place?.next = next + count
            return .records(Array(found.records[Int(next)..<Int(next + count)]))
        }
    }

    func stop() async { place = nil }

    func close() async { isClosed = true }

    /// Asks the broker about a partition at one moment.
    private func ask<T>(
        _ partition: TopicPartition, within limit: Duration, _ question: (SimulatedBroker.Partition) throws -> T
    ) async throws -> T {
        if isClosed { throw KafkaError(.closed) }
        let deadline = monotonicNanoseconds() + limit.nanosecondsClamped
        while true {
            try await process.pass("read")
            if broker.isUp {
                guard let found = broker[partition] else { throw KafkaError(.unknownTopic) }
                return try question(found)
            }
            if monotonicNanoseconds() > deadline { throw KafkaError(.timedOut, isRetriable: true) }
            try await Loop.sleep(for: .milliseconds(100))
        }
    }
}
