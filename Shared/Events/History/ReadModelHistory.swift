package import EventSourcing
package import EventStore
package import JSON
package import Observability
package import Primitives
package import Projections
import Runtime

/// One event as a fold needs it: without metadata.
package struct LogEntry: Sendable {
    package let position: Int64
    package let type: EventType
    package let data: [UInt8]
    package let recordedAt: Timestamp

    package init(position: Int64, type: EventType, data: [UInt8], recordedAt: Timestamp) {
        self.position = position
        self.type = type
        self.data = data
        self.recordedAt = recordedAt
    }

    package init(_ event: RecordedEvent) {
        self.init(position: event.position, type: event.type, data: event.data, recordedAt: event.recordedAt)
    }
}

/// How a read model is folded, without its types.
package struct ReadModelHistory: Sendable {
    /// The durable name of the read model and of its table.
    package let name: String
    /// The table's columns besides `key`.
    package let columns: [String]
    /// The streams whose events can change the row of a key.
    package let streams: @Sendable (_ key: String) -> [StreamName]
    private let make: @Sendable () -> any RowFolding
    private let project: @Loop @Sendable (EventStore, Logger) -> any LiveReadModel
    private let read: @Sendable ([LogEntry]) throws(FoldError) -> FoldSteps

    /// - Parameter foreign: whether an event type is of the platform and concerns no read model.
    package init<Model: ReadModel>(
        _: Model.Type, foreign: @escaping @Sendable (EventType) -> Bool,
        streams: @escaping @Sendable (_ key: String) -> [StreamName]
    ) {
        self.streams = streams
        name = Model.name
        columns = Model.columns
        make = { RowFold<Model>() }
        project = { store, log in Projector(Model.self, store: store, log: log, foreign: foreign) }
        read = { (entries) throws(FoldError) in try RowFold<Model>.steps(of: entries, foreign: foreign) }
    }

    /// A read model in which each row belongs to one stream.
    ///
    /// - Parameter category: the streams' category; a key is what follows it in their names.
    package init<Model: ReadModel>(
        _ model: Model.Type, of category: String, foreign: @escaping @Sendable (EventType) -> Bool
    ) where Model.Key == UUID {
        self.init(model, foreign: foreign) { [StreamName(rawValue: "\(category)-\($0)")] }
    }

    /// A fresh fold without rows.
    package func open() -> any RowFolding { make() }

    /// What folds it live.
    @Loop package func makeProjector(_ store: EventStore, log: Logger) -> any LiveReadModel { project(store, log) }

    /// Reads events, on any thread; the result is folded in the order of positions.
    ///
    /// - Throws: ``FoldError`` at the first event that this build cannot read: nothing is skipped, here or live.
    package func steps(of entries: [LogEntry]) throws(FoldError) -> FoldSteps { try read(entries) }
}

/// Events that were read and wait to be folded.
package struct FoldSteps: Sendable {
    let content: any Sendable
    /// The keys that they change, each once.
    package let keys: [String]
}

/// An event that this build cannot read, with its place.
package struct FoldError: Error, Sendable, CustomStringConvertible {
    package let position: Int64
    package let reason: EventDecodingError

    package var description: String { "Position \(position): \(reason)" }
}

/// Rows in memory, folded from events.
package protocol RowFolding: AnyObject {
    /// How many rows are held, including removed ones.
    var count: Int { get }
    /// Whether anything is known of a key: its row, or that it was removed.
    func knows(_ key: String) -> Bool
    /// Supplies what the table holds for a key.
    ///
    /// - Throws: `JSONError` when the row does not have the shape that this build expects.
    func supply(_ key: String, _ columns: JSONObject?, for steps: FoldSteps) throws(JSONError)
    /// Folds what was read; the rows of its keys were supplied, or do not exist.
    ///
    /// - Parameter wanted: which keys to fold; others are left out.
    func fold(_ steps: FoldSteps, only wanted: ((String) -> Bool)?)
    /// A row as this build writes it, from one that it or another one wrote.
    ///
    /// - Throws: `JSONError` when the row does not have the shape that this build expects.
    func normalised(_ columns: JSONObject) throws(JSONError) -> JSONObject
    /// The row of a key.
    func row(_ key: String) -> JSONObject?
    /// Takes all rows out, in no particular order, so many at a time.
    func drain(by count: Int) -> [RowPiece]
}

/// Rows that were taken out of a fold.
package struct RowPiece: Sendable {
    private let all: @Sendable (_ body: (String, JSONObject?) -> Void) -> Void

    init(_ all: @escaping @Sendable (_ body: (String, JSONObject?) -> Void) -> Void) { self.all = all }

    /// Encodes one row after the other, on any thread: nil for one that was removed.
    package func encode(_ body: (_ key: String, _ row: JSONObject?) -> Void) { all(body) }
}
