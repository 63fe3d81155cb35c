import EventSourcing
import EventStore
import JSON
import Kafka
import Observability
import Primitives
import Runtime

extension PartitionWorker {
    /// Sets a record aside in the step that moves the watermark past it.
    func park(_ record: KafkaRecord, _ reason: String, _ pending: PendingMessage) async throws {
        // What came for someone who is gone needs no parking: there is nothing it could do.
        if reason == "erased" { return }
        let append = append([ParkedMessage.park(record, reason)])
        _ = try await retrying { try await pending.append(append) }
        parkedKeys?.insert(pending.key)
        log.error(
            "message is parked",
            ["partition": .string("\(place)"), "offset": .int(record.offset), "code": .string(reason)])
    }

    /// Handles what an operator released, key by key in order, and forgets what was dropped.
    func releaseParked() async throws {
        var kept: Set<String> = []
        while true {
            let heads = try await retrying { try await ParkedMessage.released(self.store.pool, self.place) }
                .filter { !kept.contains($0.key) }
            if heads.isEmpty { break }
            for parked in heads {
                do {
                    try await release(parked)
                    log.notice(
                        "parked message is gone",
                        ["partition": .string("\(place)"), "offset": .int(parked.record.offset)])
                } catch let trouble as Unhandled {
                    log.error("released message is parked again", ["code": .string(trouble.code)])
                    try await retrying { try await parked.keep(self.store.pool) }
                    kept.insert(parked.key)
                }
            }
        }
        parkedKeys = try await retrying { try await ParkedMessage.keys(self.store.pool, self.place) }
    }

    private func release(_ parked: ParkedMessage) async throws {
        let unpark = parked.unpark(epoch: lane.stored.epoch)
        if !parked.isDropped {
            let message: ReceivedMessage
            do throws(UnreadableRecord) { message = try ReceivedMessage(parked.record) } catch {
                throw Unhandled(code: error.code)
            }
            guard try await retrying({ try await parked.mayBeTried(self.store.pool) }) else {
                throw Unhandled(code: "killed-the-process")
            }
            do {
                let gate = UnparkingGate(store, unpark)
                try await retrying { try await self.handler.handle(message, through: gate) }
            } catch let trouble as Unhandled where trouble.code == "erased" {}
        }
        // The handler may have had nothing to append, or a repeat whose calls did not run again.
        do {
            _ = try await retrying { try await self.store.append(self.append([unpark])) }
        } catch let trouble as Unhandled where trouble.code == RowRefusal.notParked.description {}
    }

    private func append(_ calls: [RowCall]) -> Append {
        let metadata = EventMetadata(owner: nil, correlation: .v7(), actor: "consumer")
        return Append(id: .v7(), requestHash: [], metadata: metadata, writes: [], calls: calls)
    }
}

/// Takes a message off the table of parked ones in the append that says what it led to.
@Loop private final class UnparkingGate: AppendGate {
    private let store: EventStore
    private let unpark: RowCall

    init(_ store: EventStore, _ unpark: RowCall) {
        self.store = store
        self.unpark = unpark
    }

    func append(_ append: Append) async throws(AppendError) -> AppendReceipt {
        try await store.append(append.adding([unpark]))
    }
}
