import JSON
import Postgres
import Runtime

/// How the rows of two tables differ: those of the live read model and those of a fresh one.
package struct TableComparison: Sendable {
    /// The position at which both were compared.
    package let position: Int64
    /// How many keys there are in either table.
    package private(set) var rows = 0
    package private(set) var differenceCount = 0
    /// At most the first hundred: the live row and the fresh one.
    package private(set) var differences: [Drift] = []

    /// Compares two tables by walking along their keys.
    @Loop init(
        at position: Int64, live: (PostgresConnection, table: String), fresh: (PostgresConnection, table: String)
    ) async throws {
        self.position = position
        var left = TableWalk(live.0, live.table)
        var right = TableWalk(fresh.0, fresh.table)
        var a = try await left.next()
        var b = try await right.next()
        while a != nil || b != nil {
            rows += 1
            if let mine = a, let other = b, mine.key == other.key {
                if mine.row != other.row { try note(mine.key, mine.row, other.row) }
                a = try await left.next()
                b = try await right.next()
            } else if let mine = a, b.map({ mine.key.isBefore($0.key) }) ?? true {
                try note(mine.key, mine.row, nil)
                a = try await left.next()
            } else if let other = b {
                try note(other.key, nil, other.row)
                b = try await right.next()
            }
        }
    }

    private mutating func note(_ key: String, _ live: [UInt8]?, _ fresh: [UInt8]?) throws {
        differenceCount += 1
        if differences.count < 100 {
            differences.append(
                Drift(
                    key: key, live: try live.map { try JSONObject.parse($0) },
                    folded: try fresh.map { try JSONObject.parse($0) }))
        }
    }
}

extension String {
    /// Compares as PostgreSQL's collation C does: by bytes.
    fileprivate func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

/// The rows of a table in key order, read a page at a time.
private struct TableWalk {
    private let connection: PostgresConnection
    private let table: String
    private var page: [(key: String, row: [UInt8])] = []
    private var index = 0
    private var last = ""
    private var isAtEnd = false

    init(_ connection: PostgresConnection, _ table: String) {
        self.connection = connection
        self.table = table
    }

    @Loop mutating func next() async throws -> (key: String, row: [UInt8])? {
        if index == page.count {
            if isAtEnd { return nil }
            let rows = try await connection.query(
                """
                select key, to_jsonb(t)::text from \(table) t where key collate "C" > $1 order by key collate "C" limit 2000
                """, [.text(last)]
            ).rows
            page = rows.map { ($0.text(0), $0.bytes(1)) }
            index = 0
            guard let end = page.last else {
                isAtEnd = true
                return nil
            }
            last = end.key
        }
        index += 1
        return page[index - 1]
    }
}
