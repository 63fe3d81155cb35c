import Contracts
package import EventConsumer
package import EventRelay
package import EventSourcing
package import EventStore
package import Kafka
package import Primitives
package import Runtime

/// A simulated database as one process knows it: the real appender and head watch over statements that cross to it.
@Loop package final class SimulatedStore {
    package let head: HeadWatch
    let process: SimulatedProcess
    let database: SimulatedDatabase
    private let appender: Appender

    package init(_ process: SimulatedProcess, _ database: SimulatedDatabase) {
        self.process = process
        self.database = database
        let head = HeadWatch(SimulatedGrowth(process, database))
        self.head = head
        appender = Appender(deadline: .seconds(10)) {
            head.raise(to: $0)
        } connect: {
            try await process.pass("connect")
            return SimulatedAppends(process, database, isKept: true)
        }
    }

    /// Ends what waits for the log.
    package func close() { head.stop() }

    /// Runs one statement on any connection.
    func statement<T>(_ place: String, _ effect: @escaping @Loop (inout DatabaseState) throws -> T) async throws -> T {
        try await SimulatedConnection(process, database, isKept: false).statement(place, effect)
    }
}

extension SimulatedStore: EventLog {
    package func append(_ append: Append) async throws(AppendError) -> AppendReceipt {
        try await self.append(together: [append])[0].get()
    }

    package func append(together appends: [Append]) async -> [AppendResult] { await appender.append(appends) }

    package func readLog(after position: Int64, limit: Int) async throws -> [RecordedEvent] {
        try await statement("read log") { $0.events(after: position, limit: limit) }
    }

    /// The version of a stream.
    ///
    /// - Throws: `PostgresError`, or `CancellationError` when the process is dead.
    package func version(of stream: StreamName) async throws -> Int64 {
        try await statement("read version") { $0.version(stream) }
    }
}

/// The end of the log, for the head watch.
private final class SimulatedGrowth: SimulatedConnection, GrowingLog {
    init(_ process: SimulatedProcess, _ database: SimulatedDatabase) { super.init(process, database, isKept: false) }

    // Each look has a connection of its own.
    private var look: SimulatedConnection { SimulatedConnection(process, database, isKept: false) }

    func end() async throws -> Int64 { try await look.statement("look at head") { $0.end } }

    func growth(after position: Int64) async throws -> [(position: Int64, stream: String)] {
        try await look.statement("look for growth") { state in
            state.events(after: position, limit: 1_000).map { ($0.position, $0.stream.description) }
        }
    }
}

/// A connection of the appender.
private final class SimulatedAppends: SimulatedConnection, AppendConnection {
    var isStale: Bool { isBroken }

    func append(_ batch: AppendBatch) async throws -> [AppendResult] {
        try await statement("append") { state in
            state.append(batch, at: Timestamp(microseconds: 1_700_000_000_000_000 + self.process.surroundings.time))
        }
    }

    func close() {}
}

// MARK: What relays need

extension SimulatedStore: RelayLog {
    package func withLeaseConnection<T>(_ work: (any LeaseConnection) async throws -> T) async throws -> T {
        try await process.pass("connect")
        return try await work(SimulatedLease(process, database, isKept: true))
    }

    package func readLog<T: Sendable>(
        after position: Int64, limit: Int, under lease: RelayLease,
        _ work: @escaping @Sendable ([RecordedEvent]) throws -> T
    ) async throws -> T {
        let events = try await statement("read log") { state in
            state.relay.epoch == lease.epoch && state.incarnation == lease.lineage.incarnation
                ? state.events(after: position, limit: limit) : nil
        }
        guard let events else { throw RelayTrouble.leaseLost }
        return try work(events)
    }

    package func isHeld(_ epoch: Int64, renewing: Bool, isRewinding: Bool) async throws -> Bool {
        try await statement("renew lease") { state in
            guard state.relay.epoch == epoch, isRewinding || state.relay.rewindTo == nil else { return false }
            if renewing { state.relay.leaseUntil = Self.leaseEnd }
            return true
        }
    }

    package func release(_ epoch: Int64) async throws {
        try await statement("release lease") { if $0.relay.epoch == epoch { $0.relay.leaseUntil = .min } }
    }

    package func rewind(to position: Int64) async throws {
        try await statement("ask for rewind") { state in
            state.relay.rewindTo = min(state.relay.rewindTo ?? .max, position)
            state.relay.epoch += 1
            state.relay.holder = nil
            state.relay.leaseUntil = .min
        }
    }

    package func lineage() async throws -> Lineage { try await statement("read lineage") { $0.lineage } }

