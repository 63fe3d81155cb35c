import EventSourcing
import History
import Postgres
package import Primitives
package import Runtime

/// Captures a case from the logs: its timeline and all earlier events of the streams it touches.
@Loop package struct CaptureMaker {
    private let stores: [HistoryStore]

    package init(_ stores: [HistoryStore]) { self.stores = stores }

    /// The case of a session, user or event; without entries if the id is unknown.
    ///
    /// - Throws: `PostgresError`, or `EventDecodingError` if this build cannot read an event.
    package func capture(_ id: UUID) async throws -> Capture {
        let timeline = try await TimelineTracer(stores).trace(id)
        var entries = timeline.events.map { Capture.Entry(service: $0.place.service, event: $0.event, cause: $0.cause) }
        var known = Set(timeline.events.map(\.place))
        // Earlier events of an owner's stream matter too, such as a used-up allowance.
        for store in stores {
            let own = timeline.events.filter { $0.place.service == store.service }
            for (stream, events) in Dictionary(grouping: own, by: { $0.event.stream }) {
                for event in try await store.stream(stream, upTo: events.map(\.event.version).max() ?? 0)
                where known.insert(EventPlace(store.service, event.position)).inserted {
                    let before = entries.firstIndex {
                        $0.service == store.service && $0.event.position > event.position
                    }
                    entries.insert(
                        Capture.Entry(service: store.service, event: event, cause: nil), at: before ?? entries.endIndex)
                }
            }
        }
        let bare = Capture(subject: id.description, entries: entries)
        let run = ReplayRun(bare, stores.map(\.history))
        while let step = try run.step() {
            guard let last = step.events.last else { continue }
            let place = entries.firstIndex { $0.service == step.service && $0.event.position == last.position }
            if let place { entries[place].state = step.state }
        }
        return Capture(subject: id.description, entries: entries, rows: try run.rows())
    }
}
