package import Contracts
package import EventStore
import JSON
package import Kafka
package import Observability
import Postgres
import Primitives
package import Runtime

/// Reads the topics of other services and brings each message to the service exactly once, in order, or says what is missing.
///
/// Kafka's group decides who reads which partition; how far it has been read lives in the service's own schema and moves in
/// the same transaction as the effect. Whatever Kafka believes, a former owner cannot move it.
@Loop package final class EventConsumer {
    private let store: EventStore
    private let group: String
    private let topics: [Topic]
    private let kafka: KafkaSettings
    private let handler: any MessageHandler
    private let log: Logger
    private let suspectTurn = SuspectTurn()
    private var workers: [TopicPartition: PartitionWorker] = [:]
    // Why the consumer must begin anew, when a worker has asked for it.
    private var restart: String?
    /// Whether the group has given its first answer; before, the service is not ready.
    package private(set) var isAssigned = false

    /// - Parameters:
    ///   - group: the durable name of the consumer; never rename it.
    ///   - handler: the service.
    package init(
        store: EventStore, group: String, topics: [Topic], kafka: KafkaSettings, log: Logger,
        handler: any MessageHandler
    ) {
        self.store = store
        self.group = group
        self.topics = topics
        self.kafka = kafka
        self.log = log
        self.handler = handler
    }

    /// The last position seen of each partition, and what is missing where a chain is broken.
    package var progress: [(partition: TopicPartition, seen: Int64, alarm: String?)] {
        workers.map { ($0.key, $0.value.seen, $0.value.alarm) }.sorted { $0.0 < $1.0 }
    }

    /// Consumes until the task is cancelled.
    package func run() async {
        var pause = Duration.milliseconds(200)
        while !Task.isCancelled {
            do {
                let consumer = try KafkaConsumer(settings: kafka, group: group, topics: topics.map(\.name))
                let releases = Loop.task { try await self.watchReleases() }
                do {
                    try await consume(consumer)
                } catch {
                    releases.cancel()
                    if isAssigned { pause = .milliseconds(200) }
                    isAssigned = false
                    await stopWorkers()
                    await consumer.close()
                    throw error
                }
            } catch {
                if Task.isCancelled { return }
                log.warning("consumer begins anew", ["reason": .string("\(error)")])
                try? await Loop.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
    }

    private func consume(_ consumer: KafkaConsumer) async throws {
        while true {
            let event = try await consumer.next()
            if let reason = restart {
                restart = nil
                throw BeginAnew(reason: reason)
            }
            switch event {
            case .assigned(let partitions):
                await stopWorkers()
                let starts = try await claim(partitions, consumer)
                try consumer.assign(starts)
                for worker in workers.values { worker.start() }
                isAssigned = true
                log.info("partitions assigned", ["count": .int(Int64(partitions.count))])
            case .revoked:
                await stopWorkers()
                try consumer.unassign()
            case .records(let records):
                var start = 0
                while start < records.count {
                    let partition = records[start].topicPartition
                    var end = start + 1
                    while end < records.count, records[end].topicPartition == partition { end += 1 }
                    workers[partition]?.deliver(Array(records[start..<end]))
                    start = end
                }
            case .offsetOutOfRange(let partition):
                throw BeginAnew(reason: "the offset of \(partition) is not there any more")
            case .woken: break
            case .failure(let error):
                if error.isFatal { throw error }
                log.warning("kafka trouble", ["code": .string(error.code.rawValue)])
            }
        }
    }

    /// Claims partitions and finds where to begin in each.
    ///
    /// All starts are known before the one call of assign: librdkafka 2.0 ends the process when a partition is assigned
    /// anew before it has started.
    private func claim(
        _ partitions: [TopicPartition], _ consumer: KafkaConsumer
    ) async throws -> [(TopicPartition, Int64)] {
        let check = try OffsetCheck(kafka, log)
        do {
            var starts: [(TopicPartition, Int64)] = []
            for partition in partitions {
                let watermark = try await Watermark.claim(
                    store.pool, topic: partition.topic, partition: partition.partition)
                let suspectEnd = watermark.wasClean ? nil : try await check.end(partition)
                workers[partition] = makeWorker(partition, watermark, suspectEnd, consumer)
                starts.append((partition, try await check.start(partition, watermark)))
            }
            await check.close()
            return starts
        } catch {
            await check.close()
            throw error
        }
    }

    private func makeWorker(
        _ partition: TopicPartition, _ watermark: Watermark, _ suspectEnd: Int64?, _ consumer: KafkaConsumer
    ) -> PartitionWorker {
        PartitionWorker(
            topics.first { $0.name == partition.topic } ?? Topic(name: partition.topic, partitions: 1), partition,
            watermark, suspectEnd: suspectEnd, store: store, handler: handler, turn: suspectTurn, log: log
        ) { [weak self, weak consumer, log] request in
            do {
                switch request {
                case .beginAnew(let reason):
                    self?.restart = reason
                    consumer?.wake()
                case .pause: try consumer?.pause([partition])
                case .resume: try consumer?.resume([partition])
                }
            } catch {
                log.warning("kafka trouble", ["reason": .string("\(error)")])
            }
        }
    }

    private func stopWorkers() async {
        let stopping = workers.values.map { worker in Loop.task { await worker.stop() } }
        workers = [:]
        for stop in stopping { _ = await stop.result }
    }

    private func watchReleases() async throws {
        while true {
            try await Loop.sleep(for: .seconds(1))
            guard
                let rows = try? await store.pool.query(
                    "select distinct topic, partition from parked_messages where release or dropped"
                ).rows
            else { continue }
            for row in rows {
                workers[TopicPartition(topic: row.text(0), partition: Int32(row.int(1)))]?.checkReleases()
            }
        }
    }
}

/// The consumer must claim its partitions again.
private struct BeginAnew: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}
