import Contracts
import EventSourcing
import EventStore
import History
import Postgres
import Primitives
import Runtime

/// Finds what is missing from a timeline.
@Loop struct TimelineGaps {
    let stores: [ServiceName: HistoryStore]
    let found: [EventPlace: TimelineEvent]
    /// Events with the message that each answers.
    let foreignCauses: [(EventPlace, MessageOrigin)]

    func find(
        _ published: [(EventPlace, MessageType, MessageKey)], _ incarnations: [ServiceName: [UUID]]
    ) async throws -> [TimelineGap] {
        var gaps = holes()
        for (place, origin) in foreignCauses {
            guard stores[origin.service] != nil else { continue }
            let cause = found[EventPlace(origin.service, origin.position)]
            if cause == nil || cause?.event.id != found[place]?.event.metadata.causation {
                gaps.append(.causeMissing(of: place, origin: origin))
            }
        }
        var cursors: [ServiceName: Int64] = [:]
        for (service, store) in stores {
            cursors[service] = try await store.pool.query("select cursor from relay").first?.int(0)
        }
        // Answers of two services to one message have the same id.
        let ids = Dictionary(grouping: found.values, by: \.place.service).mapValues { Set($0.map(\.event.id)) }
        for (place, type, key) in published.sorted(by: { $0.0.position < $1.0.position }) {
            if let cursor = cursors[place.service], cursor < place.position {
                gaps.append(.unpublished(place, type: type.name, cursor: cursor))
                continue
            }
            for store in stores.values where store.history.hears.contains(type) {
                let answers = (incarnations[place.service] ?? []).map {
                    let origin = MessageOrigin(service: place.service, incarnation: $0, position: place.position)
                    return Append.eventID(origin.appendID, 0)
                }
                if let own = ids[store.service], answers.contains(where: own.contains) { continue }
                if let gap = try await gap(place, type, key, at: store) { gaps.append(gap) }
            }
        }
        return gaps
    }

    /// Why a message has not been handled by a consumer; nil if it was seen and needed no event.
    private func gap(
        _ place: EventPlace, _ type: MessageType, _ key: MessageKey, at store: HistoryStore
    ) async throws -> TimelineGap? {
        let topic = Topic(place.service)
        let partition = topic.partition(of: key)
        let parked = try await store.pool.query(
            "select reason from parked_messages where topic = $1 and partition = $2 and identity like '%/' || $3",
            [.text(topic.name), .int(Int64(partition)), .text("\(place.position)")]
        ).first
        if let parked {
            return .parked(place, type: type.name, at: store.service, reason: parked.text(0))
        }
        let seen =
            try await store.pool.query(
                "select seen from consumer_partitions where topic = $1 and partition = $2",
                [.text(topic.name), .int(Int64(partition))]
            ).first?.int(0) ?? 0
        return seen < place.position ? .underWay(place, type: type.name, to: store.service, seen: seen) : nil
    }

    /// Missing versions of streams that should be complete.
    private func holes() -> [TimelineGap] {
        var versions: [String: (ServiceName, StreamName, Set<Int64>)] = [:]
        for step in found.values {
            let stream = step.event.stream
            guard let aggregate = stores[step.place.service]?.history.aggregate(of: stream),
                !aggregate.owners.contains(String(stream.category))
            else { continue }
            versions["\(step.place.service)/\(stream)", default: (step.place.service, stream, [])].2
                .insert(step.event.version)
        }
        return versions.values.flatMap { service, stream, known -> [TimelineGap] in
            guard let last = known.max() else { return [] }
            return (1...last).filter { !known.contains($0) }.map {
                .hole(service, stream: stream.description, version: $0)
            }
        }
    }
}
