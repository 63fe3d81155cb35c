import EventSourcing
import Postgres
import Primitives
import Runtime

/// One of the appender's connections and what is under way on it.
@Loop final class AppendLane {
    private let settings: PostgresSettings
    private var connection: PostgresConnection?
    /// Whether somebody works on it.
    var isBusy = false
    /// What the batch under way writes to: nothing behind it may overtake it.
    private(set) var streams = Set<String>()
    private(set) var ids = Set<UUID>()

    init(_ settings: PostgresSettings) { self.settings = settings }

    /// How many appends are under way.
    var load: Int { ids.count }

    /// Takes an append along, unless its streams or its id are taken in this batch or in the other's.
    ///
    /// - Returns: whether it was taken.
    func take(_ append: Append, beside other: AppendLane) -> Bool {
        let names = append.writes.map(\.stream.description)
        for lane in [self, other] where !lane.streams.isDisjoint(with: names) || lane.ids.contains(append.id) {
            return false
        }
        streams.formUnion(names)
        ids.insert(append.id)
        return true
    }

    /// The batch is done.
    func clear() {
        streams = []
        ids = []
    }

    /// Runs a statement; connects when there is no connection or it broke.
    func query(_ sql: String, _ parameters: [PostgresValue]) async throws -> PostgresResult {
        let usable: PostgresConnection
        if let connection, !connection.isBroken {
            usable = connection
        } else {
            usable = try await PostgresConnection.open(settings)
            connection = usable
        }
        return try await usable.query(sql, parameters)
    }

    func close() { connection?.close() }
}