    package func eventIDs(at positions: [Int64]) async throws -> [Int64: UUID] {
        if positions.isEmpty { return [:] }
        return try await statement("read events") { state in
            var ids: [Int64: UUID] = [:]
            for position in positions {
                ids[position] = state.events(after: position - 1, limit: 1).first?.id
            }
            return ids
        }
    }

    package func begin(
        _ incarnation: UUID, fork: Int64, published: Int64, topEpoch: Int64, found: [UUID],
        disowning disowned: [DisownedRecord]
    ) async throws {
        try await statement("begin incarnation") {
            $0.begin(
                incarnation, fork: fork, published: published, topEpoch: topEpoch, found: found, disowning: disowned)
        }
    }

    fileprivate static var leaseEnd: Int64 { monotonicNanoseconds() + RelayLease.duration.nanosecondsClamped }
}

/// The connection of one lease.
private final class SimulatedLease: SimulatedConnection, LeaseConnection {
    func refusal() async throws -> String? { try await statement("read refusal") { $0.refusal } }

    func takeLease(_ holder: UUID) async throws -> RelayLease? {
        let taken = try await statement("take lease") { state -> DatabaseState.RelayRow? in
            let now = monotonicNanoseconds()
            guard
                state.relay.leaseUntil < now || state.relay.holder == holder
                    || state.relay.leaseUntil > now + 2 * RelayLease.duration.nanosecondsClamped
            else { return nil }
            state.relay.epoch += 1
            state.relay.holder = holder
            state.relay.leaseUntil = SimulatedStore.leaseEnd
            return state.relay
        }
        guard let taken else { return nil }
        let lineage = try await statement("read lineage") { $0.lineage }
        return RelayLease(epoch: taken.epoch, cursor: taken.cursor, rewindTo: taken.rewindTo, lineage: lineage)
    }

    func advance(
        _ epoch: Int64, from old: Int64, to new: Int64, _ tails: [PartitionTail], rewound: Int64?
    ) async throws -> Bool {
        try await statement("move cursor from \(old) to \(new)") { state in
            guard state.relay.epoch == epoch, state.relay.cursor == old else { return false }
            state.relay.cursor = new
            if let rewound, state.relay.rewindTo == rewound { state.relay.rewindTo = nil }
            state.relay.leaseUntil = SimulatedStore.leaseEnd
            for tail in tails { state.tails[tail.partition] = tail }
            return true
        }
    }

    func raise(_ epoch: Int64, to higher: Int64) async throws -> Bool {
        try await statement("raise epoch") { state in
            guard state.relay.epoch == epoch else { return false }
            state.relay.epoch = higher
            return true
        }
    }

    func refuseAppends(_ reason: String, _ epoch: Int64, _ incarnation: UUID) async throws {
        try await statement("refuse appends") { state in
            if state.relay.epoch == epoch, state.incarnation == incarnation { state.refusal = reason }
        }
    }

    func end() async throws -> Int64 { try await statement("read end") { $0.end } }

    func cursor() async throws -> Int64 { try await statement("read cursor") { $0.relay.cursor } }

    func notedTails() async throws -> [PartitionTail] {
        try await statement("read tails") { state in state.tails.values.sorted { $0.partition < $1.partition } }
    }

    func eventID(at position: Int64) async throws -> UUID? {
        try await statement("read event") { $0.events(after: position - 1, limit: 1).first?.id }
    }

    func readLog(after position: Int64, limit: Int) async throws -> [RecordedEvent] {
        try await statement("read log") { $0.events(after: position, limit: limit) }
    }
}

// MARK: What consumers need

extension SimulatedStore: ConsumerLog {
    package func claim(_ partition: TopicPartition) async throws -> Watermark {
        try await statement("claim \(partition.partition)") { state in
            var row = state.partitions[partition] ?? .init(watermark: Watermark(partition, epoch: 0))
            row.watermark.epoch += 1
            var claimed = row.watermark
            claimed.wasClean = row.isClean
            row.isClean = false
            state.partitions[partition] = row
            return claimed
        }
    }

    package func move(_ watermark: Watermark, to next: Watermark) async throws -> Bool {
        try await statement("move watermark of \(watermark.partition) to \(next.seen)") { state in
            state.move(watermark, to: next)
        }
    }

    package func stands(_ watermark: Watermark) async throws -> Bool {
        try await statement("compare watermark") { state in
            guard let row = state.partitions[watermark.place] else { return false }
            return row.watermark.epoch == watermark.epoch && row.watermark.nextOffset == watermark.nextOffset
                && row.watermark.seen == watermark.seen
        }
    }

    package func note(_ watermark: Watermark, alarm: String) async throws {
        try await owned(watermark, "note alarm") { $0.alarm = alarm }
    }

