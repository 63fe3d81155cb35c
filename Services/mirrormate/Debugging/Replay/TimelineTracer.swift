import Contracts
import EventSourcing
import EventStore
import History
import Postgres
package import Primitives
package import Runtime

/// Follows causes and effects through the logs of all services, using only indexed lookups.
///
/// The id of what a service appends in response to a message is derived from the message's position, so effects are found
/// by id; causes are named in the metadata. Streams of the same case are included completely.
@Loop package final class TimelineTracer {
    private let stores: [ServiceName: HistoryStore]
    private var incarnations: [ServiceName: [UUID]] = [:]
    private var found: [EventPlace: TimelineEvent] = [:]
    private var wanted: [ServiceName: Wanted] = [:]
    private var askedStreams: Set<String> = []
    private var effects: [UUID: EventPlace] = [:]
    private var published: [(EventPlace, MessageType, MessageKey)] = []
    private var foreignCauses: [(EventPlace, MessageOrigin)] = []

    private struct Wanted {
        var ids: Set<UUID> = []
        var positions: Set<Int64> = []
        var streams: Set<String> = []
        var isEmpty: Bool { ids.isEmpty && positions.isEmpty && streams.isEmpty }
    }

    package init(_ stores: [HistoryStore]) {
        self.stores = Dictionary(uniqueKeysWithValues: stores.map { ($0.service, $0) })
    }

    /// The timeline of a session, a user or the case that an event belongs to; empty if the id is unknown.
    ///
    /// - Throws: `PostgresError`, or `EventDecodingError` if this build cannot read an event.
    package func trace(_ id: UUID) async throws -> Timeline {
        for (service, store) in stores {
            incarnations[service] = try await store.incarnations()
            wanted[service, default: Wanted()].ids.insert(id)
            for aggregate in store.history.aggregates { want(aggregate.categories, id, in: service) }
        }
        while wanted.values.contains(where: { !$0.isEmpty }) {
            let round = wanted
            wanted = [:]
            for (service, wish) in round where !wish.isEmpty {
                for event in try await look(stores[service]!, wish) { try take(event, service) }
            }
        }
        let gaps = try await TimelineGaps(stores: stores, found: found, foreignCauses: foreignCauses)
            .find(published.filter { found[$0.0] != nil }, incarnations)
        return Timeline(
            events: Self.ordered(linked()), gaps: gaps, outages: try await outages(gaps),
            publishing: try await changes(gaps) { try await $0.publishingChanges(since: $1) },
            upkeep: try await changes(gaps) { try await $0.upkeep(since: $1) })
    }

    /// When services of the case, and those that it waits for, did not run between the first event and the last, or now while
    /// something is missing. A restart takes a second or two and explains nothing.
    private func outages(_ gaps: [TimelineGap]) async throws -> [Outage] {
        let times = found.values.map(\.event.recordedAt)
        guard let first = times.min(), let last = times.max() else { return [] }
        let concerned = Set(found.keys.map(\.service)).union(gaps.compactMap(\.waitsFor))
        var outages: [Outage] = []
        for store in stores.values where concerned.contains(store.service) {
            outages += try await store.lives().outages.filter { outage in
                guard let until = outage.until else { return !gaps.isEmpty }
                return until > first && (!gaps.isEmpty || outage.from < last) && until - outage.from > .seconds(3)
            }
        }
        return outages.sorted { ($0.from, $0.service.rawValue) < ($1.from, $1.service.rawValue) }
    }

    /// What changed in publishing, or was done to stores, meanwhile, as far as the case has to do with it.
    private func changes(
        _ gaps: [TimelineGap], _ since: @Loop (HistoryStore, Timestamp) async throws -> [ServiceChange]
    ) async throws -> [ServiceChange] {
        let times = found.values.map(\.event.recordedAt)
        guard let first = times.min(), let last = times.max() else { return [] }
        let concerned = Set(found.keys.map(\.service)).union(gaps.compactMap(\.waitsFor))
        var changes: [ServiceChange] = []
        for store in stores.values where concerned.contains(store.service) {
            changes += try await since(store, first).filter { !gaps.isEmpty || $0.at < last }
        }
        return changes.sorted { ($0.at, $0.service.rawValue) < ($1.at, $1.service.rawValue) }
    }

    private func want(_ categories: Set<String>, _ id: UUID, in service: ServiceName) {
        for category in categories {
            let stream = "\(category)-\(id)"
            if askedStreams.insert("\(service.rawValue)/\(stream)").inserted {
                wanted[service, default: Wanted()].streams.insert(stream)
            }
        }
    }

    private func look(_ store: HistoryStore, _ wish: Wanted) async throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        if !wish.ids.isEmpty {
            events += try await store.events(where: "id = any($1)", [.uuids(Array(wish.ids))])
        }
        let positions = wish.positions.filter { found[EventPlace(store.service, $0)] == nil }
        if !positions.isEmpty {
            events += try await store.events(where: "position = any($1)", [.ints(Array(positions))])
        }
        if !wish.streams.isEmpty {
            events += try await store.events(where: "stream = any($1)", [.texts(Array(wish.streams))])
        }
        return events
    }

    private func take(_ event: RecordedEvent, _ service: ServiceName) throws {
        let place = EventPlace(service, event.position)
        guard found[place] == nil, let store = stores[service] else { return }
        found[place] = TimelineEvent(place: place, event: event, words: try store.history.words(event))
        if let origin = event.metadata.origin {
            if let origin = MessageOrigin(origin) {
                wanted[origin.service, default: Wanted()].positions.insert(origin.position)
                foreignCauses.append((place, origin))
            }
        } else if let causation = event.metadata.causation {
            wanted[service, default: Wanted()].ids.insert(causation)
        }
        if let id = event.stream.id, let aggregate = store.history.aggregate(of: event.stream),
            !aggregate.owners.contains(String(event.stream.category))
        {
            for (other, store) in stores {
                for aggregate in store.history.aggregates {
                    want(aggregate.categories.subtracting(aggregate.owners), id, in: other)
                }
            }
        }
        guard let outgoing = try store.history.publication(event) else { return }
        published.append((place, outgoing.type, outgoing.key))
        for (other, store) in stores where store.history.hears.contains(outgoing.type) {
            for incarnation in incarnations[service] ?? [] {
                let append = MessageOrigin(
                    service: service, incarnation: incarnation, position: event.position
                ).appendID
                for index in 0..<4 {
                    let effect = Append.eventID(append, index)
                    effects[effect] = place
                    wanted[other, default: Wanted()].ids.insert(effect)
                }
            }
        }
    }

    /// The events with their causes.
    private func linked() -> [EventPlace: TimelineEvent] {
        var byID: [UUID: EventPlace] = [:]
        for (place, step) in found { byID[step.event.id] = place }
        return found.mapValues { step in
            var step = step
            step.cause = effects[step.event.id] ?? step.event.metadata.causation.flatMap { byID[$0] }
            if step.cause == step.place { step.cause = nil }
            if let cause = step.cause.flatMap({ found[$0] }) {
                step.lateness = step.event.recordedAt - cause.event.recordedAt
            }
            return step
        }
    }

    /// By time, but never before a cause or before what the same log holds earlier.
    private static func ordered(_ steps: [EventPlace: TimelineEvent]) -> [TimelineEvent] {
        let sorted = steps.values.sorted {
            ($0.event.recordedAt, $0.place.service.rawValue, $0.event.position)
                < ($1.event.recordedAt, $1.place.service.rawValue, $1.event.position)
        }
        var earlier: [EventPlace: EventPlace] = [:]
        for service in ServiceName.allCases {
            let own = sorted.filter { $0.place.service == service }.sorted { $0.event.position < $1.event.position }
            for (before, after) in zip(own, own.dropFirst()) { earlier[after.place] = before.place }
        }
        var done: Set<EventPlace> = []
        var result: [TimelineEvent] = []
        for step in sorted {
            // An explicit stack, because chains of causes can be as long as a log.
            var waiting = [step.place]
            while let place = waiting.last {
                if done.contains(place) {
                    waiting.removeLast()
                    continue
                }
                let needed = [steps[place]?.cause, earlier[place]].compactMap { $0 }
                    .filter { steps[$0] != nil && !done.contains($0) && !waiting.contains($0) }
                if needed.isEmpty {
                    done.insert(place)
                    if let step = steps[place] { result.append(step) }
                    waiting.removeLast()
                } else {
                    waiting += needed
                }
            }
        }
        return result
    }
}
