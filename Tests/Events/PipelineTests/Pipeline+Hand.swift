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
