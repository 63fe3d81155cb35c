import Contracts
import EventSourcing
import EventStore
import Kafka
import Primitives
import Runtime

/// The work of one lease: publishes the log after the cursor in batches, several of them in flight at a time. Reading
/// continues while acknowledgements arrive, and the cursor follows them at its own pace.
@Loop final class Publishing {
    /// Bytes that a partition of the development broker may hold; at 5 MiB it drops the oldest records.
    private static let developmentLimit = 4_500_000
    /// Batches and records that may be in flight at a time.
    private static let pipelineDepth = 64
    private static let pipelineRecords = 16_000
    /// The minimum time between two moves of the cursor, in nanoseconds.
    private static let cursorPace: Int64 = 20_000_000
    /// How often it is looked whether the topic still holds what was acknowledged last, and the database the cursor.
    private static let lookPace = Duration.seconds(15)

    private let log: any RelayLog
    private let connection: any LeaseConnection
    private let lease: RelayLease
    private let producer: any RecordProducer
    private let records: RelayRecords
    private let kind: KafkaSettings.Kind
    private let own: OwnRecords
    private let reader: LogBatchReader
    private let progress: @Loop (Int64, Bool) -> Void

    // The chain as sent, and as acknowledged.
    private var tails: [PartitionTail]
    private var acknowledged: [PartitionTail]
    private var inFlight: [InFlightBatch] = []
    private var inFlightRecords = 0
    /// Raised when a batch was acknowledged or failed.
    private let settled = Signal()
    private var failure: (any Error)?
    private var next: Int64
    /// The id of the event at `next`, once it was read: the log must go on from it.
    private var nextID: UUID?
    /// Everything up to here is acknowledged.
    private var end: Int64
    /// The stored cursor, and when it was last moved.
    private var stored: Int64
    private var storedTime: Int64 = 0
    /// Where a rewind ends; the request stays in the database until then, so that it survives a crash.
    private var rewindEnd: Int64?
    /// Why nothing after `next` can be published; thrown once everything before it is acknowledged.
    private var trouble: RelayTrouble?

    /// - Parameters:
    ///   - tails: the ends of the partitions' chains.
    ///   - start: the position up to which everything is published.
    ///   - id: of the event at that position; nil when there is none.
    ///   - progress: called at every sign of life with the cursor and whether a rewind is under way.
    init(
        _ log: any RelayLog, _ connection: any LeaseConnection, _ lease: RelayLease,
        _ producer: any RecordProducer, _ records: RelayRecords, _ own: OwnRecords, _ tails: [PartitionTail],
        from start: Int64, _ id: UUID?,
        publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?,
        progress: @escaping @Loop (Int64, Bool) -> Void
    ) {
        self.log = log
        self.connection = connection
        self.lease = lease
        self.producer = producer
        self.records = records
        self.own = own
        kind = own.broker.kind
        self.tails = tails
        reader = LogBatchReader(log, lease, records, publication)
        self.progress = progress
        acknowledged = tails
        next = start
        nextID = id
        end = start
        stored = lease.cursor
        rewindEnd = lease.rewindTo.map { _ in lease.cursor }
    }

    /// Publishes until something ends the lease.
    func run() async throws {
        let watch = Loop.task { try await self.watchTopic() }
        defer {
            watch.cancel()
            reader.stop()
            for batch in inFlight { batch.delivery?.cancel() }
        }
        // What a reset topic lost now counts as unpublished; a rewind repeats what is there.
        if rewindEnd == nil, next < stored { try await move(to: next) }
        try await move(to: stored)
        while true {
            try Task.checkCancellation()
            if let failure { throw failure }
            let known = log.head.position
            var isIdle = true
            if trouble == nil, inFlight.count < Self.pipelineDepth, inFlightRecords < Self.pipelineRecords {
                let batch = try await reader.next(after: next, nextID)
                isIdle = batch.isEmpty
                send(batch)
            }
            try await follow()
            if !isIdle { continue }
            if inFlight.isEmpty, let trouble {
                if cursor != stored { try await move(to: cursor) }
                throw trouble
            }
            // The log may have grown since the last read, unless the pipeline is full or the log was set back: then the
            // head is beyond the log, and the end of the lease will reveal it.
            let isWaitingForMore = trouble == nil && known <= next
            let limit = pause(isWaitingForMore)
            try await isWaitingForMore
                ? log.head.wait(beyond: next, atMost: limit, or: settled) : settled.wait(atMost: limit)
        }
    }

