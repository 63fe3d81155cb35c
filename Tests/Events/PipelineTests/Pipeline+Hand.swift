import Contracts
import EventRelay
import EventSourcing
import JSON
import Kafka
import Postgres
import Primitives
import Runtime

/// What tests do by hand, bypassing the services.
extension Pipeline {
    /// Runs a statement as the database's superuser.
    @discardableResult
    func sql(_ statement: String) async throws -> [PostgresRow] {
        let connection = try await PostgresConnection.open(administrator)
        defer { connection.close() }
        return try await connection.query(statement).rows
    }

    func script(_ statements: String) async throws {
        let connection = try await PostgresConnection.open(administrator)
        defer { connection.close() }
        try await connection.script(statements)
    }

    /// One of the two services, as the name of its schema.
    enum Side: String {
        case sender, receiver

        /// What a backup holds of it.
        fileprivate var tables: [String] {
            switch self {
            case .sender: ["head", "incarnations", "events", "relay", "relay_partitions", "cut_incarnations"]
            case .receiver: ["head", "events", "consumer_partitions"]
            }
        }
    }

    /// Keeps what a service's database holds now.
    func backUp(_ side: Side, as name: String) async throws {
        try await script(
            side.tables.map { "create table public.\(name)_\(side)_\($0) as table \(side).\($0);" }.joined())
    }

    /// Puts a backup in the place of what a service's database holds, under the connections that there are.
    func restore(_ side: Side, from name: String) async throws {
        try await script(
            "set session_replication_role = replica; begin;"
                + side.tables.map {
                    "delete from \(side).\($0); insert into \(side).\($0) select * from public.\(name)_\(side)_\($0);"
                }.joined() + "commit;")
    }

    /// An owner whose messages go to a partition.
    func owner(in partition: Int32 = 0) -> UUID {
        while true {
            let owner = UUID.v4()
            if kafka.topic.partition(of: .owner(owner)) == partition { return owner }
        }
    }

    /// The messages and marks of a partition.
    func chain(_ partition: Int32) async throws -> [ChainRecord] {
        try await kafka.records(partition).compactMap { ChainRecord($0) }
    }

    /// The record of a word as a relay would write it.
    ///
    /// - Parameter changed: headers with other values; nil leaves one out.
    func record(
        _ word: Word, position: Int64, previous: Int64, epoch: Int64, incarnation: UUID, id: UUID = .v7(),
        partition: Int32 = 0, changed: [String: String?] = [:]
    ) -> OutgoingRecord {
        var owner = ""
        if case .said(let id, _, _) = word { owner = id.description }
        if case .gone(let id, _) = word { owner = id.description }
        let headers = [
            (MessageHeaders.specVersion, "1.0"), (MessageHeaders.source, ServiceName.sessions.source),
            (MessageHeaders.id, id.description),
            (MessageHeaders.type, MessageType(.sessions, word.type.name).description),
            (MessageHeaders.time, Timestamp.now().rfc3339), (MessageHeaders.partitionKey, owner),
            (MessageHeaders.correlationID, UUID.v7().description), (MessageHeaders.position, String(position)),
            (MessageHeaders.previous, String(previous)), (MessageHeaders.epoch, String(epoch)),
            (MessageHeaders.incarnation, incarnation.description),
        ]
        return OutgoingRecord(
            topic: kafka.topic.name, partition: partition, key: Array(owner.utf8),
            value: JSONValue.object(word.data).bytes,
            headers: RecordHeaders(
                headers.filter { changed[$0.0] == nil }.map { ($0.0, Array($0.1.utf8)) }
                    + changed.compactMap { name, value in value.map { (name, Array($0.utf8)) } }))
    }

    /// The sender's incarnation and the number of its relay's lease.
    func identity() async throws -> (incarnation: UUID, epoch: Int64) {
        let row = try await sql("select h.incarnation, r.epoch from sender.head h, sender.relay r")[0]
        return (row.uuid(0), row.int(1))
    }
}
