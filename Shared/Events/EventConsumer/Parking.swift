import EventRelay
import EventSourcing
import EventStore
import JSON
import Kafka
import Observability
import Primitives
import Runtime

/// Sets aside the messages of one partition that cannot be handled, and handles what an operator releases.
@Loop final class Parking {
    /// How often a released message may end its process before it is kept.
    private static let tryLimit: Int64 = 3

    private let owner: TopicOwner
    private let partition: TopicPartition
    private let store: any ConsumerLog
    private let handler: any MessageHandler
    private let log: Logger
    private let retrying: Retrying
    /// Keys with parked messages; nil until they were read.
    private var keys: Set<String>?

    init(
        _ owner: TopicOwner, _ partition: TopicPartition, store: any ConsumerLog, handler: any MessageHandler,
        log: Logger, retrying: Retrying
    ) {
        self.owner = owner
        self.partition = partition
        self.store = store
        self.handler = handler
        self.log = log
        self.retrying = retrying
    }

    /// Reads which keys have parked messages, unless it is known.
    func prepare() async throws {
        if keys == nil { try await readKeys() }
    }

    /// Whether an earlier message of the key is parked.
    func holds(_ key: String) -> Bool { keys?.contains(key) == true }

    /// Sets a record aside in the step that moves the watermark past it.
    func park(_ record: KafkaRecord, _ reason: Unhandled, _ pending: PendingMessage) async throws {
        // What came for someone who is gone needs no parking: there is nothing it could do.
        if reason == .erased { return }
        let append = append([ParkedMessage.park(record, reason)])
        _ = try await retrying { try await pending.append(append) }
        keys?.insert(ParkedMessage.key(of: record, reason))
        log.error(
            "message is parked",
            [
                "partition": .string("\(partition)"), "offset": .int(record.offset), "code": .string(reason.code),
            ])
    }

    /// Handles what an operator released, key by key in order, and forgets what was dropped.
    ///
    /// - Parameter epoch: that of the partition's owner.
    func handleReleased(epoch: Int64) async throws {
        var kept: Set<String> = []
        while true {
            let heads = try await retrying { try await self.store.releasedMessages(self.partition) }
                .filter { !kept.contains($0.key) }
            if heads.isEmpty { break }
            for parked in heads {
                do {
                    try await handle(parked, epoch)
                    log.notice(
                        "parked message is gone",
                        ["partition": .string("\(partition)"), "offset": .int(parked.record.offset)])
                } catch let trouble as Unhandled {
                    log.error("released message is parked again", ["code": .string(trouble.code)])
                    try await retrying { try await self.store.keep(parked) }
                    kept.insert(parked.key)
                }
            }
        }
        try await readKeys()
    }

    /// Forgets messages beyond a fork: the publisher's restored store never sent them.
    ///
    /// - Parameter shared: earlier histories of the publisher, each with its last position that is still history.
    func forget(beyond shared: [UUID: Int64], _ watermark: Watermark) async throws {
        try await retrying {
            let undone = try await self.store.parkedIdentities(self.partition).filter { identity in
                guard let (incarnation, position) = ChainRecord.message(identity), let last = shared[incarnation] else {
                    return false
                }
                return position > last
            }
            if undone.isEmpty { return }
            try await self.store.forgetParked(undone, watermark)
            self.log.notice(
                "parked messages were undone by a restore",
                ["partition": .string("\(self.partition)"), "count": .int(Int64(undone.count))])
        }
        try await readKeys()
    }

    private func handle(_ parked: ParkedMessage, _ epoch: Int64) async throws {
        let unpark = parked.unpark(epoch: epoch)
        if !parked.isDropped {
            if let doubt = try await doubt(parked.record) { throw Unhandled.doubted(doubt) }
            let message: ReceivedMessage
            do throws(UnreadableRecord) { message = try ReceivedMessage(parked.record) } catch {
                throw Unhandled.unreadable(error.code)
            }
            if let tries = try await retrying({ try await self.store.countTry(parked) }), tries > Self.tryLimit {
                throw Unhandled.endsTheProcess
            }
            do {
                let gate = UnparkingGate(store, unpark)
                try await retrying { try await self.handler.handle(message, through: gate) }
            } catch Unhandled.erased {}
        }
        // The handler may have had nothing to append, or a repeat whose calls did not run again.
        do {
            _ = try await retrying { try await self.store.append(self.append([unpark])) }
        } catch Unhandled.refused(.notParked) {}
    }

    /// Whether the record is the publisher's by now: a public key may have been missing.
    private func doubt(_ record: KafkaRecord) async throws -> RecordDoubt? {
        if owner.foreignness(of: record, ChainRecord(record)) != nil { return .foreign }
        return try await retrying { try await self.handler.doubt(record) }
    }

    private func readKeys() async throws {
        keys = try await retrying { try await self.store.parkedKeys(self.partition) }
    }

    private func append(_ calls: [RowCall]) -> Append {
        let metadata = EventMetadata(owner: nil, correlation: .v7(), actor: "consumer")
        return Append(id: .v7(), requestHash: [], metadata: metadata, writes: [], calls: calls)
    }
}

/// Takes a message off the table of parked ones in the append that says what it led to.
@Loop private final class UnparkingGate: AppendGate {
    private let store: any ConsumerLog
    private let unpark: RowCall

    init(_ store: any ConsumerLog, _ unpark: RowCall) {
        self.store = store
        self.unpark = unpark
    }

    func append(_ append: Append) async throws(AppendError) -> AppendReceipt {
        try await store.append(append.adding([unpark]))
    }
}
