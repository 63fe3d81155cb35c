import EventSourcing
import EventStore
import Postgres
import Primitives
import Projections
import Runtime
import ServiceKit

/// Looks at the service's own log as far as a read model is folded, and notes how far it has looked. Instances that look at the same
/// events do no harm to those who can be asked twice.
@Loop struct LogFollower {
    /// How many events are looked at before the place is noted.
    private static let most = 1_000

    private let store: EventStore
    private let table: String
    private let model: String
    private let rows: any LiveReadModel

    /// - Parameters:
    ///   - table: has one row, with the column `examined_position`.
    ///   - model: the read model whose rows are looked at with the events.
    init<Model: ReadModel>(_ context: ServiceContext, table: String, behind _: Model.Type) {
        store = context.store
        self.table = table
        model = Model.name
        rows = context.live(Model.self)
    }

    /// Waits until rows have changed, for two seconds at most.
    func wait() async throws { try await rows.folded.wait(atMost: .seconds(2)) }

    /// Looks at the next events that the rows hold, those of the platform left out; false when there are none.
    ///
    /// - Throws: `EventDecodingError` for an event that this build cannot read, `PostgresError`, and what `look` throws: then the
    ///   same events come again.
    func step(_ look: ([ReportEvent]) async throws -> Void) async throws -> Bool {
        let places = try await store.pool.query(
            "select w.examined_position, p.position from \(table) w, projections p where p.name = $1", [.text(model)]
        ).rows[0]
        let (examined, folded) = (places.int(0), places.int(1))
        guard examined < folded else { return false }
        let events = try await store.readLog(after: examined, limit: Self.most).filter { $0.position <= folded }
        guard let last = events.last?.position else { return false }
        try await look(events.filter { !KitEvents.isOne($0.type) }.map { try $0.decoded() as ReportEvent })
        _ = try await store.pool.query(
            "update \(table) set examined_position = $1 where examined_position < $1", [.int(last)])
        return true
    }
}
