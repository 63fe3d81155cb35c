import Contracts
import EventRelay
import EventStore
import JSON
import Kafka
import Observability
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
    /// While the chain is broken, so many nanoseconds pass between two looks at whether the topic is still the same.
    private static let anchorPace: Int64 = 5_000_000_000

    private let owner: TopicOwner
    private let isScanning: Bool
    private let partition: TopicPartition
    private let store: any ConsumerLog
    private let handler: any MessageHandler
    private let log: Logger
    private let request: @Loop (Request) -> Void

    private var buffer: [KafkaRecord] = []
    private var bufferStart = 0
    /// The sizes of deliveries whose first record was not taken yet, and what is left of the one before.
    private var deliveries: [Int] = []
    private var leftOfDelivery = 0
    /// Whether no more is read: as much waits in memory as may.
    private(set) var isPaused = false
    /// Raised for records, releases and whatever the lane has to tell.
    private let news = Signal()
    private var task: Task<Void, any Error>?
    private var releaseRequested = false

    private let lane: Lane
    private let retrying: Retrying
    private let parking: Parking
    private let suspects: Suspects
    /// The last word beyond a gap that is under way.
    private var lastWord: String?
    /// Last words beyond a gap that have ended the process too often.
    private var deadly: Set<String> = []
    /// What is missing, while the chain is broken.
    private(set) var alarm: String?
    /// The record before the one to come; nil before the first record of a scan from the partition's start.
    private var anchor: Anchor?
    private let stands: @Loop (Anchor) async throws -> Bool
    private var anchorTime: Int64 = 0
    /// How many deliveries there were, and how many there had been at the last look for silence.
    private var deliveryCount = 0
    private var lastDeliveryCount = -1
    /// Whether it waits for something to come, with nothing under way and nothing to be stored.
    private var isAtRest = false

    /// - Parameters:
    ///   - topic: the topic of the partition.
    ///   - suspectEnd: where the partition ends now, when its last owner ended uncleanly; nil otherwise.
    ///   - isScan: whether records come from the partition's start, whatever the watermark says.
    ///   - suspectMutex: shared by all partitions of the process.
    ///   - stands: tells whether the partition still holds a record at its offset.
    ///   - request: called with what the consumer must do.
    init(
        _ topic: Topic, _ partition: TopicPartition, _ watermark: Watermark, suspectEnd: Int64?, isScan: Bool,
        store: any ConsumerLog, handler: any MessageHandler, suspectMutex: AsyncMutex, log: Logger,
        stands: @escaping @Loop (Anchor) async throws -> Bool, request: @escaping @Loop (Request) -> Void
    ) {
        owner = TopicOwner(topic)
        isScanning = isScan
        self.partition = partition
        self.store = store
        self.handler = handler
        self.log = log
        self.request = request
        self.stands = stands
        anchor = isScan ? nil : Anchor(before: watermark)
        lane = Lane(store, from: watermark, news: news)
        retrying = Retrying(partition: partition, log: log)
        parking = Parking(owner, partition, store: store, handler: handler, log: log, retrying: retrying)
        suspects = Suspects(suspectMutex, before: suspectEnd)
    }

    /// The last position seen of the publisher; for lag figures.
    var seen: Int64 { lane.handled.seen }

    /// The offset behind the last record that is settled.
    var reached: Int64 {
        // What a scan begins with is where somebody else came to, perhaps in another topic; it may end at the very same place.
        isScanning && !lane.hasMoved ? 0 : lane.handled.nextOffset
    }

    func start() { task = Loop.task { try await self.run() } }

    /// Stops after the commit under way. A clean end is remembered, so that nobody suspects the next records; suspicion of
    /// those that an earlier owner left outlives it.
    func stop() async {
        task?.cancel()
        _ = await task?.result
        await lane.stop()
        // In a task of its own, because the caller's is cancelled at every clean end.
        let task = Loop.task {
            let stored = self.lane.stored
            if let word = self.lastWord { try await self.store.uncountLastWord(self.partition, at: word) }
            try await self.store.release(
                stored, isClean: self.suspects.arePast(stored), uncounting: self.suspects.underWay)
        }
        _ = await task.result
    }

    func deliver(_ records: [KafkaRecord]) {
        if records.isEmpty { return }
        buffer.append(contentsOf: records)
        deliveries.append(records.count)
        deliveryCount += 1
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
            beginAnew(error)
        }
    }

    private func beginAnew(_ error: any Error) {
        let reason = error is LostPartition ? "\(partition) has another owner" : "\(partition): \(error)"
        request(.beginAnew(reason))
    }

    private func step() async throws {
        if let failure = lane.failure { throw failure }
        try await parking.prepare()
        if releaseRequested {
            releaseRequested = false
            try await rest()
            try await parking.handleReleased(epoch: lane.stored.epoch)
        }
        if alarm != nil, monotonicNanoseconds() - anchorTime > Self.anchorPace { try await compareAnchor() }
        if bufferStart < buffer.count {
            if lane.hasRoom {
                let (record, isFirst) = takeRecord()
                return try await process(record, isFirst: isFirst)
            }
            if lane.isEmpty { return try await flush() }
            return try await news.wait(atMost: .seconds(1))
        }
        if isPaused {
            isPaused = false
            request(.resume)
        }
        isAtRest = lane.isEmpty && !lane.isAhead
        try await news.wait(atMost: lane.isAhead ? .milliseconds(200) : .seconds(1))
        isAtRest = false
        // In quiet moments, so that a run of messages that need nothing costs one write.
        if bufferStart == buffer.count, lane.isEmpty { try await flush() }
    }

    /// The next record, and whether others may lie between the fetch that brought it and the one before.
    private func takeRecord() -> (record: KafkaRecord, isFirst: Bool) {
        let isFirst = leftOfDelivery == 0
        if isFirst { leftOfDelivery = deliveries.removeFirst() }
        leftOfDelivery -= 1
        let record = buffer[bufferStart]
        bufferStart += 1
        if bufferStart == buffer.count {
            buffer = []
            bufferStart = 0
        }
        return (record, isFirst)
    }

    /// - Parameter isFirst: whether it came with another fetch than the record before.
    private func process(_ record: KafkaRecord, isFirst: Bool) async throws {
        let chain = ChainRecord(record)
        var doubt = owner.foreignness(of: record, chain).map { _ in RecordDoubt.foreign }
        if doubt == nil { doubt = try await retrying { try await self.handler.doubt(record) } }
        let verdict = ChainVerdict.judge(chain, lane.planned, doubt: doubt)
        if isFirst, alarm == nil, verdict.tellsNothingOfOthers { try await compareAnchor() }
        try await follow(verdict, record, chain, doubt ?? .foreign)
        // While the chain is broken it stays where the watermark stands.
        if alarm == nil { anchor = Anchor(before: lane.planned) }
        if lane.isEmpty, lane.planned.nextOffset - lane.stored.nextOffset >= 500 { try await flush() }
    }

    /// Stores the progress over records that needed nothing.
    private func flush() async throws {
        try await retrying { try await self.lane.flush() }
    }

    /// Waits until nothing is under way, and stores how far it has come.
    private func rest() async throws {
        try await lane.drain()
        try await flush()
    }

    // MARK: The chain

    /// Does what the chain's verdict on a record asks for.
    private func follow(
        _ verdict: ChainVerdict, _ record: KafkaRecord, _ chain: ChainRecord?, _ doubt: RecordDoubt
    ) async throws {
        let next = lane.planned.behind(record.offset, chain, verdict)
        switch verdict {
        case .apply:
            if deadly.remove(ParkedMessage.identity(of: record)) != nil {
                park(record, .endsTheProcess, to: next)
            } else {
                try await suspects.contains(record) ? applySuspect(record, to: next) : apply(record, to: next)
            }
            if alarm != nil {
                log.notice("chain is whole again", ["partition": .string("\(partition)")])
                alarm = nil
            }
        case .gap(let expected, let found):
            if alarm == nil { try await raiseAlarm(expected, found, record) }
            try await applyLastWord(record)
        case .fork(let fork) where alarm == nil || lane.planned.seen > fork:
            // A hole beyond the fork is no hole any more.
            try await takeBack(beyond: fork, chain, next)
        case .mark, .fork:
            if alarm == nil { lane.note(next) } else { lane.noteLease(next) }
        case .foreign where alarm == nil: park(record, .doubted(doubt), to: next)
        case .zombie where alarm == nil:
            log.notice("record of an old lease ignored", ["partition": .string("\(partition)")])
            lane.note(next)
        case .duplicate where alarm == nil: lane.note(next)
        // Beyond a gap the watermark stands still until a record closes the chain.
        case .foreign, .zombie, .duplicate: break
        }
    }

    /// Something is missing: says what, and stops the watermark. Beyond the gap nothing is applied but last words (erasures, ends of
    /// login sessions and withdrawn consents), until a record closes the chain.
    private func raiseAlarm(_ expected: Int64, _ found: Int64, _ record: KafkaRecord) async throws {
        try await rest()
        try await compareAnchor()
        if anchor == nil { anchor = Anchor(record) }
        let text = "expected the successor of position \(expected), found that of \(found) at offset \(record.offset)"
        log.error("messages are missing", ["partition": .string("\(partition)"), "missing": .string(text)])
        alarm = text
        let watermark = lane.stored
        try await retrying { try await self.store.note(watermark, alarm: text) }
    }

    /// Begins anew when the topic is not the one that was read before: it was made anew and has outgrown the offset, so what
    /// seems to be missing may stand before it.
    private func compareAnchor() async throws {
        anchorTime = monotonicNanoseconds()
        guard let anchor else { return }
        if try await retrying({ try await self.stands(anchor) }) { return }
        throw TopicChanged()
    }

    /// Whether nothing has come since the last time that this was asked.
    func wasSilent() -> Bool {
        defer { lastDeliveryCount = deliveryCount }
        return isAtRest && lastDeliveryCount == deliveryCount
    }

    /// Begins anew when topic or database is another one by now, which neither says by itself: what a topic that was made anew
    /// holds may stand before the offset, and an older database lacks effects of messages that will not come again.
    ///
    /// - Parameter topicToo: false for the development broker, whose topics live and die with its process.
    /// - Throws: `KafkaError` or `PostgresError`.
    func compareSilence(topicToo: Bool) async throws {
        let (count, watermark) = (deliveryCount, lane.stored)
        var trouble: (any Error)?
        if try await !store.stands(watermark) {
            trouble = LostPartition()
        } else if topicToo, alarm == nil, let anchor, try await !stands(anchor) {
            trouble = TopicChanged()
        }
        // What has come meanwhile speaks for itself.
        guard let trouble, count == deliveryCount, task?.isCancelled == false else { return }
        beginAnew(trouble)
    }

    /// Handles a last word beyond a gap. One that ends the process each time is passed by, so that the records behind it, which may
    /// close the gap, are reached; it is parked when the chain comes to it.
    private func applyLastWord(_ record: KafkaRecord) async throws {
        guard let message = try? ReceivedMessage(record), handler.isLastWord(message) else { return }
        let identity = ParkedMessage.identity(of: record)
        try await suspects.attempt(identity) {
            let watermark = self.lane.stored
            self.lastWord = identity
            let attempts = try await self.retrying { try await self.store.countLastWord(watermark, at: identity) }
            if attempts == nil { self.lastWord = nil }
            return attempts
        } _: { endsTheProcess in
            if endsTheProcess {
                self.deadly.insert(identity)
                self.failed(record, .endsTheProcess)
            } else {
                do {
                    // It comes again once the chain is whole, and its append is known by then.
                    try await self.retrying { try await self.handler.handle(message, through: self.store) }
                } catch let trouble as Unhandled {
                    self.failed(record, trouble)
                }
                try await self.retrying { try await self.store.uncountLastWord(self.partition, at: identity) }
            }
            self.lastWord = nil
        }
    }

    private func failed(_ record: KafkaRecord, _ trouble: Unhandled) {
        log.error(
            "a last word beyond a gap failed",
            [
                "partition": .string("\(partition)"), "offset": .int(record.offset),
                "code": .string(trouble.code),
            ])
    }

    /// The publisher was restored: what followed here from its undone messages is taken back, then the chain goes on.
    private func takeBack(beyond fork: Int64, _ lease: ChainRecord?, _ next: Watermark) async throws {
        try await lane.drain()
        if lane.planned.seen > fork {
            try await flush()
            log.warning(
                lease?.disowned == nil
                    ? "the publisher's store was restored" : "the publisher disowns records of its topic",
                ["partition": .string("\(partition)"), "fork": .int(fork), "seen": .int(lane.planned.seen)])
            var shared = lease?.lineage ?? [:]
            if let old = lane.planned.incarnation { shared[old] = fork }
            let restoration = Restoration(
                partition: partition, store: store, handler: handler, retrying: retrying, watermark: lane.stored)
            try await restoration.takeBack(beyond: shared, disowned: lease?.disownedOfParent)
            try await parking.forget(beyond: shared, lane.stored)
        }
        alarm = nil
        try await retrying { try await self.lane.jump(to: next) }
    }

    // MARK: Handling

    private func apply(_ record: KafkaRecord, to next: Watermark) {
        lane.open(next, key: ParkedMessage.key(of: record)) { pending in try await self.handle(record, pending) }
    }

    private func park(_ record: KafkaRecord, _ reason: Unhandled, to next: Watermark) {
        lane.open(next, key: ParkedMessage.key(of: record, reason)) { pending in
            try await self.parking.park(record, reason, pending)
        }
    }

    private func applySuspect(_ record: KafkaRecord, to next: Watermark) async throws {
        try await rest()
        let identity = ParkedMessage.identity(of: record)
        try await suspects.handle(identity) {
            let watermark = self.lane.stored
            return try await self.retrying { try await self.store.countAttempt(watermark, at: identity) }
        } _: { endsTheProcess in
            if endsTheProcess { self.park(record, .endsTheProcess, to: next) } else { self.apply(record, to: next) }
            try await self.rest()
        }
    }

    private func handle(_ record: KafkaRecord, _ pending: PendingMessage) async throws {
        let message: ReceivedMessage
        do throws(UnreadableRecord) { message = try ReceivedMessage(record) } catch {
            return try await parking.park(record, .unreadable(error.code), pending)
        }
        if parking.holds(pending.key), !handler.isLastWord(message) {
            return try await parking.park(record, .successor, pending)
        }
        do {
            CrashPoint.reached("consumer.before-handle")
            // What the handler logs and does belongs to the request behind the message.
            let trace = message.traceparent.flatMap(TraceContext.init(traceparent:))
            try await TraceContext.$current.withValue(trace) {
                try await retrying { try await self.handler.handle(message, through: pending) }
                log.debug("message handled", ["type": .string(message.incoming.type.description)])
            }
            CrashPoint.reached("consumer.after-handle")
        } catch let trouble as Unhandled {
            try await parking.park(record, trouble, pending)
        }
    }
}

/// The records before the offset are other ones by now.
private struct TopicChanged: Error, CustomStringConvertible {
    let description = "the topic was made anew"
}
