package import Primitives

/// A record of the topic that the service itself never wrote.
package struct DisownedRecord: Sendable, Hashable {
    /// The position that it claims.
    package let position: Int64
    /// The event's id that it claims.
    package let id: UUID

    package init(position: Int64, id: UUID) {
        self.position = position
        self.id = id
    }

    /// Reads what ``text(_:)`` wrote; what has another form is left out.
    static func set(_ text: String) -> Set<DisownedRecord> {
        Set(
            text.split(separator: ",").compactMap { part in
                let pair = part.split(separator: ":")
                guard pair.count == 2, let position = Int64(pair[0]), let id = UUID(pair[1]) else { return nil }
                return DisownedRecord(position: position, id: id)
            })
    }

    /// The records as the header of a lease record holds them.
    static func text(_ records: Set<DisownedRecord>) -> String {
        records.sorted { ($0.position, $0.id.description) < ($1.position, $1.id.description) }
            .map { "\($0.position):\($0.id)" }.joined(separator: ",")
    }
}
