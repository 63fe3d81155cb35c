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
        /// Read again from an offset; what is buffered is dropped.
        case seek(Int64)
        case pause, resume
    }

    private static let bufferLimit = 1000
    /// How long the record before the offset may take to appear before the offset is doubted.
    private static let verificationLimit: Int64 = 5_000_000_000

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
    private var claimPause = Duration.milliseconds(200)

    // What PostgreSQL holds, and how far we are beyond it with records that needed nothing.
    var committed: Watermark
    var current: Watermark
    // The record before the offset must be the one remembered; until it was seen, nothing is applied.
    private var verifyingSince: Int64?
    /// The owner before ended without order: the next record may have been its end.
    var isSuspect: Bool
    /// Counted attempts that have not ended.
    var attemptsUnderWay: Int64 = 0
    /// How many more effects must be seen to have moved the watermark: after a lost claim, a repeat may not have.
    var doubtful = 0
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
        verifyingSince = watermark.lastIdentity == nil ? nil : monotonicNanoseconds()
        isSuspect = !watermark.wasClean
    }

    /// Where reading begins: at the record before the offset, for comparison.
    var startOffset: Int64 { verifyingSince == nil ? committed.nextOffset : max(0, committed.nextOffset - 1) }

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

    /// The offset that was asked for is not there: the topic was made anew or lost its beginning.
    func offsetWasOutOfRange() { rescan("offset-out-of-range") }

    func checkReleases() {
        releaseRequested = true
        arrived.raise()
    }

    private func rescan(_ reason: String) {
        log.warning(
            "partition is scanned from its start", ["partition": .string("\(place)"), "reason": .string(reason)])
        verifyingSince = nil
        drop()
        request(.seek(KafkaOffset.beginning))
    }

    private func drop() {
        buffer = []
        bufferStart = 0
    }

    private func run() async throws {
        while true {
            try Task.checkCancellation()
            do {
                try await step()
            } catch let error {
                if Task.isCancelled { throw CancellationError() }
                if !(error is LostPartition) {
                    log.error(
                        "partition begins anew", ["partition": .string("\(place)"), "reason": .string("\(error)")])
                }
                try await Loop.sleep(for: claimPause)
                claimPause = min(claimPause * 2, .seconds(5))
                try await claimAgain()
            }
        }
    }

    private func step() async throws {
        if parkedKeys == nil {
            parkedKeys = try await retrying { try await ParkedMessage.keys(self.store.pool, self.place) }
        }
        if releaseRequested, verifyingSince == nil {
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
        if let since = verifyingSince, monotonicNanoseconds() - since > Self.verificationLimit, buffer.isEmpty {
            rescan("record-before-offset-missing")
        }
    }

    private func process(_ record: KafkaRecord) async throws {
        let chain = ChainRecord(record)
        if verifyingSince != nil {
            if record.offset == committed.nextOffset - 1, chain?.identity ?? "foreign" == committed.lastIdentity {
                verifyingSince = nil
            } else {
                rescan("record-before-offset-differs")
            }
            return
        }
        let verdict = ChainVerdict.judge(chain, current)
        if try await judged(record, chain, verdict) { claimPause = .milliseconds(200) }
        if current.nextOffset - committed.nextOffset >= 500 { try await flush() }
    }

    private func claimAgain() async throws {
        log.warning("partition is claimed again", ["partition": .string("\(place)")])
        let place = place
        committed = try await retrying {
            try await Watermark.claim(self.store.pool, topic: place.topic, partition: place.partition)
        }
        try Task.checkCancellation()
        current = committed
        verifyingSince = committed.lastIdentity == nil ? nil : monotonicNanoseconds()
        alarm = nil
        parkedKeys = nil
        attemptsUnderWay = 0
        doubtful = 100
        drop()
        request(.seek(startOffset == 0 ? KafkaOffset.beginning : startOffset))
    }
}