    package func countAttempt(_ watermark: Watermark, at record: String) async throws -> Int64? {
        try await owned(watermark, "count attempt") { row in
            row.attempts = row.suspect == record ? row.attempts + 1 : 1
            row.suspect = record
            return row.attempts
        }
    }

    package func countLastWord(_ watermark: Watermark, at record: String) async throws -> Int64? {
        try await owned(watermark, "count last word") { row in
            row.lastWords[record, default: 0] += 1
            return row.lastWords[record] ?? 0
        }
    }

    package func uncountLastWord(_ partition: TopicPartition, at record: String) async throws {
        try await statement("uncount last word") { state in
            state.partitions[partition]?.lastWords[record] = nil
        }
    }

    package func release(_ watermark: Watermark, isClean: Bool, uncounting record: String?) async throws {
        try await statement("release \(watermark.partition)") { state in
            guard var row = state.partitions[watermark.place] else { return }
            if row.watermark.epoch == watermark.epoch { row.isClean = isClean }
            if let record, row.suspect == record { row.attempts = max(row.attempts - 1, 0) }
            state.partitions[watermark.place] = row
        }
    }

    /// Changes a partition's row under its owner's epoch; nil when another one has it.
    @discardableResult
    private func owned<T>(
        _ watermark: Watermark, _ place: String, _ change: @escaping @Loop (inout DatabaseState.PartitionRow) -> T
    ) async throws -> T? {
        try await statement(place) { state in
            guard var row = state.partitions[watermark.place], row.watermark.epoch == watermark.epoch else {
                return nil
            }
            defer { state.partitions[watermark.place] = row }
            return change(&row)
        }
    }

    package func parkedKeys(_ partition: TopicPartition) async throws -> Set<String> {
        try await statement("read parked keys") { state in
            Set(state.parked.filter { $0.partition == partition }.map(\.key))
        }
    }

    package func parkedIdentities(_ partition: TopicPartition) async throws -> [String] {
        try await statement("read parked identities") { state in
            state.parked.filter { $0.partition == partition }.map(\.identity)
        }
    }

    package func forgetParked(_ identities: [String], _ watermark: Watermark) async throws {
        try await statement("forget parked") { state in
            guard state.partitions[watermark.place]?.watermark.epoch == watermark.epoch else { return }
            state.parked.removeAll { $0.partition == watermark.place && identities.contains($0.identity) }
        }
    }

    package func releasedMessages(_ partition: TopicPartition) async throws -> [ParkedMessage] {
        try await statement("read released") { state in
            var keys: Set<String> = []
            return state.parked.filter { $0.partition == partition && keys.insert($0.key).inserted }
                .filter { $0.isReleased || $0.isDropped }.map(\.message)
        }
    }

    package func partitionsWithReleases() async throws -> [TopicPartition] {
        try await statement("look for releases") { state in
            Set(state.parked.filter { $0.isReleased || $0.isDropped }.map(\.partition)).sorted()
        }
    }

    package func countTry(_ message: ParkedMessage) async throws -> Int64? {
        try await parked(message, "count try") { row in
            row.attempts += 1
            return row.attempts
        }
    }

    package func keep(_ message: ParkedMessage) async throws {
        try await parked(message, "keep parked") { row in
            row.isReleased = false
            row.attempts = 0
        }
    }

    @discardableResult
    private func parked<T>(
        _ message: ParkedMessage, _ place: String, _ change: @escaping @Loop (inout DatabaseState.ParkedRow) -> T
    ) async throws -> T? {
        try await statement(place) { state in
            guard
                let index = state.parked.firstIndex(where: {
                    $0.partition == message.record.topicPartition && $0.identity == message.identity
                })
            else { return nil }
            return change(&state.parked[index])
        }
    }
}

extension DatabaseState {
    /// Moves a watermark without an effect.
    mutating func move(_ watermark: Watermark, to next: Watermark) -> Bool {
        guard var row = partitions[watermark.place], row.watermark.epoch == watermark.epoch,
            row.watermark.nextOffset == watermark.nextOffset, row.watermark.seen == watermark.seen
        else { return false }
        row.watermark = next
        row.watermark.epoch = watermark.epoch
        row.alarm = nil
        partitions[watermark.place] = row
        return true
    }
}

extension Watermark {
    var place: TopicPartition { TopicPartition(topic: topic, partition: partition) }
}

extension DatabaseState.ParkedRow {
    var message: ParkedMessage {
        ParkedMessage(
            partition, offset: offset, key: key, headers: headers, value: value, identity: identity,
            isDropped: isDropped)
    }
}
