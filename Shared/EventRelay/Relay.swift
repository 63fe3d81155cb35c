package import Contracts
package import EventSourcing
package import EventStore
import JSON
package import Kafka
package import Observability
import Postgres
import Primitives
package import Runtime

/// Publishes a service's log: the log itself is the outbox, the relay a cursor over it.
///
/// One instance of a service publishes at a time. It begins every lease by marking each partition and reading it back, so
/// that whatever was written before, by itself or by another, is neither lost nor doubled; any doubt later (a lost lease, a
/// failed delivery, a new connection) begins anew.
@Loop package final class Relay {
    /// What the relay is doing, for health, metrics and the ledger.
    package enum State: Sendable, Equatable {
        case starting
        /// Another instance holds the lease.
        case standby
        case publishing
        /// Stopped by trouble that is tried again, with its code.
        case troubled(String)
    }

    /// Bytes that a partition of the development broker may reach; it drops the oldest at 5 MiB.
    private static let developmentLimit = 4_500_000
    private static let batchSize = 500
    /// Batches that may be unacknowledged at a time.
    private static let pipelineDepth = 4

    package private(set) var state = State.starting
    /// The position up to which all is published, as this instance knows it.
    package private(set) var cursor: Int64 = 0

    private let store: EventStore
    private let service: ServiceName
    private let topic: Topic
    private let kafka: KafkaSettings
    private let publication: (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    private let holder = UUID.v7()
    private let log: Logger

    /// - Parameters:
    ///   - topic: the service's topic, whose partition count and hash never change.
    ///   - publication: what the service publishes of a private event, if anything.
    package init(
        store: EventStore, service: ServiceName, topic: Topic, kafka: KafkaSettings, log: Logger,
        publication: @escaping @Sendable (RecordedEvent) throws(EventDecodingError) -> Outgoing?
    ) {
        self.store = store
        self.service = service
        self.topic = topic
        self.kafka = kafka
        self.log = log
        self.publication = publication
    }

    /// Publishes until the task is cancelled. Trouble is logged, shown in ``state`` and tried again with growing pauses.
    package func run() async {
        var pause = Duration.milliseconds(100)
        while !Task.isCancelled {
            do {
                if let lease = try await RelayLease.take(store.pool, holder: holder) {
                    pause = .milliseconds(100)
                    try await lead(lease)
                } else {
                    state = .standby
                    try await Loop.sleep(for: .milliseconds(500))
                    continue
                }
            } catch is CancellationError {
                break
            } catch let trouble as RelayTrouble {
                note(trouble.code, trouble.description)
                if case .storeSetBack = trouble { await refuseAppends(trouble.description) }
            } catch let error as KafkaError {
                note(error.code.rawValue, error.description)
            } catch let error as PostgresError {
                note("database", error.description)
            } catch {
                note("fault", "\(type(of: error))")
            }
            try? await Loop.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }

    private func note(_ code: String, _ description: String) {
        // The same trouble again is no news; the metric goes on telling it.
        if state != .troubled(code) {
            log.warning("relay stopped", ["code": .string(code), "reason": .string(description)])
        }
        state = .troubled(code)
    }

    private func refuseAppends(_ reason: String) async {
        _ = try? await store.pool.query("select refuse_appends($1)", [.text(reason)])
    }

    /// One lease from its marks to its end.
    private func lead(_ lease: RelayLease) async throws {
        if let reason = lease.refused { throw RelayTrouble.storeRefused(reason) }
        let producer = try KafkaProducer(settings: kafka)
        do {
            let records = RelayRecords(service, topic, lease)
            let marks = try await producer.send((0..<topic.partitions).map(records.lease))
            let readBack = ReadBack(pool: store.pool, topic: topic, lease: lease, kafka: kafka)
            let findings = try await readBack.findings(upTo: marks)
            var tails = findings.map(\.tail)
            // The marks themselves are what the next acknowledgements must lie above.
            for (index, mark) in marks.enumerated() { tails[index].offset = mark }
            let reset = findings.filter { $0.tail.position < $0.expected }
            for finding in reset {
                log.warning(
                    "topic was reset",
                    ["partition": .int(Int64(finding.tail.partition)), "from": .int(finding.tail.position)])
            }
            var start = min(lease.cursor, reset.map(\.tail.position).min() ?? lease.cursor)
            if let rewind = lease.rewindTo {
                tails = try await rewound(tails, to: rewind)
                start = min(start, rewind)
            }
            state = .publishing
            cursor = start
            log.info("relay publishes", ["epoch": .int(lease.epoch), "from": .int(start)])
            try await publish(lease, producer, records, tails, from: start)
        } catch {
            await producer.close()
            if error is CancellationError { await lease.release(store.pool) }
            throw error
        }
    }

    /// The tails as they were when the cursor stood at a position, so that all behind it is published again.
    private func rewound(_ tails: [PartitionTail], to position: Int64) async throws -> [PartitionTail] {
        var result = tails
        for index in result.indices { result[index].position = 0 }
        var place: Int64 = 0
        while place < position {
            let events = try await store.readLog(after: place, limit: 1000)
            if events.isEmpty { break }
            for event in events where event.position <= position {
                if let outgoing = try outgoing(event) {
                    result[Int(topic.partition(of: outgoing.key))].position = event.position
                }
            }
            place = events[events.count - 1].position
        }
        log.warning("relay rewinds", ["to": .int(position)])
        return result
    }

    private func outgoing(_ event: RecordedEvent) throws -> Outgoing? {
        do throws(EventDecodingError) { return try publication(event) } catch {
            throw RelayTrouble.unreadableEvent(position: event.position, error)
        }
    }

    /// A batch under way: its acknowledgement, and what will be true once it came.
    private struct Flight {
        let delivery: Task<[Int64], any Error>
        let partitions: [Int32]
        let tails: [PartitionTail]
        let end: Int64
    }

    private func publish(
        _ lease: RelayLease, _ producer: KafkaProducer, _ records: RelayRecords, _ start: [PartitionTail], from: Int64
    ) async throws {
        var tails = start
        var acknowledged = start
        var flights: [Flight] = []
        var stored = lease.cursor
        var next = from
        defer { for flight in flights { flight.delivery.cancel() } }
        // The lease's own start is stored first: a rewind or a reset counts from now on.
        try await lease.advance(store.pool, from: stored, to: from, [])
        stored = from
        var renewed = monotonicNanoseconds()
        while true {
            try Task.checkCancellation()
            let events =
                flights.count < Self.pipelineDepth
                ? try await store.readLog(after: next, limit: Self.batchSize) : []
            if let last = events.last {
                var batch: [OutgoingRecord] = []
                for event in events {
                    guard let message = try outgoing(event) else { continue }
                    let partition = topic.partition(of: message.key)
                    let index = Int(partition)
                    // Already there: a lease before this one wrote it and did not live to move the cursor.
                    if event.position <= tails[index].position { continue }
                    let record = records.message(
                        message, of: event, partition: partition, previous: tails[index].position)
                    tails[index].position = event.position
                    tails[index].bytes += record.size
                    if kafka.kind == .development, tails[index].bytes > Self.developmentLimit {
                        throw RelayTrouble.developmentBrokerFull(partition: partition)
                    }
                    batch.append(record)
                }
                next = last.position
                let sent = batch
                flights.append(
                    Flight(
                        delivery: Loop.task { try await producer.send(sent) },
                        partitions: batch.map(\.partition), tails: tails, end: next))
            }
            // Acknowledgements are taken in order; only a full pipeline or an empty log waits for them.
            if let flight = flights.first, events.isEmpty || flights.count >= Self.pipelineDepth {
                let offsets = try await flight.delivery.value
                flights.removeFirst()
                try check(flight, offsets, &acknowledged)
                try await lease.advance(store.pool, from: stored, to: flight.end, acknowledged)
                stored = flight.end
                cursor = stored
                renewed = monotonicNanoseconds()
                continue
            }
            if events.isEmpty {
                try await store.head.wait(beyond: next, atMost: .seconds(1))
                if monotonicNanoseconds() - renewed > 2_000_000_000 {
                    try await lease.advance(store.pool, from: stored, to: stored, [])
                    renewed = monotonicNanoseconds()
                }
            }
        }
    }

    private func check(_ flight: Flight, _ offsets: [Int64], _ acknowledged: inout [PartitionTail]) throws {
        for (partition, offset) in zip(flight.partitions, offsets) {
            if offset <= acknowledged[Int(partition)].offset { throw RelayTrouble.offsetWentBack(partition: partition) }
            acknowledged[Int(partition)].offset = offset
        }
        for index in acknowledged.indices { acknowledged[index].position = flight.tails[index].position }
    }
}
