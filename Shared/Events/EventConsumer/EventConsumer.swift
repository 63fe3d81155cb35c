package import Contracts
import EventStore
import JSON
package import Kafka
package import Observability
import Primitives
package import Runtime

/// Reads the topics of other services and brings each message to the service exactly once, in order, or says what is missing.
///
/// Kafka's group decides who reads which partition; how far it has been read lives in the service's own schema and moves in
/// the same transaction as the effect. Whatever Kafka believes, a former owner cannot move it.
@Loop package final class EventConsumer {
    /// How often a partition from which nothing comes is compared with what was read of it.
    private static let silencePace = Duration.seconds(15)

    private let store: any ConsumerLog
    private let group: String
    private let topics: [Topic]
    private let broker: any Broker
    private let handler: any MessageHandler
    private let log: Logger
    private let suspectMutex = AsyncMutex()
    private let anchors: AnchorCheck
    private var workers: [TopicPartition: PartitionWorker] = [:]
    // Why the consumer must begin anew, when a worker has asked for it.
    private var restart: String?
    /// Whether the group has given its first answer; before, the service is not ready.
    package private(set) var isAssigned = false
    /// Where partitions ended when they were first assigned, as long as they were not read up to there; nil before.
    private var ends: [TopicPartition: Int64]?

    /// - Parameters:
    ///   - group: the durable name of the consumer; never rename it.
    ///   - handler: the service.
    package init(
        store: any ConsumerLog, group: String, topics: [Topic], kafka: any Broker, log: Logger,
        handler: any MessageHandler
    ) {
        self.store = store
        self.group = group
        self.topics = topics
        broker = kafka
        anchors = AnchorCheck(kafka)
        self.log = log
        self.handler = handler
    }

    /// The last position seen of each partition, and what is missing where a chain is broken.
    package var progress: [(partition: TopicPartition, seen: Int64, alarm: String?)] {
        workers.map { ($0.key, $0.value.seen, $0.value.alarm) }.sorted { $0.0 < $1.0 }
    }

    /// How many records that were there at the start are not settled yet. A partition whose chain is broken waits for what is not
    /// there, and does not count.
    package var behindStart: Int64 {
        for (partition, end) in ends ?? [:] {
            guard let worker = workers[partition] else { continue }
            if worker.alarm != nil || worker.reached >= end { ends?[partition] = nil }
        }
        return (ends ?? [:]).reduce(0) { $0 + $1.value - (workers[$1.key]?.reached ?? 0) }
    }

    /// Whether no more is read of some partition, because as much of it waits in memory as may.
    package var isHeldBack: Bool { workers.values.contains(where: \.isPaused) }

    /// Consumes until the task is cancelled.
    package func run() async {
        var pause = Duration.milliseconds(200)
        while !Task.isCancelled {
            do {
                let consumer = try broker.join(group: group, topics: topics.map(\.name))
                let watches = [
                    Loop.task { try await self.watchReleases() }, Loop.task { try await self.watchSilence() },
                ]
                do {
                    try await consume(consumer)
                } catch {
                    for watch in watches { watch.cancel() }
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

    private func consume(_ consumer: any GroupMember) async throws {
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
                for partition in partitions { workers[partition]?.start() }
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
        _ partitions: [TopicPartition], _ consumer: any GroupMember
    ) async throws -> [(TopicPartition, Int64)] {
        let check = try OffsetCheck(broker, log)
        do {
            var starts: [(TopicPartition, Int64)] = []
            var ends: [TopicPartition: Int64] = [:]
            for partition in partitions {
                let watermark = try await store.claim(partition)
                let suspectEnd = watermark.wasClean ? nil : try await check.end(partition)
                let start = try await check.start(partition, watermark)
                // Again for one that was not read up to there: its topic may be another one by now.
                if self.ends == nil || self.ends?[partition] != nil { ends[partition] = try await check.end(partition) }
                workers[partition] = makeWorker(
                    partition, watermark, suspectEnd, isScan: start == KafkaOffset.beginning, consumer)
                starts.append((partition, start))
            }
            await check.close()
            // Partitions that others have now are theirs to read.
            self.ends = ends
            return starts
        } catch {
            await check.close()
            throw error
        }
    }

    private func makeWorker(
        _ partition: TopicPartition, _ watermark: Watermark, _ suspectEnd: Int64?, isScan: Bool,
        _ consumer: any GroupMember
    ) -> PartitionWorker {
        PartitionWorker(
            topics.first { $0.name == partition.topic } ?? Topic(name: partition.topic, partitions: 1), partition,
            watermark, suspectEnd: suspectEnd, isScan: isScan, store: store, handler: handler,
            suspectMutex: suspectMutex, log: log,
            stands: { [anchors] anchor in try await anchors.stands(anchor, partition) }
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
        let stopping = workers.sorted { $0.key < $1.key }.map { _, worker in Loop.task { await worker.stop() } }
        workers = [:]
        for stop in stopping { _ = await stop.result }
    }

    /// Has partitions that say nothing compared with what was read of them.
    private func watchSilence() async throws {
        while true {
            try await Loop.sleep(for: Self.silencePace)
            let silent = workers.sorted { $0.key < $1.key }.map(\.value).filter { $0.wasSilent() }
            if silent.isEmpty { continue }
            await anchors.together {
                // Where broker or database cannot tell, the next look may.
                for worker in silent { try? await worker.compareSilence(topicToo: broker.kind != .development) }
            }
        }
    }

    private func watchReleases() async throws {
        while true {
            try await Loop.sleep(for: .seconds(1))
            guard let partitions = try? await store.partitionsWithReleases() else { continue }
            for partition in partitions { workers[partition]?.checkReleases() }
        }
    }
}

/// The consumer must claim its partitions again.
private struct BeginAnew: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}
