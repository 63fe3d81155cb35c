package import EventSourcing
package import EventStore
import JSON
package import Observability
import Postgres
import Primitives
package import Runtime

/// Folds a service's own log into one read model, batch by batch, in position order.
///
/// A batch's rows and its position commit together. An unreadable event stops the fold and is never skipped.
@Loop package final class Projector<Model: ReadModel>: LiveReadModel {
    private static var batchSize: Int { 500 }

    private let store: EventStore
    private let log: Logger
    private let foreign: @Sendable (EventType) -> Bool
    /// The position up to which the read model is folded, as far as this instance knows.
    package private(set) var position: Int64 = 0
    /// Raised whenever rows have changed, for tasks of this process that wait for them.
    package let folded = Signal()
    /// Why the fold is stuck; nil if it is not.
    package private(set) var trouble: String?

    /// - Parameter foreign: whether an event type belongs to the platform and concerns no read model, such as learned keys.
    package init(
        _: Model.Type, store: EventStore, log: Logger, foreign: @escaping @Sendable (EventType) -> Bool = { _ in false }
    ) {
        self.store = store
        self.log = log
        self.foreign = foreign
    }

    /// Folds until the task is cancelled.
    package func run() async {
        var pause = Duration.milliseconds(100)
        while !Task.isCancelled {
            do {
                let known = store.head.position
                switch try await fold() {
                case .rows: folded.raise()
                case .nothing:
                    store.head.lower(from: known, to: position)
                    try await store.head.wait(beyond: position, atMost: .seconds(1))
                case .elsewhere: try await Loop.sleep(for: .milliseconds(100))
                }
                trouble = nil
                pause = .milliseconds(100)
            } catch is CancellationError {
                return
            } catch {
                if trouble == nil {
                    log.error(
                        "read model stands still", ["model": .string(Model.name), "reason": .string("\(error)")])
                }
                trouble = "\(error)"
                try? await Loop.sleep(for: pause)
                pause = min(pause * 2, .seconds(5))
            }
        }
    }

    /// Folds one batch; false if there was nothing to fold or another instance is folding.
    ///
    /// - Throws: `EventDecodingError` for an event that this build cannot read, `JSONError` for a row that it cannot,
    ///   `PostgresError`, or `CancellationError`; nothing of the batch is kept then.
    package func step() async throws -> Bool { try await fold() == .rows }

    /// What one look at the log came to.
    private enum Step { case rows, nothing, elsewhere }

    private func fold() async throws -> Step {
        try await store.pool.transaction { connection in
            let locked = try await connection.query(
                "select position from projections where name = $1 for update skip locked", [.text(Model.name)])
            guard let from = locked.first?.int(0) else {
                // Another instance folds, and this one knows how far all the same.
                let known = try await connection.query(
                    "select position from projections where name = $1", [.text(Model.name)])
                guard let position = known.first?.int(0) else { throw UnregisteredReadModel(name: Model.name) }
                self.position = position
                return .elsewhere
            }
            self.position = from
            // Over the connection that it has: who waits for a second one while holding the first can starve the pool.
            let events = try await connection.readLog(after: from, limit: Self.batchSize)
            guard let last = events.last else { return .nothing }
            try await self.fold(events, connection)
            _ = try await connection.query(
                "update projections set position = $2 where name = $1", [.text(Model.name), .int(last.position)])
            self.position = last.position
            CrashPoint.reached("projector.before-commit")
            return .rows
        }
    }

    private func fold(_ recorded: [RecordedEvent], _ connection: PostgresConnection) async throws {
        var steps: [(Model.Event, Timestamp, [Model.Key])] = []
        var touched: [String: Model.Key] = [:]
        for event in recorded where !foreign(event.type) {
            let decoded: Model.Event = try event.decoded()
            let keys = Model.keys(of: decoded)
            for key in keys { touched[Model.text(key)] = key }
            if !keys.isEmpty { steps.append((decoded, event.recordedAt, keys)) }
        }
        if steps.isEmpty { return }
        var rows: [String: Model.Row] = [:]
        let stored = try await connection.query(
            "select key, row_to_json(t) from \(Model.name) t where key = any($1)", [.texts(Array(touched.keys))])
        for row in stored.rows { rows[row.text(0)] = try Model.decode(JSONObject.parse(row.bytes(1))) }
        for (event, recordedAt, keys) in steps {
            for key in keys {
                let name = Model.text(key)
                rows[name] = Model.evolve(rows.removeValue(forKey: name), event, key: key, recordedAt: recordedAt)
            }
        }
        let gone = touched.keys.filter { rows[$0] == nil }
        if !gone.isEmpty {
            _ = try await connection.query("delete from \(Model.name) where key = any($1)", [.texts(gone)])
        }
        if !rows.isEmpty { try await write(rows, connection) }
    }

    private func write(_ rows: [String: Model.Row], _ connection: PostgresConnection) async throws {
        let values = rows.map { key, row in
            var object = Model.encode(row)
            object["key"] = .string(key)
            return JSONValue.object(object)
        }
        let columns = Model.columns.joined(separator: ", ")
        let excluded = Model.columns.map { "excluded.\($0)" }.joined(separator: ", ")
        _ = try await connection.query(
            """
            insert into \(Model.name) (key, \(columns))
            select key, \(columns) from json_populate_recordset(null::\(Model.name), $1)
            on conflict (key) do update set (\(columns)) = row(\(excluded))
            """, [.json(JSONValue.array(values).bytes)])
    }
}

/// A read model as it is folded live, without its types.
@Loop package protocol LiveReadModel: AnyObject {
    /// The position up to which it is folded, as this instance knows it.
    var position: Int64 { get }
    /// Raised whenever rows have changed, for tasks of this process that wait for them.
    var folded: Signal { get }
    /// Folds until the task is cancelled.
    func run() async
    /// Folds one batch; false when there was nothing to fold or another instance is folding.
    ///
    /// - Throws: as ``Projector/step()``.
    func step() async throws -> Bool
}

/// No migration has registered the read model, so its table may not be folded or rebuilt.
private struct UnregisteredReadModel: Error, CustomStringConvertible {
    let name: String

    var description: String { "The read model \(name) is not registered: a migration must call register_read_model." }
}
