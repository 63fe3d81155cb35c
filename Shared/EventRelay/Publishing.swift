import Contracts
import EventSourcing
import EventStore
import Kafka
import Postgres
import Primitives
import Runtime

/// The work of one lease: the log behind the cursor goes out in batches, several under way at a time.
@Loop final class Publishing {
    /// Bytes that a partition of the development broker may reach; it drops the oldest at 5 MiB.
    private static let developmentLimit = 4_500_000
    private static let batchSize = 500
    /// Batches that may be unacknowledged at a time.
    private static let pipelineDepth = 4

    /// A batch under way: its acknowledgement, and what will be true once it came.
    private struct Flight {
        let delivery: Task<[Int64], any Error>
        let partitions: [Int32]
        /// Positions of the tails, by partition.
        let positions: [Int64]
        let end: Int64
    }

    private let store: EventStore
    private let connection: PostgresConnection
    private let topic: Topic
    private let lease: RelayLease
    private let producer: KafkaProducer
    private let records: RelayRecords
    private let kind: KafkaSettings.Kind
    private let publication: (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    private let progress: @Loop (Int64) -> Void

    // The chain as sent, and as acknowledged.
    private var tails: [PartitionTail]
    private var acknowledged: [PartitionTail]
    private var flights: [Flight] = []
    private var next: Int64
    private var stored: Int64
    /// Where a rewind ends; the wish stays in the database until then, so that a crash begins it again.
    private let rewindEnd: Int64?
    /// Why nothing behind `next` can go out; told once all before it is acknowledged.
    private var trouble: RelayTrouble?

    /// - Parameters:
    ///   - tails: the ends of the partitions' chains.
    ///   - start: all up to here is published.
    ///   - progress: told the cursor whenever there is a sign of life.
    init(
        _ store: EventStore, _ connection: PostgresConnection, _ topic: Topic, _ lease: RelayLease,
        _ producer: KafkaProducer, _ records: RelayRecords, _ kind: KafkaSettings.Kind, _ tails: [PartitionTail],
        from start: Int64, publication: @escaping (RecordedEvent) throws(EventDecodingError) -> Outgoing?,
        progress: @escaping @Loop (Int64) -> Void
    ) {
        self.store = store
        self.connection = connection
        self.topic = topic
        self.lease = lease
        self.producer = producer
        self.records = records
        self.kind = kind
        self.tails = tails
        self.publication = publication
        self.progress = progress
        acknowledged = tails
        next = start
        stored = lease.cursor
        rewindEnd = lease.rewindTo.map { _ in lease.cursor }
    }

    /// Publishes until something ends the lease.
    func run() async throws {
        defer { for flight in flights { flight.delivery.cancel() } }
        // What a reset topic lost counts as unpublished from now on; a rewind repeats what is there.
        if rewindEnd == nil, next < stored { try await move(to: next) }
        try await move(to: stored)
        while true {
            try Task.checkCancellation()
            let known = store.head.position
            var isIdle = true
            if trouble == nil, flights.count < Self.pipelineDepth {
                let events = try await store.readLog(after: next, limit: Self.batchSize, on: connection)
                isIdle = events.isEmpty
                launch(events)
            }
            // Acknowledgements are taken in order; only a full pipeline or an empty log waits for them.
            if let flight = flights.first, isIdle || flights.count >= Self.pipelineDepth {
                try await land(flight)
            } else if isIdle {
                if let trouble { throw trouble }
                progress(stored)
                if known > next {
                    // The head was further and the log is not: it was set back. The lease's end will show.
                    try await Loop.sleep(for: .milliseconds(50))
                } else {
                    try await store.head.wait(beyond: next, atMost: .seconds(1))
                }
            }
        }
    }

    /// Sends what can be sent of the events, in order.
    private func launch(_ events: [RecordedEvent]) {
        var batch: [OutgoingRecord] = []
        let start = next
        for event in events {
            let message: Outgoing?
            do throws(EventDecodingError) { message = try publication(event) } catch {
                trouble = .unreadableEvent(position: event.position, error)
                break
            }
            if let message {
                let partition = topic.partition(of: message.key)
                let index = Int(partition)
                // Already there: a lease before this one wrote it and did not live to move the cursor.
                if event.position > tails[index].position {
                    let record = records.message(
                        message, of: event, partition: partition, previous: tails[index].position)
                    let size = record.size
                    if kind == .development, tails[index].bytes + size > Self.developmentLimit {
                        trouble = .developmentBrokerFull(partition: partition)
                        break
                    }
                    tails[index].position = event.position
                    tails[index].bytes += size
                    batch.append(record)
                }
            }
            next = event.position
        }
        if next == start { return }
        let (producer, sent) = (producer, batch)
        flights.append(
            Flight(
                delivery: Loop.task { try await producer.send(sent) }, partitions: batch.map(\.partition),
                positions: tails.map(\.position), end: next))
    }

    /// Waits for a batch's acknowledgement and moves the cursor past it.
    private func land(_ flight: Flight) async throws {
        let offsets = try await withTaskCancellationHandler {
            try await flight.delivery.value
        } onCancel: {
            flight.delivery.cancel()
        }
        flights.removeFirst()
        CrashPoint.reached("relay.after-send")
        for (partition, offset) in zip(flight.partitions, offsets) {
            let index = Int(partition)
            if offset <= acknowledged[index].floor { throw RelayTrouble.offsetWentBack(partition: partition) }
            acknowledged[index].floor = offset
            acknowledged[index].offset = offset
            acknowledged[index].epoch = lease.epoch
        }
        for index in acknowledged.indices { acknowledged[index].position = flight.positions[index] }
        try await move(to: rewindEnd == nil ? flight.end : max(stored, flight.end))
        CrashPoint.reached("relay.after-advance")
        progress(stored)
    }

    private func move(to position: Int64) async throws {
        let isDone = rewindEnd.map { next >= $0 && flights.isEmpty } ?? false
        try await lease.advance(
            connection, from: stored, to: position, acknowledged, rewindIsDone: isDone)
        stored = position
    }
}
