import EventRelay
import EventSourcing
import EventStore
import JSON
import Kafka
import Observability
import Primitives
import Runtime

extension PartitionWorker {
    /// Something is missing: says what, and stops the watermark. Beyond the gap nothing is applied but erasures, until a
    /// record closes the chain.
    func raiseAlarm(_ expected: Int64, _ found: Int64, _ record: KafkaRecord) async throws {
        try await rest()
        let text = "expected the successor of position \(expected), found that of \(found) at offset \(record.offset)"
        log.error("messages are missing", ["partition": .string("\(place)"), "missing": .string(text)])
        alarm = text
        let watermark = lane.stored
        try await retrying { try await watermark.note(self.store.pool, alarm: text) }
    }

    /// Beyond a gap a relay's mark still tells whose records count from here on.
    func noteMark(_ next: Watermark) {
        lane.planned.sourceEpoch = next.sourceEpoch
        lane.planned.incarnation = next.incarnation
    }

    func applyErasure(_ record: KafkaRecord) async throws {
        guard let message = try? ReceivedMessage(record), handler.isErasure(message) else { return }
        do {
            // It comes again once the chain is whole, and its append is known by then.
            try await retrying { try await self.handler.handle(message, through: self.store) }
        } catch let trouble as Unhandled {
            log.error(
                "erasure beyond a gap failed", ["partition": .string("\(place)"), "code": .string(trouble.code)])
        }
    }

    /// The publisher was restored: what followed here from its undone messages is taken back, then the chain goes on.
    func takeBack(beyond fork: Int64, _ lineage: [UUID: Int64], _ next: Watermark) async throws {
        try await lane.drain()
        if lane.planned.seen > fork {
            try await flush()
            log.warning(
                "the publisher's store was restored",
                ["partition": .string("\(place)"), "fork": .int(fork), "seen": .int(lane.planned.seen)])
            var shared = lineage
            if let old = lane.planned.incarnation { shared[old] = fork }
            let history = shared
            do {
                try await retrying { try await self.takeBack(beyond: history) }
            } catch let trouble as Unhandled {
                // Going on would leave the effect in place for ever; the partition is held until it can be taken back.
                throw OrphanRefused(code: trouble.code)
            }
        }
        alarm = nil
        try await retrying { try await self.lane.jump(to: next) }
    }

    private func takeBack(beyond shared: [UUID: Int64]) async throws {
        // Origins read `service/incarnation/position`; the topic is the service's.
        let service = place.topic.split(separator: ".").dropFirst().first ?? ""
        var place: Int64 = 0
        while true {
            let events = try await store.readLog(after: place, limit: 1000)
            guard let last = events.last else { return }
            for event in events {
                guard let parts = event.metadata.origin?.split(separator: "/"), parts.count == 3, parts[0] == service,
                    let fork = UUID(parts[1]).flatMap({ shared[$0] }), let position = Int64(parts[2]), position > fork
                else { continue }
                try await handler.orphan(event)
            }
            place = last.position
        }
    }
}

/// A message's effect could not be taken back.
private struct OrphanRefused: Error {
    let code: String
}
