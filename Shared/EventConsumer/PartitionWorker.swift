import Contracts
import EventRelay
import EventSourcing
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

    let place: TopicPartition
    private let store: EventStore
    private let handler: any MessageHandler
    private let suspects: SuspectTurn
    private let log: Logger
    private let request: @Loop (Request) -> Void

    private var buffer: [KafkaRecord] = []
    private var bufferStart = 0
    private var isPaused = false
    private let arrived = Signal()
    private var task: Task<Void, any Error>?

    // What PostgreSQL holds, and how far we are beyond it with records that needed nothing.
    private var committed: Watermark
    private var current: Watermark
    // The record before the offset must be the one remembered; until it was seen, nothing is applied.
    private var mustVerify: Bool
    private var isSuspect: Bool
    private var parkedKeys: Set<String> = []
    private(set) var alarm: String?
    private var releaseRequested = false

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
        mustVerify = watermark.lastIdentity != nil
        isSuspect = !watermark.wasClean
    }

    /// Where reading begins: at the record before the offset, for comparison.
    var startOffset: Int64 { mustVerify ? max(0, committed.nextOffset - 1) : committed.nextOffset }

    /// The last position seen of the publisher; for lag figures.
    var seen: Int64 { current.seen }

    func start() { task = Loop.task { try await self.run() } }

    /// Stops after the record at hand. An orderly end is remembered, so that nobody suspects the next record.
    func stop() async {
        task?.cancel()
        arrived.raise()
        _ = await task?.result
        await committed.release(store.pool)
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
        mustVerify = false
        drop()
        request(.seek(KafkaOffset.beginning))
    }

    private func drop() {
        buffer = []
        bufferStart = 0
    }

    private func run() async throws {
        parkedKeys = try await retrying { try await self.readParkedKeys() }
        while !Task.isCancelled {
            if bufferStart < buffer.count {
                let record = buffer[bufferStart]
                bufferStart += 1
                if bufferStart == buffer.count { drop() }
                do {
                    try await process(record)
                } catch is LostPartition {
                    try await claimAgain()
                }
                continue
            }
            if isPaused {
                isPaused = false
                request(.resume)
            }
            if releaseRequested {
                releaseRequested = false
                try await releaseParked()
            }
            try await flush()
            if bufferStart == buffer.count { try await arrived.wait(atMost: .seconds(5)) }
        }
    }

    private func process(_ record: KafkaRecord) async throws {
        let chain = ChainRecord(record)
        if mustVerify {
            if record.offset == committed.nextOffset - 1, chain?.identity ?? "foreign" == committed.lastIdentity {
                mustVerify = false
                return
            }
            rescan("record-before-offset-differs")
            return
        }
        let verdict = ChainVerdict.judge(chain, current)
        if alarm != nil, verdict != .apply {
            try await scanOn(record, chain, verdict)
            return
        }
        switch verdict {
        case .apply: try await apply(record, to: current.behind(record.offset, chain, verdict))
        case .duplicate, .mark: current = current.behind(record.offset, chain, verdict)
        case .zombie:
            log.notice("record of an old lease ignored", ["partition": .string("\(place)")])
            current = current.behind(record.offset, chain, verdict)
        case .foreign: try await park(record, "foreign-record", to: current.behind(record.offset, chain, verdict))
        case .fork(let fork): try await takeBack(beyond: fork, current.behind(record.offset, chain, verdict))
        case .gap(let expected, let found): try await raiseAlarm(expected, found, record)
        }
        if current.nextOffset - committed.nextOffset >= 500 { try await flush() }
    }

    // MARK: Applying

    private func apply(_ record: KafkaRecord, to next: Watermark) async throws {
        let message: ReceivedMessage
        do throws(UnreadableRecord) { message = try ReceivedMessage(record) } catch {
            try await park(record, error.code, to: next)
            return
        }
        if parkedKeys.contains(message.key.description), !handler.isErasure(message) {
            try await park(record, "successor", to: next)
            return
        }
        if isSuspect {
            try await flush()
            try await suspects.run {
                if try await self.deaths() > 3 {
                    try await self.park(record, "killed-the-process", to: next)
                } else {
                    try await self.handle(message, record, next)
                }
            }
            isSuspect = false
        } else {
            try await handle(message, record, next)
        }
        if alarm != nil {
            log.notice("chain is whole again", ["partition": .string("\(place)")])
            alarm = nil
        }
    }

    private func handle(_ message: ReceivedMessage, _ record: KafkaRecord, _ next: Watermark) async throws {
        do {
            let move = committed.move(to: next)
            let moved = try await retrying { try await self.handler.handle(message, calls: [move]) }
            if moved { committed = next }
            current = next
        } catch let park as Unhandled {
            try await self.park(record, park.code, to: next)
        }
    }

    /// Tries again, as long as the trouble is not the message's own.
    private func retrying<T: Sendable>(_ work: @Loop () async throws -> T) async throws -> T {
        var pause = Duration.milliseconds(50)
        while true {
            do {
                return try await work()
            } catch let error as CancellationError {
                throw error
            } catch AppendError.guarded("watermark") {
                throw LostPartition()
            } catch let error as AppendError {
                switch error {
                case .unavailable, .conflict, .storeRefused: hold("append", error.description)
                case .erased: throw Unhandled(code: "erased")
                case .idReused: throw Unhandled(code: "id-reused")
                case .guarded(let code): throw Unhandled(code: code)
                case .data(let constraint): throw Unhandled(code: "data-\(constraint)")
                }
            } catch let error as PostgresError {
                hold("database", error.description)
            } catch let error as EventDecodingError {
                // The own log cannot be read: only another build helps, and nothing may be skipped meanwhile.
                hold("unreadable-event", error.description)
            } catch let fault as MessageFault {
                throw Unhandled(code: fault.code)
            } catch let error as JSONError {
                throw Unhandled(code: "message-value-\(error.place)")
            } catch let error as RetriableFailure {
                hold(error.code, error.description)
            } catch {
                throw Unhandled(code: "refused-\(error)")
            }
            try await Loop.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }

    private func hold(_ code: String, _ description: String) {
        log.warning(
            "partition is held",
            ["partition": .string("\(place)"), "code": .string(code), "reason": .string(description)])
    }

    private func deaths() async throws -> Int64 {
        let row = try await retrying {
            try await self.store.pool.query(
                """
                update consumer_partitions set attempts = attempts + 1
                where topic = $1 and partition = $2 and epoch = $3 returning attempts
                """, [.text(self.place.topic), .int(Int64(self.place.partition)), .int(self.committed.epoch)]
            ).first?.int(0)
        }
        guard let row else { throw LostPartition() }
        return row
    }

    // MARK: Watermark

    /// Stores the progress over records that needed nothing.
    private func flush() async throws {
        guard alarm == nil, current.nextOffset != committed.nextOffset || current.seen != committed.seen else { return }
        let from = committed
        let to = current
        let moved = try await retrying { try await from.move(self.store.pool, to: to) }
        if !moved { throw LostPartition() }
        committed = current
    }

    private func claimAgain() async throws {
        log.warning("partition is claimed again", ["partition": .string("\(place)")])
        try await Loop.sleep(for: .milliseconds(200))
        let place = place
        committed = try await retrying {
            try await Watermark.claim(self.store.pool, topic: place.topic, partition: place.partition)
        }
        current = committed
        mustVerify = committed.lastIdentity != nil
        alarm = nil
        drop()
        request(.seek(startOffset == 0 ? KafkaOffset.beginning : startOffset))
    }

    // MARK: Broken chain

    private func raiseAlarm(_ expected: Int64, _ found: Int64, _ record: KafkaRecord) async throws {
        try await flush()
        let text = "expected the successor of position \(expected), found that of \(found) at offset \(record.offset)"
        log.error("messages are missing", ["partition": .string("\(place)"), "missing": .string(text)])
        alarm = text
        let watermark = committed
        _ = try await retrying {
            try await self.store.pool.query(
                "update consumer_partitions set alarm = $4 where topic = $1 and partition = $2 and epoch = $3",
                [.text(watermark.topic), .int(Int64(watermark.partition)), .int(watermark.epoch), .text(text)]
            ).affected
        }
        try await applyErasure(record)
    }

    /// Beyond a gap nothing is applied but erasures, until a record closes the chain.
    private func scanOn(_ record: KafkaRecord, _ chain: ChainRecord?, _ verdict: ChainVerdict) async throws {
        switch verdict {
        case .mark, .fork:
            current.sourceEpoch = max(current.sourceEpoch, chain?.epoch ?? 0)
            if case .fork(let fork) = verdict, current.seen <= fork { current.incarnation = chain?.incarnation }
        case .gap: try await applyErasure(record)
        case .apply, .duplicate, .zombie, .foreign: break
        }
    }

    private func applyErasure(_ record: KafkaRecord) async throws {
        guard let message = try? ReceivedMessage(record), handler.isErasure(message) else { return }
        _ = try await retrying { try await self.handler.handle(message, calls: []) }
    }

    /// The publisher was restored: what followed here from its undone messages is taken back, then the chain goes on.
    private func takeBack(beyond fork: Int64, _ next: Watermark) async throws {
        try await flush()
        if let old = current.incarnation, current.seen > fork {
            let service = place.topic.split(separator: ".").dropFirst().first.map(String.init) ?? ""
            log.warning(
                "the publisher's store was restored",
                ["partition": .string("\(place)"), "fork": .int(fork), "seen": .int(current.seen)])
            try await retrying { try await self.takeBack("\(service)/\(old)/", beyond: fork) }
        }
        let from = committed
        let moved = try await retrying { try await from.move(self.store.pool, to: next) }
        if !moved { throw LostPartition() }
        committed = next
        current = next
    }

    private func takeBack(_ origin: String, beyond fork: Int64) async throws {
        var place: Int64 = 0
        while true {
            let events = try await store.readLog(after: place, limit: 1000)
            guard let last = events.last else { return }
            for event in events {
                guard let text = event.metadata.origin, text.hasPrefix(origin),
                    let position = Int64(text.dropFirst(origin.count)), position > fork
                else { continue }
                try await handler.orphan(event)
            }
            place = last.position
        }
    }

    // MARK: Parking

    private func park(_ record: KafkaRecord, _ reason: String, to next: Watermark) async throws {
        // What came for someone who is gone needs no parking: there is nothing it could do.
        if reason == "erased" {
            current = next
            return
        }
        let key = record.key.flatMap { String(validating: $0, as: UTF8.self) } ?? ""
        let calls = [committed.move(to: next), RowCall("park", ParkedMessage.arguments(record, key, reason))]
        _ = try await retrying {
            try await self.store.append(
                Append(
                    id: .v7(), requestHash: [],
                    metadata: EventMetadata(owner: nil, correlation: .v7(), actor: "consumer"),
                    writes: [], calls: calls))
        }
        committed = next
        current = next
        parkedKeys.insert(key)
        log.error(
            "message is parked",
            ["partition": .string("\(place)"), "offset": .int(record.offset), "code": .string(reason)])
    }

    private func readParkedKeys() async throws -> Set<String> {
        let rows = try await store.pool.query(
            "select distinct key from parked_messages where topic = $1 and partition = $2",
            [.text(place.topic), .int(Int64(place.partition))]
        ).rows
        return Set(rows.map { $0.text(0) })
    }

    /// Handles what an operator released, in order, and forgets what was dropped.
    private func releaseParked() async throws {
        let epoch = committed.epoch
        for parked in try await retrying({ try await ParkedMessage.released(self.store.pool, self.place) }) {
            let unpark = RowCall("unpark", parked.unparkArguments(epoch: epoch))
            do {
                var unparked = false
                if !parked.isDropped {
                    let message = try ReceivedMessage(parked.record)
                    unparked = try await retrying { try await self.handler.handle(message, calls: [unpark]) }
                }
                if !unparked {
                    _ = try await retrying {
                        try await self.store.append(
                            Append(
                                id: .v7(), requestHash: [],
                                metadata: EventMetadata(owner: nil, correlation: .v7(), actor: "consumer"), writes: [],
                                calls: [unpark]))
                    }
                }
                log.notice(
                    "parked message is gone", ["partition": .string("\(place)"), "offset": .int(parked.record.offset)])
            } catch let error as Unhandled {
                log.error("released message is parked again", ["code": .string(error.code)])
                try await retrying { try await ParkedMessage.keep(self.store.pool, parked) }
                break
            } catch is UnreadableRecord {
                try await retrying { try await ParkedMessage.keep(self.store.pool, parked) }
                break
            }
        }
        parkedKeys = try await retrying { try await self.readParkedKeys() }
    }
}

/// Another owner has moved the partition's watermark.
private struct LostPartition: Error {}

/// The message itself is the trouble.
private struct Unhandled: Error {
    let code: String
}
