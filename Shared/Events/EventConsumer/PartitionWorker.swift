import Contracts
import EventRelay
import EventStore
import JSON
import Kafka
import Observability
import Postgres
import Primitives
import Runtime

/// Judges one partition's records one after another and sends those that the chain admits through its lane, where each
/// effect is committed together with the watermark's move.
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
    /// Raised for records, releases and whatever the lane has to tell.
    private let news = Signal()
    private var task: Task<Void, any Error>?
    private var releaseRequested = false

    let lane: Lane
    /// How many more messages may have been under way when the owner before ended without order, and where the partition
    /// ended when this one began.
    var suspectsLeft: Int
    var suspectEnd: Int64 = .max
    /// Counted attempts that have not ended.
    var attemptsUnderWay: Int64 = 0
    /// Keys with parked messages; nil until they were read.
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
        lane = Lane(store, from: watermark, news: news)
        suspectsLeft = watermark.wasClean ? 0 : Lane.limit
    }

    /// The last position seen of the publisher; for lag figures.
    var seen: Int64 { lane.handled.seen }

    func start() { task = Loop.task { try await self.run() } }

    /// Stops after the commit under way. An orderly end is remembered, so that nobody suspects the next records.
    func stop() async {
        task?.cancel()
        _ = await task?.result
        await lane.stop()
        // Deaf to the caller's cancellation: every orderly end is the end of a cancelled task.
        let task = Loop.task { await self.lane.stored.release(self.store.pool, uncounting: self.attemptsUnderWay) }
        _ = await task.result
    }

    func deliver(_ records: [KafkaRecord]) {
        buffer.append(contentsOf: records)
        if !isPaused, buffer.count - bufferStart > Self.bufferLimit {
            isPaused = true
            request(.pause)
        }
        news.raise()
    }

    func checkReleases() {
        releaseRequested = true
        news.raise()
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
        if let failure = lane.failure { throw failure }
        if parkedKeys == nil {
            parkedKeys = try await retrying { try await ParkedMessage.keys(self.store.pool, self.place) }
        }
        if releaseRequested {
            releaseRequested = false
            try await rest()
            try await releaseParked()
        }
        if bufferStart < buffer.count {
            if lane.hasRoom { return try await process(takeRecord()) }
            if lane.isEmpty { return try await flush() }
            return try await news.wait(atMost: .seconds(1))
        }
        if isPaused {
            isPaused = false
            request(.resume)
        }
        try await news.wait(atMost: lane.isAhead ? .milliseconds(200) : .seconds(1))
        // In quiet moments, so that a run of messages that need nothing costs one write.
        if bufferStart == buffer.count, lane.isEmpty { try await flush() }
    }

    private func takeRecord() -> KafkaRecord {
        let record = buffer[bufferStart]
        bufferStart += 1
        if bufferStart == buffer.count {
            buffer = []
            bufferStart = 0
        }
        return record
    }

    private func process(_ record: KafkaRecord) async throws {
        let chain = ChainRecord(record)
        try await judged(record, chain, ChainVerdict.judge(chain, lane.planned))
        if lane.isEmpty, lane.planned.nextOffset - lane.stored.nextOffset >= 500 { try await flush() }
    }

    /// Stores the progress over records that needed nothing.
    func flush() async throws {
        try await retrying { try await self.lane.flush() }
    }

    /// Waits until nothing is under way, and stores how far it has come.
    func rest() async throws {
        try await lane.drain()
        try await flush()
    }
}

/// Another owner has moved the partition's watermark.
struct LostPartition: Error {}

/// The message itself is the trouble.
struct Unhandled: Error {
    let code: String
}
