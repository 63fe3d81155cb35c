import Contracts
import EventRelay
import EventStore
import JSON
import Kafka
import Observability
import Postgres
import Primitives
import Runtime

/// Handles one partition's records one after another, each effect in one append with the watermark's move.
@Loop final class PartitionWorker {
    /// What the consumer must do for a worker that cannot go on by itself.
    enum Request: Sendable {
        /// Claim all partitions again: this one has another owner, or something broke.
        case beginAnew(String)
        case pause, resume
    }

    private static let bufferLimit = 1000

    let place: TopicPartition
    let store: EventStore
    let handler: any MessageHandler
    let suspects: SuspectTurn
    let log: Logger
    private let request: @Loop (Request) -> Void

    private var buffer: [KafkaRecord] = []
    private var bufferStart = 0
    private var isPaused = false
    private let arrived = Signal()
    private var task: Task<Void, any Error>?
    private var releaseRequested = false

    // What PostgreSQL holds, and how far we are beyond it with records that needed nothing.
    var committed: Watermark
    var current: Watermark
    /// The owner before ended without order: the next record may have been its end.
    var isSuspect: Bool
    /// Counted attempts that have not ended.
    var attemptsUnderWay: Int64 = 0
    /// How many more effects must be seen to have moved the watermark: after a lost claim, a repeat may not have.
    var doubtful = 100
    /// Keys with parked messages; nothing until they were read.
    var parkedKeys: Set<String>?
    var alarm: String?

    init(
        _ place: TopicPartition, _ watermark: Watermark, store: EventStore, handler: any MessageHandler,
        suspects: SuspectTurn, log: Logger, request: @escaping @Loop (Request) -> Void
    ) {
        self.place = place
        self.store = store
        self.handler = handler
        self.suspects = suspects
        self.log = log
        self.request = request
        committed = watermark
        current = watermark
        isSuspect = !watermark.wasClean
    }

    /// The last position seen of the publisher; for lag figures.
    var seen: Int64 { current.seen }

    func start() { task = Loop.task { try await self.run() } }

    /// Stops after the record at hand. An orderly end is remembered, so that nobody suspects the next record.
    func stop() async {
        task?.cancel()
        _ = await task?.result
        // Deaf to the caller's cancellation: every orderly end is the end of a cancelled task.
        let task = Loop.task { await self.committed.release(self.store.pool, uncounting: self.attemptsUnderWay) }
        _ = await task.result
    }

    func deliver(_ records: [KafkaRecord]) {
        buffer.append(contentsOf: records)
        if !isPaused, buffer.count - bufferStart > Self.bufferLimit {
            isPaused = true
            request(.pause)
        }
        arrived.raise()
    }

    func checkReleases() {
        releaseRequested = true
        arrived.raise()
    }

    private func drop() {
        buffer = []
        bufferStart = 0
    }

    private func run() async throws {
        do {
            while true {
                try Task.checkCancellation()
                try await step()
            }
        } catch {
            if Task.isCancelled { throw CancellationError() }
            let reason = error is LostPartition ? "\(place) has another owner" : "\(place): \(error)"
            request(.beginAnew(reason))
        }
    }

    private func step() async throws {
        if parkedKeys == nil {
            parkedKeys = try await retrying { try await ParkedMessage.keys(self.store.pool, self.place) }
        }
        if releaseRequested {
            releaseRequested = false
            try await releaseParked()
        }
        if bufferStart < buffer.count {
            let record = buffer[bufferStart]
            bufferStart += 1
            if bufferStart == buffer.count { drop() }
            try await process(record)
            return
        }
        if isPaused {
            isPaused = false
            request(.resume)
        }
        try await flush()
        if bufferStart == buffer.count { try await arrived.wait(atMost: .seconds(1)) }
    }

    private func process(_ record: KafkaRecord) async throws {
        let chain = ChainRecord(record)
        let verdict = ChainVerdict.judge(chain, current)
        _ = try await judged(record, chain, verdict)
        if current.nextOffset - committed.nextOffset >= 500 { try await flush() }
    }
}
