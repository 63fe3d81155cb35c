package import Contracts
import EventRelay
import EventSourcing
import History
package import Kafka
import Postgres
import Primitives
package import Runtime

/// Compares logs, relays, topics, consumers and read models, and names what does not agree.
///
/// Everything is read downstream first, consumers before logs, so that work in progress does not count as a fault.
@Loop package final class Ledger {
    /// What was found.
    package struct Findings: Sendable {
        package var services: [ServiceLedger] = []
        package var faults: [LedgerFault] = []

        package init(services: [ServiceLedger] = [], faults: [LedgerFault] = []) {
            self.services = services
            self.faults = faults
        }
    }

    private let stores: [HistoryStore]
    private let kafka: KafkaSettings
    private let patience: Duration
    private let standing: [ServiceName: String]
    private let doubt: @Loop (KafkaRecord) async throws -> String?
    private let foundDown: @Loop ([LedgerFault]) -> Void
    private let progress: @Loop (_ what: String, _ share: Double, _ records: Int64) -> Void
    private var findings = Findings()
    /// The services that do not run: that they are late is said by that.
    private var down: Set<ServiceName> = []
    private var scannedTopics = 0
    private var scannedRecords: Int64 = 0

    /// - Parameters:
    ///   - patience: how late something may be before that is a fault.
    ///   - standing: the services of which no instance can do anything, by what this machine says of their processes: a sentence.
    ///   - doubt: why consumers do not believe a record of identity's topic though its headers are right: the sentence's end.
    ///   - foundDown: is told which services do not run, if any, before the topics are read, which may take long.
    package init(
        _ stores: [HistoryStore], kafka: KafkaSettings, patience: Duration = .seconds(30),
        standing: [ServiceName: String] = [:],
        doubt: @escaping @Loop (KafkaRecord) async throws -> String? = { _ in nil },
        foundDown: @escaping @Loop ([LedgerFault]) -> Void = { _ in },
        progress: @escaping @Loop (_ what: String, _ share: Double, _ records: Int64) -> Void = { _, _, _ in }
    ) {
        self.stores = stores
        self.kafka = kafka
        self.patience = patience
        self.standing = standing
        self.doubt = doubt
        self.foundDown = foundDown
        self.progress = progress
    }

    /// Reads and compares everything.
    ///
    /// - Throws: `PostgresError`, `KafkaError`, or `EventDecodingError` if this build cannot read an event.
    package func examine() async throws -> Findings {
        var marks: [ServiceName: [ConsumerMark]] = [:]
        for store in stores { marks[store.service] = try await ConsumerMark.all(store) }
        try await findWhoIsDown()
        let reader = try PartitionReader(settings: kafka)
        do {
            for store in stores { try await examine(store, marks, reader) }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
        for index in findings.services.indices {
            let service = findings.services[index].service
            findings.services[index].consumers.sort { $0.source.rawValue < $1.source.rawValue }
            findings.services[index].parked = try await parked(stores.first { $0.service == service }!)
        }
        return findings
    }

    private func findWhoIsDown() async throws {
        let faults = try await Self.down(stores, standing: standing)
        down = Set(faults.map(\.service))
        findings.faults += faults.map(\.fault)
        foundDown(findings.faults)
    }

    private func examine(
        _ store: HistoryStore, _ marks: [ServiceName: [ConsumerMark]], _ reader: PartitionReader
    ) async throws {
        var row = row(of: store.service)
        let relay = try await store.pool.query("select cursor, lease_until > clock_timestamp() from relay").rows[0]
        row.cursor = relay.int(0)
        row.refused = try await store.pool.query("select coalesce(refused, '') from head").first?.text(0)
        if row.refused == "" { row.refused = nil }
        let topic = Topic(store.service)
        let readers = stores.filter { $0.history.reads.contains(store.service) }.map { reader in
            (reader, (marks[reader.service] ?? []).filter { $0.topic == topic.name })
        }
        let tails = try await RelayTail.all(store)
        let scans = try await scan(topic, reader, readers.flatMap(\.1), tails)
        row.head = try await store.head()
        row.topicMessages = scans.reduce(0) { $0 + $1.messages.count }
        row.topicEnd = scans.compactMap { $0.messages.map(\.position).max() }.max() ?? 0
        let shared = try await store.pool.withConnection { try await Lineage.read($0).shared }
        // A relay that holds its lease has found that topic and log agree.
        let log = LogComparison(
            store: store, scans: scans, cursor: row.cursor, head: row.head, shared: shared,
            isPublishing: relay.bool(1) && row.refused == nil)
        findings.faults += scans.flatMap { $0.faults(shared) }
        let comparison = try await log.faults()
        let reset = scans.filter { $0.isReset(tails) }.map(\.topicPartition).sorted()
        // What a recreated topic does not hold was not lost in transit.
        findings.faults += reset.isEmpty ? comparison : comparison.filter { $0.kind != .lost }
        for partition in reset {
            let gone = comparison.filter { $0.kind == .lost && $0.place == "\(partition)" }.count
            findings.faults.append(
                LedgerFault(
                    kind: .topicReset, place: "\(partition)",
                    detail:
                        "the relay wrote a record there that is gone, \(gone) messages with it: the topic was deleted and "
                        + "recreated"))
        }
        if row.cursor < row.head {
            row.relayLate = try await store.waiting(behind: row.cursor, publishedOnly: true)
            if row.relayLate > patience, !down.contains(store.service) {
                let why = relay.bool(1) ? "its holder is alive: see the service's log" : "nobody holds its lease"
                late("\(store.service.rawValue) relay", row.relayLate, why)
            }
        }
        if let refused = row.refused {
            findings.faults.append(
                LedgerFault(kind: .refused, place: store.service.rawValue, detail: "appends are refused: \(refused)"))
        }
        for model in store.history.readModels {
            let position =
                try await store.pool.query("select position from projections where name = $1", [.text(model.name)])
                .first?.int(0) ?? 0
            let wait = position < row.head ? try await store.waiting(behind: position) : .zero
            if position > row.head {
                findings.faults.append(
                    LedgerFault(
                        kind: .databaseWentBack, place: "\(store.service.rawValue)/\(model.name)",
                        detail: "it is folded to \(position), but the log ends at \(row.head)"))
            }
            row.readModels.append(ReadModelLedger(name: model.name, position: position, late: wait))
            if wait > patience, !down.contains(store.service) {
                let cause = try await store.blocker() ?? "no instance folds it, or an event cannot be read"
                late("\(store.service.rawValue)/\(model.name)", wait, cause)
            }
        }
        if store.service == .notifications, !down.contains(store.service) {
            let wait = try await store.webhooksLate()
            if wait > patience {
                late("\(store.service.rawValue)/webhooks", wait, "nobody sends what is due: see its log")
            }
        }
        put(row)
        for (reader, marks) in readers { try await compare(reader, store, marks, scans, isReset: !reset.isEmpty) }
    }

    private func scan(
        _ topic: Topic, _ reader: PartitionReader, _ marks: [ConsumerMark], _ tails: [Int32: RelayTail]
    ) async throws -> [PartitionScan] {
        var scans: [PartitionScan] = []
        for partition in 0..<topic.partitions {
            let topicPartition = TopicPartition(topic: topic.name, partition: partition)
            var scan = PartitionScan(topicPartition, of: topic)
            let own = marks.filter { $0.partition == partition }
            var offsets = Set(own.map { $0.nextOffset - 1 })
            // As many as are under way at a time, of which one may be what ends the process.
            for mark in own where mark.suspect != nil { offsets.formUnion(mark.nextOffset..<mark.nextOffset + 128) }
            if let tail = tails[partition] { offsets.insert(tail.offset) }
            guard let ends = try await ends(of: topicPartition, reader) else {
                scans.append(scan)
                continue
            }
            scan.low = ends.low
            scan.high = ends.high
            var next = scan.low
            if next < scan.high { try await reader.assign(topicPartition, from: next) }
            while next < scan.high {
                guard case .records(let records) = try await reader.next() else { break }
                for record in records where record.offset < scan.high {
                    let doubt = topic.name == Topic(.identity).name ? try await doubt(record) : nil
                    scan.take(record, remembering: offsets, doubt: doubt)
                }
                next = (records.last?.offset ?? next) + 1
                scannedRecords += Int64(records.count)
                let share = Double(scannedTopics) + Double(partition) / Double(topic.partitions)
                progress(topic.name, share / Double(stores.count), scannedRecords)
            }
            await reader.stop()
            scans.append(scan)
        }
        scannedTopics += 1
        return scans
    }

    /// The first and the end offset of a partition; nil if there is no such topic.
    private func ends(
        of partition: TopicPartition, _ reader: PartitionReader
    ) async throws -> PartitionReader.Watermarks? {
        do throws(KafkaError) {
            return try await reader.watermarks(partition)
        } catch {
            if error.code == .unknownTopic { return nil }
            throw error
        }
    }

    private func late(_ place: String, _ wait: Duration, _ cause: String) {
        findings.faults.append(
            LedgerFault(kind: .late, place: place, detail: "\(wait.milliseconds / 1_000) s behind: \(cause)"))
    }

    private func row(of service: ServiceName) -> ServiceLedger {
        findings.services.first { $0.service == service } ?? ServiceLedger(service: service)
    }

    private func put(_ row: ServiceLedger) {
        if let index = findings.services.firstIndex(where: { $0.service == row.service }) {
            findings.services[index] = row
        } else {
            findings.services.append(row)
        }
    }
}

extension Ledger {
    /// Compares one consumer with one topic.
    private func compare(
        _ consumer: HistoryStore, _ source: HistoryStore, _ marks: [ConsumerMark], _ scans: [PartitionScan],
        isReset: Bool
    ) async throws {
        var line = ConsumerLedger(source: source.service)
        let byPartition = Dictionary(uniqueKeysWithValues: marks.map { ($0.partition, $0) })
        // One moved offset is a problem of one row; a topic in which nothing is where it was is a different topic.
        let remembered = scans.compactMap { scan in byPartition[scan.topicPartition.partition].map { ($0, scan) } }
            .filter { $0.0.lastIdentity != nil }
        let isAnother = remembered.count > 1 && remembered.allSatisfy { !$0.0.stands(in: $0.1) }
        if isAnother, !isReset {
            findings.faults.append(
                LedgerFault(
                    kind: .topicReset, place: "\(consumer.service.rawValue) ← \(Topic(source.service).name)",
                    detail: "none of \(remembered.count) partitions holds the record that it remembers: the topic was "
                        + "deleted and recreated"))
        }
        for scan in scans {
            let mark = byPartition[scan.topicPartition.partition]
            if let mark {
                findings.faults += mark.faults(consumer.service, scan, isReset: isReset || isAnother)
                line.seen = max(line.seen, mark.seen)
            }
            let unseen = scan.messages.filter { $0.position > mark?.seen ?? 0 && $0.offset >= mark?.nextOffset ?? 0 }
            guard let first = unseen.min(by: { $0.position < $1.position }) else { continue }
            line.behind += unseen.count
            let wait = try await source.waiting(behind: first.position - 1)
            line.late = max(line.late, wait)
            if wait > patience {
                let cause = try await mark?.cause(consumer, scan) ?? "it was never claimed: is the service running?"
                line.cause = cause
                if down.contains(consumer.service) { continue }
                late("\(consumer.service.rawValue) ← \(scan.topicPartition)", wait, cause)
            }
        }
        var row = row(of: consumer.service)
        row.consumers.append(line)
        put(row)
    }

    private func parked(_ store: HistoryStore) async throws -> Int64 {
        let rows = try await store.pool.query(
            """
            select topic, partition, key, count(*), (array_agg(reason order by id))[1], min(record_offset)
            from parked_messages group by 1, 2, 3 order by 1, 2, 3
            """
        ).rows
        for row in rows {
            let successors = row.int(3) - 1
            findings.faults.append(
                LedgerFault(
                    kind: .parked, place: "\(store.service.rawValue) ← \(row.text(0))[\(row.int(1))]@\(row.int(5))",
                    detail: "key \(row.text(2)): \(row.text(4))"
                        + (successors > 0 ? "; \(successors) more of that key wait behind it" : "")))
        }
        return rows.reduce(0) { $0 + $1.int(3) }
    }
}
