package import Postgres
package import Primitives
package import Runtime

/// A store's current incarnation and the ones before it.
package struct Lineage: Sendable {
    /// The current incarnation.
    package let incarnation: UUID
    /// The previous incarnation; nil for the first one.
    package let parent: UUID?
    /// The last position shared with the parent; 0 for the first incarnation.
    package let fork: Int64
    /// Every incarnation that the store has had or a restore has cut off, each with its last position that is history.
    package let shared: [UUID: Int64]
    /// What somebody else wrote into the topic during the previous incarnation, where that is why the current one began; nil
    /// after a restore.
    package let disowned: Set<DisownedRecord>?

    package init(
        incarnation: UUID, parent: UUID?, fork: Int64, shared: [UUID: Int64], disowned: Set<DisownedRecord>? = nil
    ) {
        self.incarnation = incarnation
        self.parent = parent
        self.fork = fork
        self.shared = shared
        self.disowned = disowned
    }

    /// Reads the lineage of the schema in the connection's search path.
    ///
    /// - Throws: `PostgresError`.
    @Loop package static func read(_ connection: PostgresConnection) async throws -> Lineage {
        let line = try await connection.query(
            """
            with recursive line (incarnation, parent, fork, shared, depth) as (
                select i.incarnation, i.parent, i.fork, 9223372036854775807, 0
                from head h join incarnations i using (incarnation)
                union all
                select i.incarnation, i.parent, i.fork, least(l.shared, l.fork), l.depth + 1
                from line l join incarnations i on i.incarnation = l.parent)
            select incarnation, parent, fork, shared, depth from line
            union all
            select c.incarnation, null, 0, least(l.shared, l.fork), 1
            from line l join cut_incarnations c on c.successor = l.incarnation
            """)
        guard let current = line.rows.first(where: { $0.int(4) == 0 }) else {
            throw PostgresError(.wrongAnswer, "the store has no incarnation")
        }
        let disowned = try await connection.query(
            "select position, id from disowned_records where successor = $1", [.uuid(current.uuid(0))]
        ).rows.map { DisownedRecord(position: $0.int(0), id: $0.uuid(1)) }
        return Lineage(
            incarnation: current.uuid(0), parent: current.optional(1, PostgresRow.uuid), fork: current.int(2),
            shared: Dictionary(line.rows.map { ($0.uuid(0), $0.int(3)) }, uniquingKeysWith: min),
            disowned: disowned.isEmpty ? nil : Set(disowned))
    }
}
