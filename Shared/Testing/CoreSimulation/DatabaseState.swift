package import EventConsumer
package import EventRelay
package import EventSourcing
package import EventStore
package import JSON
package import Kafka
package import Primitives

/// Everything that a service's schema holds, and its SQL functions: a value, so that a dump is a copy.
///
/// Each function here is one statement, judged after the head lock: it happens at one moment and as a whole.
package struct DatabaseState: Sendable {
    /// The row of a consumed partition.
    package struct PartitionRow: Sendable {
        package var watermark: Watermark
        package var isClean = true
        package var suspect: String?
        package var attempts: Int64 = 0
        /// The last words beyond a gap that were begun, and how often.
        package var lastWords: [String: Int64] = [:]
        package var alarm: String?
    }

    /// The row of a message that was set aside.
    package struct ParkedRow: Sendable {
        package let partition: TopicPartition
        package let offset: Int64
        package let key: String
        package let identity: String
        package let reason: String
        package let headers: JSONValue
        package let value: [UInt8]
        package var isReleased = false
        package var isDropped = false
        package var attempts: Int64 = 0
    }

    /// The relay's row.
    package struct RelayRow: Sendable {
        package var epoch: Int64 = 0
        package var holder: UUID?
        package var leaseUntil: Int64 = .min
        package var cursor: Int64 = 0
        package var rewindTo: Int64?
    }

    package internal(set) var events: [RecordedEvent] = []
    package internal(set) var incarnation: UUID
    package internal(set) var refusal: String?
    package internal(set) var relay = RelayRow()
    package internal(set) var tails: [Int32: PartitionTail] = [:]
    package internal(set) var partitions: [TopicPartition: PartitionRow] = [:]
    package var parked: [ParkedRow] = []
    package internal(set) var erased: Set<UUID> = []

    private var positions: [UUID: Int64] = [:]
    private var hashes: [UUID: [UInt8]] = [:]
    private var versions: [StreamName: Int64] = [:]
    private var ancestry: [UUID: (parent: UUID?, fork: Int64)] = [:]
    private var cut: [UUID: UUID] = [:]
    private var disowned: [UUID: Set<DisownedRecord>] = [:]

    package init(incarnation: UUID) {
        self.incarnation = incarnation
        ancestry[incarnation] = (nil, 0)
    }

    /// The highest position.
    package var end: Int64 { Int64(events.count) }

    /// The version of a stream; 0 when there is none.
    package func version(_ stream: StreamName) -> Int64 { versions[stream] ?? 0 }

    /// Events after a position.
    package func events(after position: Int64, limit: Int) -> [RecordedEvent] {
        position >= end ? [] : Array(events[Int(max(0, position))...].prefix(limit))
    }

    // MARK: append_batch

    /// Commits a batch as `append_batch` does.
    package mutating func append(_ batch: AppendBatch, at time: Timestamp) -> [AppendResult] {
        if let refusal { return batch.appends.map { _ in .failure(.storeRefused(refusal)) } }
        var results: [AppendResult] = []
        var accepted: [(place: Int, append: Append)] = []
        // What the batch adds to the streams: a copy of all of them would cost more than the rest.
        var changes: [StreamName: Int64] = [:]
        var place = 0
        for size in batch.groupSizes {
            let group = Array(batch.appends[place..<(place + size)])
            var verdicts: [AppendResult?] = group.map { verdict($0) }
            var changed = changes
            for (index, append) in group.enumerated() where verdicts[index] == nil {
                var own = changed
                for write in append.writes {
                    let found = own[write.stream] ?? versions[write.stream] ?? 0
                    if found == write.expectedVersion {
                        own[write.stream] = found + Int64(write.events.count)
                    } else {
                        verdicts[index] = .failure(.conflict(write.stream, actualVersion: found))
                    }
                }
                if verdicts[index] == nil { changed = own }
            }
            var stands = verdicts.allSatisfy { if case .failure? = $0 { false } else { true } }
            if stands {
                let saved = self
                for (index, append) in group.enumerated() where verdicts[index] == nil && stands {
                    for call in append.calls {
                        guard let refused = self.call(call) else { continue }
                        self = saved
                        verdicts[index] = .failure(.guarded(refused))
                        stands = false
                        break
                    }
                }
            }
            for (index, append) in group.enumerated() {
                if let verdict = verdicts[index] {
                    results.append(verdict)
                } else if stands {
                    accepted.append((results.count, append))
                    results.append(.success(AppendReceipt(position: 0, recordedAt: time, isRepeat: false)))
                } else {
                    results.append(.failure(.groupRefused))
                }
            }
            if stands { changes = changed }
            place += size
        }
        for (place, append) in accepted {
            let first = append.writes.isEmpty ? 0 : end + 1
            insert(append, at: time)
            results[place] = .success(AppendReceipt(position: first, recordedAt: time, isRepeat: false))
        }
        return results
    }

    private func verdict(_ append: Append) -> AppendResult? {
        if !append.writes.isEmpty, let position = positions[Append.eventID(append.id, 0)] {
            let event = events[Int(position) - 1]
            guard hashes[event.id] == append.requestHash else { return .failure(.idReused) }
            return .success(AppendReceipt(position: position, recordedAt: event.recordedAt, isRepeat: true))
        }
        if let owner = append.metadata.owner, erased.contains(owner), !append.thoughErased { return .failure(.erased) }
        return nil
    }

    private mutating func insert(_ append: Append, at time: Timestamp) {
        var index = 0
        for write in append.writes {
            for event in write.events {
                let id = Append.eventID(append.id, index)
                let version = (versions[write.stream] ?? 0) + 1
                versions[write.stream] = version
                positions[id] = end + 1
                if index == 0 { hashes[id] = append.requestHash }
                events.append(
                    RecordedEvent(
                        position: end + 1, stream: write.stream, version: version, id: id, type: event.type,
                        data: event.data, metadata: append.metadata, recordedAt: time))
                index += 1
            }
        }
    }

    // MARK: Row functions

    /// Runs a row function; what it refuses with.
    private mutating func call(_ call: RowCall) -> RowRefusal? {
        let arguments = call.arguments
        do {
            switch call.name {
            case "move_watermark": return try moveWatermark(arguments)
            case "park": try park(arguments)
            case "unpark": return try unpark(arguments)
            case "erase_subject": erased.insert(try arguments.uuid("subject"))
            default: preconditionFailure("The simulated schema has no function row_\(call.name).")
            }
        } catch {
            preconditionFailure("The simulated row_\(call.name) cannot read its arguments: \(error).")
        }
        return nil
    }

    private mutating func moveWatermark(_ arguments: JSONObject) throws(JSONError) -> RowRefusal? {
        let place = try Self.place(arguments)
        guard var row = partitions[place], row.watermark.epoch == (try arguments.int("epoch")),
            row.watermark.nextOffset == (try arguments.int("fromOffset")),
            row.watermark.seen == (try arguments.int("fromSeen"))
        else { return .watermark }
        row.watermark.nextOffset = try arguments.int("nextOffset")
        row.watermark.lastIdentity = try arguments.optionalString("lastIdentity")
        row.watermark.incarnation = try arguments.optionalUUID("incarnation")
        row.watermark.seen = try arguments.int("seen")
        row.watermark.sourceEpoch = try arguments.int("sourceEpoch")
        row.watermark.fork = try arguments.optionalInt("fork")
        row.alarm = nil
        partitions[place] = row
        return nil
    }

    private mutating func park(_ arguments: JSONObject) throws(JSONError) {
        let place = try Self.place(arguments)
        let identity = try arguments.string("identity")
        if parked.contains(where: { $0.partition == place && $0.identity == identity }) { return }
        parked.append(
            ParkedRow(
                partition: place, offset: try arguments.int("offset"), key: try arguments.string("key"),
                identity: identity, reason: try arguments.string("reason"), headers: try arguments.required("headers"),
                value: Hex.decode(try arguments.string("value")) ?? []))
    }

    private mutating func unpark(_ arguments: JSONObject) throws(JSONError) -> RowRefusal? {
        let place = try Self.place(arguments)
        let identity = try arguments.string("identity")
        guard let row = partitions[place], row.watermark.epoch == (try arguments.int("epoch")) else {
            return .watermark
        }
        guard let index = parked.firstIndex(where: { $0.partition == place && $0.identity == identity }) else {
            return .notParked
        }
        if parked[..<index].contains(where: { $0.partition == place && $0.key == parked[index].key }) {
            return .watermark
        }
        let freed = parked.remove(at: index)
        if let next = parked.firstIndex(where: { $0.partition == place && $0.key == freed.key }) {
            parked[next].isReleased = true
        }
        return nil
    }

    private static func place(_ arguments: JSONObject) throws(JSONError) -> TopicPartition {
        TopicPartition(topic: try arguments.string("topic"), partition: Int32(try arguments.int("partition")))
    }

    // MARK: Incarnations

    /// The incarnations, as `Lineage.read` finds them.
    package var lineage: Lineage {
        var shared: [UUID: Int64] = [:]
        var next: UUID? = incarnation
        var last = Int64.max
        while let current = next, let (parent, fork) = ancestry[current] {
            shared[current] = min(shared[current] ?? .max, last)
            for (gone, successor) in cut where successor == current {
                shared[gone] = min(shared[gone] ?? .max, last, fork)
            }
            last = min(last, fork)
            next = parent
        }
        let (parent, fork) = ancestry[incarnation]!
        return Lineage(
            incarnation: incarnation, parent: parent, fork: fork, shared: shared, disowned: disowned[incarnation])
    }

    /// Confirms a restore, as `begin_incarnation` does.
    mutating func begin(
        _ next: UUID, fork: Int64, published: Int64, topEpoch: Int64, found: [UUID],
        disowning records: [DisownedRecord]
    ) {
        if !records.isEmpty { disowned[next] = Set(records) }
        ancestry[next] = (incarnation, fork)
        for gone in found where ancestry[gone] == nil && cut[gone] == nil { cut[gone] = next }
        incarnation = next
        refusal = nil
        tails = [:]
        relay.cursor = min(relay.cursor, published)
        relay.epoch = max(relay.epoch, topEpoch) + 1
        relay.holder = nil
        relay.leaseUntil = .min
        relay.rewindTo = nil
    }
}