    private func watchTopic() async throws {
        // The development broker's topics live and die with its process, which everybody notices; and what is cheap at a real
        // broker keeps that one from its work.
        if kind == .development { return }
        while true {
            try await Loop.sleep(for: Self.lookPace)
            let offsets = acknowledged.map(\.floor)
            // Without an answer nobody knows; what cannot be published shows that by itself.
            guard let partition = try? await own.partition(lacking: offsets) else { continue }
            failure = failure ?? RelayTrouble.offsetWentBack(partition: partition)
            settled.raise()
        }
    }

    /// How long to wait if nothing happens.
    private func pause(_ isWaitingForMore: Bool) -> Duration {
        if cursor != stored { return .nanoseconds(max(0, storedTime + Self.cursorPace - monotonicNanoseconds())) }
        return inFlight.isEmpty && !isWaitingForMore ? .milliseconds(50) : .seconds(1)
    }

    /// Where the cursor may stand.
    private var cursor: Int64 { rewindEnd == nil ? end : max(stored, end) }

    /// Moves the cursor to what is acknowledged when a move is due.
    private func follow() async throws {
        if failure != nil { return }
        let sinceMove = monotonicNanoseconds() - storedTime
        if cursor != stored || rewindIsDone {
            if sinceMove >= Self.cursorPace {
                try await move(to: cursor)
                CrashPoint.reached("relay.after-advance")
            }
        } else if sinceMove >= Self.lookPace.nanosecondsClamped {
            // An older database that has the same log and lease still has another cursor.
            try await move(to: stored)
        }
        if inFlight.isEmpty { progress(stored, rewindEnd != nil) }
    }

    /// Sends as much of a log batch as can be sent, in order.
    private func send(_ batch: LogBatch) {
        var outgoing: [OutgoingRecord] = []
        let start = next
        for entry in batch.entries {
            if var record = entry.record {
                let index = Int(record.partition)
                // Otherwise an earlier lease wrote it and ended before moving the cursor.
                if entry.position == tails[index].position, let id = tails[index].id, id != entry.id {
                    trouble = .storeSetBack(partition: record.partition, position: entry.position)
                    break
                }
                if entry.position > tails[index].position {
                    records.chain(&record, to: tails[index].position)
                    let size = record.size
                    if kind == .development, tails[index].bytes + size > Self.developmentLimit {
                        trouble = .developmentBrokerFull(partition: record.partition)
                        break
                    }
                    tails[index].position = entry.position
                    tails[index].id = entry.id
                    tails[index].bytes += size
                    outgoing.append(record)
                }
            }
            next = entry.position
            nextID = entry.id
        }
        trouble = trouble ?? batch.trouble
        if next == start { return }
        let sent = InFlightBatch(outgoing.map(\.partition), tails.map(\.position), end: next)
        inFlight.append(sent)
        inFlightRecords += outgoing.count
        sent.delivery = Loop.task { [producer, outgoing] in
            do { sent.offsets = try await producer.send(outgoing) } catch { self.failure = self.failure ?? error }
            self.settle()
        }
    }

    /// Removes acknowledged batches from the front.
    private func settle() {
        while failure == nil, let batch = inFlight.first, let offsets = batch.offsets {
            inFlight.removeFirst()
            inFlightRecords -= offsets.count
            CrashPoint.reached("relay.after-send")
            for (partition, offset) in zip(batch.partitions, offsets) {
                let index = Int(partition)
                if offset <= acknowledged[index].floor { failure = RelayTrouble.offsetWentBack(partition: partition) }
                acknowledged[index].floor = offset
                acknowledged[index].offset = offset
                acknowledged[index].epoch = lease.epoch
            }
            if failure != nil { break }
            for index in acknowledged.indices { acknowledged[index].position = batch.positions[index] }
            end = batch.end
        }
        settled.raise()
    }

    /// Whether a rewind is complete.
    private var rewindIsDone: Bool { rewindEnd.map { end >= $0 && inFlight.isEmpty } ?? false }

    private func move(to position: Int64) async throws {
        let isDone = rewindIsDone
        guard
            try await connection.advance(
                lease.epoch, from: stored, to: position, acknowledged, rewound: isDone ? lease.rewindTo : nil)
        else { throw RelayTrouble.leaseLost }
        if isDone { rewindEnd = nil }
        stored = position
        storedTime = monotonicNanoseconds()
        progress(stored, rewindEnd != nil)
    }
}
