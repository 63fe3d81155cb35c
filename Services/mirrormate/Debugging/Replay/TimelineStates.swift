import Contracts
import EventSourcing
import History
import Postgres
import Primitives
package import Runtime

/// Adds to each step of a timeline the state of its stream after it.
@Loop package struct TimelineStates {
    private let stores: [HistoryStore]

    package init(_ stores: [HistoryStore]) { self.stores = stores }

    /// The timeline with states; streams are folded from their first event, whatever part of them it shows.
    ///
    /// - Throws: `PostgresError`, or `EventDecodingError` if this build cannot read an event.
    package func added(to timeline: Timeline) async throws -> Timeline {
        var events = timeline.events
        for store in stores {
            let own = events.indices.filter { events[$0].place.service == store.service }
            for (stream, places) in Dictionary(grouping: own, by: { events[$0].event.stream }) {
                guard let fold = store.history.aggregate(of: stream)?.open() else { continue }
                let versions = Dictionary(uniqueKeysWithValues: places.map { (events[$0].event.version, $0) })
                for event in try await store.stream(stream, upTo: versions.keys.max() ?? 0) {
                    try fold.apply(event)
                    if let place = versions[event.version] { events[place].state = fold.state }
                }
            }
        }
        return Timeline(
            events: events, gaps: timeline.gaps, outages: timeline.outages, publishing: timeline.publishing,
            upkeep: timeline.upkeep)
    }
}
