package import Contracts
package import EventSourcing
import EventStore
import JSON
package import Kafka
package import Observability
import Primitives
package import Runtime

/// Publishes a service's log: the log itself is the outbox, the relay a cursor over it.
///
/// One instance of a service publishes at a time. It begins every lease by writing a lease record to each partition and
/// reading the partition back, so that nothing written earlier, by this instance or another, is lost or duplicated. Any
/// later doubt (a lost lease, a failed delivery, a broken database connection) starts over with a new lease.
@Loop package final class Relay {
    /// What the relay is doing; for health, metrics and the ledger.
    package enum State: Sendable, Equatable {
        case starting
        /// Another instance holds the lease.
        case standby
        case publishing
        /// Stopped by a problem and retrying; the problem's code.
        case troubled(String)
    }

    /// Nanoseconds without progress after which the lease is no longer renewed, so that an instance with a better connection
    /// to the broker can take over. The holder keeps waiting, and continues if nobody takes the lease.
    private static let patience: Int64 = 10_000_000_000
    /// Nanoseconds without progress after which a new client is tried.
    private static let limit: Int64 = 20_000_000_000

    package private(set) var state = State.starting
    /// The position up to which everything is published, as far as this instance knows.
    package private(set) var cursor: Int64 = 0

    private let relayLog: any RelayLog
    private let service: ServiceName
    private let topic: Topic
    private let broker: any Broker
    private let publication: @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    private let seal: AnnouncementSeal?
    private let holder = UUID.v7()
    private let log: Logger
    private let tell: @Loop (RelayChange) -> Void
    /// The epoch of the last lease under which this instance has published; nil while it is another one's.
    private var lastEpoch: Int64?
    /// What of the topic was found to be reset, and is told.
    private var lastReset: RelayChange?
    private var lastProgress: Int64 = 0
    /// Whether the present lease has published anything.
    private var hasPublished = false
    /// Whether the present lease still has a rewind to carry out.
    private var isRewinding = false
    /// A problem that a new lease would only run into again; checked before taking one.
    private var obstacle: Obstacle?

    /// - Parameters:
    ///   - topic: the service's topic, whose partition count and hash never change.
    ///   - seal: signs announcements; only identity makes any.
    ///   - tell: called when another instance publishes than before, and when the topic lacks what was published.
    ///   - publication: what the service publishes for a private event, if anything.
    package init(
        store: any RelayLog, service: ServiceName, topic: Topic, kafka: any Broker, log: Logger,
        seal: AnnouncementSeal? = nil, tell: @escaping @Loop (RelayChange) -> Void = { _ in },
        publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) {
        relayLog = store
        self.service = service
        self.topic = topic
        broker = kafka
        self.log = log
        self.seal = seal
        self.tell = tell
        self.publication = publication
    }

    /// Publishes until the task is cancelled. Errors are logged, shown in ``state`` and retried with backoff.
    package func run() async {
        var pause = Duration.milliseconds(100)
        while !Task.isCancelled {
            hasPublished = false
            let begun = monotonicNanoseconds()
            do {
                if try await !publishUnderLease() {
                    state = .standby
                    if let epoch = lastEpoch { tell(.lost(epoch: epoch)) }
                    lastEpoch = nil
                    try await Loop.sleep(for: .milliseconds(500))
                }
                continue
            } catch {
                if Task.isCancelled { break }
                await note(error)
            }
            // Leases that end soon and have published nothing are taken ever more rarely: each writes marks.
            if hasPublished || monotonicNanoseconds() - begun > Self.patience { pause = .milliseconds(100) }
            try? await Loop.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }

    private func note(_ error: any Error) async {
        if let trouble = error as? RelayTrouble {
            obstacle = await Obstacle(trouble, topic, broker) ?? obstacle
        }
        let reason = StopReason(error)
        // Refused appends are only the consequence; keep showing the finding itself.
        if reason.code == "store-refused", state == .troubled("store-set-back") { return }
        // A repeated problem is not logged again; the metric keeps showing it.
        if state != .troubled(reason.code) {
            log.warning("relay stopped", ["code": .string(reason.code), "reason": .string(reason.sentence)])
        }
        state = .troubled(reason.code)
    }

    /// Takes the lease and publishes under it; false if another instance holds it.
    private func publishUnderLease() async throws -> Bool {
        try await relayLog.withLeaseConnection { connection in
            if let reason = try await connection.refusal() { throw RelayTrouble.storeRefused(reason) }
            if let obstacle {
                if try await obstacle.stands(connection, broker) { throw obstacle.trouble }
                self.obstacle = nil
            }
            guard let lease = try await connection.takeLease(holder) else { return false }
            do {
                try await holding(lease) { try await self.lead(lease, connection) }
            } catch {
                if case .storeSetBack? = error as? RelayTrouble {
                    // Over the lease's own connection, because another may lead to another database.
                    try? await connection.refuseAppends("\(error)", lease.epoch, lease.lineage.incarnation)
                }
                // Ignores cancellation: an orderly shutdown should not leave the lease to expire.
                await Loop.task { try await self.relayLog.release(lease.epoch) }.result.discard()
                throw error
            }
            return true
        }
    }

    /// Runs work for as long as the lease can be renewed, even while the work waits for a broker.
    private func holding(_ lease: RelayLease, _ work: @escaping @Loop () async throws -> Void) async throws {
        var ending: RelayTrouble?
        isRewinding = lease.rewindTo != nil
        lastProgress = monotonicNanoseconds()
        let task = Loop.task(work)
        let heart = Loop.task {
            while true {
                try await Loop.sleep(for: .milliseconds(1500))
                let silence = monotonicNanoseconds() - self.lastProgress
                // While the database is unreachable, nobody else can take the lease either.
                let isHeld = try? await self.relayLog.isHeld(
                    lease.epoch, renewing: silence < Self.patience, isRewinding: self.isRewinding)
                if isHeld == false {
                    ending = .leaseLost
                } else if silence > Self.limit {
                    ending = .noAnswer
                } else {
                    continue
                }
                task.cancel()
                return
            }
        }
        defer { heart.cancel() }
        try await withTaskCancellationHandler {
            do { try await task.value } catch {
                if let ending { throw ending }
                throw error
            }
        } onCancel: {
            task.cancel()
        }
    }

    /// Tells what is new with a lease. Of one that follows an own one nothing is: a relay in trouble takes it again and again.
    private func tellBegin(_ lease: RelayLease, _ reset: [PartitionTail]) {
        if lastEpoch.map({ ![0, 1].contains(lease.epoch - $0) }) ?? true { tell(.taken(epoch: lease.epoch)) }
        lastEpoch = lease.epoch
        guard let from = reset.map(\.position).min() else { return }
        let change = RelayChange.reset(epoch: lease.epoch, partitions: reset.count, from: from)
        // Found again by the next lease, when this one has published nothing.
        if case .reset(_, reset.count, from)? = lastReset { return }
        lastReset = change
        tell(change)
    }

    /// One lease, from its lease records to its end.
    private func lead(_ lease: RelayLease, _ connection: any LeaseConnection) async throws {
        let producer = try broker.producer()
        do {
            let records = RelayRecords(service, topic, lease, seal: seal)
            let marks = try await producer.send((0..<topic.partitions).map(records.lease))
            let readBack = ReadBack(connection: connection, topic: topic, lease: lease, broker: broker) {
                self.lastProgress = monotonicNanoseconds()
            }
            let findings = try await readBack.findings(upTo: marks)
            var tails = findings.map(\.tail)
            let reset = findings.filter { $0.tail.position < $0.expected }.map(\.tail)
            for tail in reset {
                log.warning(
                    "topic was reset", ["partition": .int(Int64(tail.partition)), "from": .int(tail.position)])
            }
            var start = min(lease.cursor, reset.map(\.position).min() ?? lease.cursor)
            if let rewind = lease.rewindTo {
                // The first move of the cursor overwrites what shows the loss, so the rewind itself must reach back as far.
                if start < rewind, !reset.isEmpty {
                    try await relayLog.rewind(to: start)
                    throw RelayTrouble.leaseLost
                }
                start = min(start, rewind)
                log.warning("relay rewinds", ["to": .int(start)])
                tails = try await RewoundChain(
                    connection: connection, topic: topic, publication: publication
                ) { self.lastProgress = monotonicNanoseconds() }.tails(tails, at: start)
            }
            let anchor = start > 0 ? try await connection.eventID(at: start) : nil
            state = .publishing
            cursor = min(start, lease.cursor)
            tellBegin(lease, reset)
            log.info("relay publishes", ["epoch": .int(lease.epoch), "from": .int(start)])
            try await Publishing(
                relayLog, connection, lease, producer, records, OwnRecords(topic: topic, broker: broker, lease: lease),
                tails,
                from: start, anchor, publication: publication
            ) { cursor, isRewinding in
                if cursor > self.cursor { self.hasPublished = true }
                self.cursor = cursor
                self.isRewinding = isRewinding
                self.lastProgress = monotonicNanoseconds()
            }.run()
        } catch {
            await producer.close()
            throw error
        }
    }
}

/// What others should know of who publishes a service's log, and of its topic.
package enum RelayChange: Sendable, Equatable {
    /// This instance publishes from now on, and did not have the lease before this one.
    ///
    /// - Parameter epoch: that of the lease.
    case taken(epoch: Int64)
    /// Another instance publishes from now on.
    ///
    /// - Parameter epoch: that of the lease which this one had.
    case lost(epoch: Int64)
    /// Partitions lacked what had been published; what lies behind a position is published again.
    case reset(epoch: Int64, partitions: Int, from: Int64)
}

extension Result {
    /// Ignores the result on purpose.
    fileprivate func discard() {}
}

extension Relay {
    /// Asks the publishing instance to publish everything after a position again, which repairs a gap in a topic. Consumers
    /// drop what they have seen.
    ///
    /// This ends the current lease, so that the request takes effect at once; it stays in force, even across crashes, until
    /// it is completely carried out.
    ///
    /// - Parameter position: a position of the log, 0 for its beginning.
    /// - Throws: `PostgresError`.
    package static func rewind(_ store: any RelayLog, to position: Int64) async throws {
        try await store.rewind(to: max(0, position))
    }
}
