package import EventSourcing
package import History
package import JSON
import Postgres
package import Primitives
package import Runtime

/// Folds histories into the states of aggregates and single rows of read models.
@Loop package struct StateFold {
    private let store: HistoryStore

    package init(_ store: HistoryStore) { self.store = store }

    /// A state and how far it was folded.
    package struct Snapshot: Sendable {
        /// The state or row; nil if there is none.
        package let value: JSONValue?
        /// The stream's version, for aggregates.
        package let version: Int64
        /// The last event that was folded.
        package let last: RecordedEvent?
    }

    /// An aggregate's state, folded from its stream up to a version and a moment; nil if no aggregate has such streams.
    ///
    /// - Throws: `PostgresError`, or `EventDecodingError` if this build cannot read an event.
    package func aggregate(
        _ stream: StreamName, upTo version: Int64 = .max, at moment: Timestamp? = nil
    ) async throws -> Snapshot? {
        guard let fold = store.history.aggregate(of: stream)?.open() else { return nil }
        let events = try await store.stream(stream, upTo: version, at: moment)
        for event in events { try fold.apply(event) }
        return Snapshot(
            value: events.isEmpty ? .none : .some(fold.state), version: events.last?.version ?? 0, last: events.last)
    }

    /// The events that can change a row, up to a position.
    ///
    /// - Throws: `PostgresError`.
    package func events(of key: String, in model: ReadModelHistory, upTo position: Int64) async throws
        -> [RecordedEvent]
    {
        try await store.events(
            where: "stream = any($1) and position <= $2",
            [.texts(model.streams(key).map(\.description)), .int(position)])
    }

    /// A row of a read model as it was when the log ended at a position.
    ///
    /// - Throws: `PostgresError`, or `FoldError` if this build cannot read an event.
    package func row(_ key: String, of model: ReadModelHistory, upTo position: Int64) async throws -> Snapshot {
        let changes = try await changes(of: key, in: model, upTo: position)
        return Snapshot(value: changes.last?.after.map(JSONValue.object), version: 0, last: changes.last?.event)
    }

    /// What one event did to a row.
    package struct Change: Sendable {
        package let event: RecordedEvent
        package let before: JSONObject?
        package let after: JSONObject?

        /// The fields that differ, with both values.
        package var fields: [(name: String, before: JSONValue, after: JSONValue)] {
            Difference.fields(before.map(JSONValue.object) ?? .null, after.map(JSONValue.object) ?? .null)
        }
    }

    /// The events that concern a row, with what each changed.
    ///
    /// - Throws: `PostgresError`, or `FoldError` if this build cannot read an event.
    package func changes(of key: String, in model: ReadModelHistory, upTo position: Int64) async throws -> [Change] {
        let fold = model.open()
        var changes: [Change] = []
        for event in try await events(of: key, in: model, upTo: position) {
            let steps = try model.steps(of: [LogEntry(event)])
            guard steps.keys.contains(key) else { continue }
            let before = fold.row(key)
            fold.fold(steps) { $0 == key }
            changes.append(Change(event: event, before: before, after: fold.row(key)))
        }
        return changes
    }
}
