package import Contracts
package import EventStore
import JSON
package import Kafka
package import Observability
import Postgres
package import Runtime

/// Whether all that topics held when a process started is settled, by whichever instances of its service read them.
///
/// A group gives each instance some of the partitions, so what one has read says nothing of what the service knows. The watermarks in its
/// schema do, which move together with the effects. One counts only while the record before it stands in the topic, because that of a topic
/// that was made anew tells nothing of the new one; and behind a gap it stands still, so that what may be missing is waited for.
@Loop package final class TopicCatchUp {
    /// How long after the start somebody waits for it.
    package static let patience = Duration.seconds(30)
    private static let pace = Duration.milliseconds(250)

    package private(set) var isComplete = false
    private let store: EventStore
    private let broker: any Broker
    private let topics: [Topic]
    private let log: Logger
    private let began = ContinuousClock.now
    private let completed = Signal()
    /// Where partitions ended when they were first looked at.
    private var ends: [TopicPartition: Int64] = [:]

    package init(_ store: EventStore, _ broker: any Broker, _ topics: [Topic], log: Logger) {
        self.store = store
        self.broker = broker
        self.topics = topics
        self.log = log
    }

    /// Waits until it is so, or ``patience`` after the start is over, or nobody wants it any more.
    ///
    /// - Returns: whether it is so.
    /// - Throws: `CancellationError` when the task is cancelled.
    package func wait(while isWanted: () -> Bool) async throws -> Bool {
        while !isComplete, isWanted() {
            let left = Self.patience - (ContinuousClock.now - began)
            guard left > .zero else { break }
            try await completed.wait(atMost: min(left, Self.pace))
        }
        return isComplete
    }

    /// Looks until it is so, or the task is cancelled.
    package func run() async {
        var said = ""
        while !isComplete, !Task.isCancelled {
            do {
                let reader = try broker.reader()
                do {
                    try await follow(reader)
                    await reader.close()
                } catch {
                    await reader.close()
                    throw error
                }
            } catch {
                if Task.isCancelled { return }
                if said != "\(error)" {
                    log.warning("what topics hold cannot be told yet", ["reason": .string("\(error)")])
                }
                said = "\(error)"
                try? await Loop.sleep(for: Self.pace)
            }
        }
    }

    private func follow(_ reader: any RecordReader) async throws {
        var open = topics.flatMap { topic in
            (0..<topic.partitions).map { TopicPartition(topic: topic.name, partition: $0) }
        }
        // All ends first: what comes while some are waited for is none of them.
        for partition in open { _ = try await end(partition, reader) }
        while true {
            var rest: [TopicPartition] = []
            for partition in open {
                if try await !isSettled(partition, reader) { rest.append(partition) }
            }
            open = rest
            if open.isEmpty { break }
            try await Loop.sleep(for: Self.pace)
        }
        isComplete = true
        completed.raise()
    }

    /// Where a partition ended when it was first looked at.
    private func end(_ partition: TopicPartition, _ reader: any RecordReader) async throws -> Int64 {
        if let known = ends[partition] { return known }
        let end = try await reader.watermarks(partition, within: .seconds(5)).high
        ends[partition] = end
        return end
    }

    private func isSettled(_ partition: TopicPartition, _ reader: any RecordReader) async throws -> Bool {
        let end = try await end(partition, reader)
        let row = try await store.pool.query(
            "select next_offset, last_identity from consumer_partitions where topic = $1 and partition = $2",
            [.text(partition.topic), .int(Int64(partition.partition))]
        ).first
        let watermark = row.map {
            Watermark(
                partition, epoch: 0, nextOffset: $0.int(0), lastIdentity: $0.optional(1, PostgresRow.text))
        }
        guard let watermark, let anchor = Anchor(before: watermark) else { return end == 0 }
        if watermark.nextOffset < end { return false }
        if let record = try await reader.record(at: anchor.offset, of: partition), Anchor(record) == anchor {
            return true
        }
        // It is another topic by now, or is about to be filled again, and so ends somewhere else.
        ends[partition] = nil
        return false
    }
}
