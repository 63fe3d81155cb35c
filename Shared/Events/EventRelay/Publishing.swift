import Contracts
import EventSourcing
import EventStore
import Kafka
import Postgres
import Primitives
import Runtime

/// The work of one lease: the log behind the cursor goes out in batches, several under way at a time. Reading goes on while
/// acknowledgements come, and the cursor follows them at its own pace.
@Loop final class Publishing {
    /// Bytes that a partition of the development broker may reach; it drops the oldest at 5 MiB.
    private static let developmentLimit = 4_500_000
    /// Batches, and records in them, that may be unacknowledged at a time.
    private static let pipelineDepth = 64
    private static let pipelineRecords = 16_000
    /// The least time between two moves of the cursor.
    private static let cursorPace: Int64 = 20_000_000

    private let store: EventStore
    private let connection: PostgresConnection
    private let lease: RelayLease
    private let producer: KafkaProducer
    private let records: RelayRecords
    private let kind: KafkaSettings.Kind
    private let drafts: DraftReader
    private let progress: @Loop (Int64) -> Void

    // The chain as sent, and as acknowledged.
    private var tails: [PartitionTail]
    private var acknowledged: [PartitionTail]
    private var flights: [Flight] = []
    private var recordsUnderWay = 0
    /// Raised when a batch has landed or failed.
    private let landed = Signal()
    private var failure: (any Error)?
    private var next: Int64
    /// All up to here is acknowledged.
    private var end: Int64
    /// The cursor, and when it was moved.
    private var stored: Int64
    private var storedTime: Int64 = 0
    /// Where a rewind ends; the wish stays in the database until then, so that a crash begins it again.
    private var rewindEnd: Int64?
    /// Why nothing behind `next` can go out; told once all before it is acknowledged.
    private var trouble: RelayTrouble?

    /// - Parameters:
    ///   - tails: the ends of the partitions' chains.
    ///   - start: all up to here is published.
    ///   - progress: told the cursor whenever there is a sign of life.
    init(
        _ store: EventStore, _ connection: PostgresConnection, _ lease: RelayLease,
        _ producer: KafkaProducer, _ records: RelayRecords, _ kind: KafkaSettings.Kind, _ tails: [PartitionTail],
        from start: Int64, publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?,
        progress: @escaping @Loop (Int64) -> Void
    ) {
        self.store = store
        self.connection = connection
        self.lease = lease
        self.producer = producer
        self.records = records
        self.kind = kind
        self.tails = tails
        drafts = DraftReader(store, records, publication)
        self.progress = progress
        acknowledged = tails
        next = start
        end = start
        stored = lease.cursor
        rewindEnd = lease.rewindTo.map { _ in lease.cursor }
    }

    /// Publishes until something ends the lease.
    func run() async throws {
        defer {
            drafts.stop()
            for flight in flights { flight.delivery?.cancel() }
        }
        // What a reset topic lost counts as unpublished from now on; a rewind repeats what is there.
        if rewindEnd == nil, next < stored { try await move(to: next) }
        try await move(to: stored)
        while true {
            try Task.checkCancellation()
            if let failure { throw failure }
            let known = store.head.position
            var isIdle = true
            if trouble == nil, flights.count < Self.pipelineDepth, recordsUnderWay < Self.pipelineRecords {
                let draft = try await drafts.next(after: next)
                isIdle = draft.isEmpty
                send(draft)
            }
            try await follow()
            if !isIdle { continue }
            if flights.isEmpty, let trouble {
                if cursor != stored { try await move(to: cursor) }
                throw trouble
            }
            // Beyond the last look there may be more, unless the pipeline is full or the log was set back: the head was
            // further then than the log is. The lease's end will show it.
            let isWaitingForMore = trouble == nil && known <= next
            let limit = pause(isWaitingForMore)
            try await isWaitingForMore
                ? store.head.wait(beyond: next, atMost: limit, or: landed) : landed.wait(atMost: limit)
        }
    }

    /// How long nothing needs to be done, unless something happens.
    private func pause(_ isWaitingForMore: Bool) -> Duration {
        if cursor != stored { return .nanoseconds(max(0, storedTime + Self.cursorPace - monotonicNanoseconds())) }
        return flights.isEmpty && !isWaitingForMore ? .milliseconds(50) : .seconds(1)
    }

    /// Where the cursor may stand.
    private var cursor: Int64 { rewindEnd == nil ? end : max(stored, end) }

    /// Moves the cursor to what is acknowledged, when it is time.
    private func follow() async throws {
        if failure != nil { return }
        let isDue = monotonicNanoseconds() - storedTime >= Self.cursorPace
        if cursor != stored || rewindIsDone, isDue {
            try await move(to: cursor)
            CrashPoint.reached("relay.after-advance")
        }
        if flights.isEmpty { progress(stored) }
    }

    /// Sends what can be sent of a draft, in order.
    private func send(_ draft: Draft) {
        var batch: [OutgoingRecord] = []
        let start = next
        for entry in draft.entries {
            if var record = entry.record {
                let index = Int(record.partition)
                // Already there: a lease before this one wrote it and did not live to move the cursor.
                if entry.position > tails[index].position {
                    records.chain(&record, to: tails[index].position)
                    let size = record.size
                    if kind == .development, tails[index].bytes + size > Self.developmentLimit {
                        trouble = .developmentBrokerFull(partition: record.partition)
                        break
                    }
                    tails[index].position = entry.position
                    tails[index].bytes += size
                    batch.append(record)
                }
            }
            next = entry.position
        }
        trouble = trouble ?? draft.trouble
        if next == start { return }
        let flight = Flight(batch.map(\.partition), tails.map(\.position), end: next)
        flights.append(flight)
        recordsUnderWay += batch.count
        flight.delivery = Loop.task { [producer, batch] in
            do { flight.offsets = try await producer.send(batch) } catch { self.failure = self.failure ?? error }
            self.land()
        }
    }

    /// Takes acknowledged batches off, in order.
    private func land() {
        while failure == nil, let flight = flights.first, let offsets = flight.offsets {
            flights.removeFirst()
            recordsUnderWay -= offsets.count
            CrashPoint.reached("relay.after-send")
            for (partition, offset) in zip(flight.partitions, offsets) {
                let index = Int(partition)
                if offset <= acknowledged[index].floor { failure = RelayTrouble.offsetWentBack(partition: partition) }
                acknowledged[index].floor = offset
                acknowledged[index].offset = offset
                acknowledged[index].epoch = lease.epoch
            }
            if failure != nil { break }
            for index in acknowledged.indices { acknowledged[index].position = flight.positions[index] }
            end = flight.end
        }
        landed.raise()
    }

    /// Whether a rewind has come to its end.
    private var rewindIsDone: Bool { rewindEnd.map { end >= $0 && flights.isEmpty } ?? false }

    private func move(to position: Int64) async throws {
        let isDone = rewindIsDone
        try await lease.advance(
            connection, from: stored, to: position, acknowledged, rewindIsDone: isDone)
        if isDone { rewindEnd = nil }
        stored = position
        storedTime = monotonicNanoseconds()
        progress(stored)
    }
}
