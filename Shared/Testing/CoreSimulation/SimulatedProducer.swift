import EventStore
import Kafka
import Runtime

/// Writes as an idempotent producer does: what it was given arrives in order in each partition, once or not at all, and for
/// each partition at another time.
@Loop final class SimulatedProducer: RecordProducer {
    /// One batch's records of one partition.
    private final class Parcel {
        let partition: TopicPartition
        let places: [Int]
        let records: [OutgoingRecord]
        let batch: Batch

        init(_ partition: TopicPartition, _ places: [Int], _ records: [OutgoingRecord], _ batch: Batch) {
            self.partition = partition
            self.places = places
            self.records = records
            self.batch = batch
        }
    }

    @Loop private final class Batch {
        var offsets: [Int64]
        var left: Int
        let done = LoopWait()

        init(_ count: Int, parcels: Int) {
            offsets = Array(repeating: -1, count: count)
            left = parcels
        }
    }

    /// How long a topic may be missing before the client gives its records up.
    private static let topicPatience = Duration.seconds(20)

    private let process: SimulatedProcess
    private let broker: SimulatedBroker
    private var queues: [TopicPartition: [Parcel]] = [:]
    private var batches: [Batch] = []
    private var ends: [TopicPartition: Int64] = [:]
    private var failure: KafkaError?
    private var isClosed = false

    init(_ process: SimulatedProcess, _ broker: SimulatedBroker) {
        self.process = process
        self.broker = broker
    }

    func send(_ records: [OutgoingRecord]) async throws(KafkaError) -> [Int64] {
        if let failure { throw failure }
        if process.isDead || Task.isCancelled { throw KafkaError(.cancelled) }
        if records.isEmpty { return [] }
        var places: [TopicPartition: [Int]] = [:]
        for (place, record) in records.enumerated() {
            places[TopicPartition(topic: record.topic, partition: record.partition), default: []].append(place)
        }
        let batch = Batch(records.count, parcels: places.count)
        batches.append(batch)
        for (partition, places) in places.sorted(by: { $0.key < $1.key }) {
            let isFirst = queues[partition, default: []].isEmpty
            queues[partition, default: []].append(Parcel(partition, places, places.map { records[$0] }, batch))
            if isFirst { Loop.task { await self.deliver(partition) } }
        }
        do {
            try await batch.done.wait()
            try await process.pass("produced")
        } catch let error as KafkaError {
            throw error
        } catch {
            fail(KafkaError(.cancelled))
            throw KafkaError(.cancelled)
        }
        return batch.offsets
    }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        fail(KafkaError(.closed))
    }

    /// Sends what is queued for one partition, parcel by parcel.
    private func deliver(_ partition: TopicPartition) async {
        let surroundings = broker.surroundings
        var waited = Duration.zero
        while let parcel = queues[partition]?.first {
            await LoopWait.pause(surroundings.latency())
            // What is on its way may arrive after its process died or gave up.
            if process.isDead || failure != nil {
                if broker.isUp, surroundings.happens(500), arrive(parcel) != nil {
                    surroundings.reached("records arrived after their producer was gone")
                }
                queues[partition] = []
                return
            }
            guard broker.isUp, broker[partition] != nil else {
                await LoopWait.pause(.milliseconds(100))
                if broker.isUp { waited += .milliseconds(100) }
                if waited > Self.topicPatience { return fail(KafkaError(.unknownTopic)) }
                continue
            }
            waited = .zero
            if let end = ends[partition], broker[partition]!.end < end {
                surroundings.reached("a producer went on in a partition that lost records")
                if broker.remembersProducers { return fail(KafkaError(.other, isFatal: true)) }
            }
            guard let offsets = arrive(parcel) else { continue }
            ends[partition] = offsets[offsets.count - 1] + 1
            queues[partition]?.removeFirst()
            Loop.task {
                await LoopWait.pause(surroundings.latency())
                for (place, offset) in zip(parcel.places, offsets) { parcel.batch.offsets[place] = offset }
                parcel.batch.left -= 1
                if parcel.batch.left == 0 {
                    self.batches.removeAll { $0 === parcel.batch }
                    parcel.batch.done.resume()
                }
            }
        }
    }

    private func arrive(_ parcel: Parcel) -> [Int64]? {
        guard broker[parcel.partition] != nil else { return nil }
        let offsets = broker.write(parcel.records, to: parcel.partition)
        broker.surroundings.note(
            "\(process.name) wrote \(offsets.count) records to \(parcel.partition.partition) at \(offsets[0])")
        return offsets
    }

    private func fail(_ error: KafkaError) {
        guard failure == nil else { return }
        failure = error
        for batch in batches { batch.done.fail(error) }
        batches = []
    }
}
