import EventSourcing
package import History
import JSON
package import Postgres
import Primitives
import Runtime

/// How the fresh table compares with the live one.
package struct TableComparison: Sendable {
    package var position: Int64 = 0
    package var rows = 0
    package var differenceCount = 0
    /// At most the first hundred: the live row and the fresh one.
    package var differences: [Drift] = []
}

extension Rebuild {
    /// Compares all rows of both tables at one position, by a walk along their keys; neither table is locked.
    ///
    /// - Throws: `PostgresError`, or ``FoldError``.
    package func compare() async throws -> TableComparison {
        // The live rows and their position in one snapshot; then the fresh table is folded to just there.
        let live = try await PostgresConnection.open(store.settings)
        defer { live.close() }
        try await live.script("begin isolation level repeatable read read only")
        var result = TableComparison()
        result.position =
            try await live.query("select position from projections where name = $1", [.text(model.name)])
            .first?.int(0) ?? 0
        try await catchUp(to: result.position)
        var left = TableWalk(live, model.name)
        var right = TableWalk(connection, fresh)
        var a = try await left.next()
        var b = try await right.next()
        while a != nil || b != nil {
            result.rows += 1
            if let mine = a, let other = b, mine.key == other.key {
                if mine.row != other.row { try result.note(mine.key, mine.row, other.row) }
                a = try await left.next()
                b = try await right.next()
            } else if let mine = a, b.map({ mine.key.isBefore($0.key) }) ?? true {
                try result.note(mine.key, mine.row, nil)
                a = try await left.next()
            } else if let other = b {
                try result.note(other.key, nil, other.row)
                b = try await right.next()
            }
        }
        try await live.script("commit")
        return result
    }

    /// Records what a comparison found.
    package func record(_ comparison: TableComparison, first: String?) async throws {
        try await note("built", differences: Int64(comparison.differenceCount), first: first)
    }

    /// Puts the fresh table in the place of the live one: folds what has come meanwhile while nobody else folds, renames,
    /// all in one transaction.
    ///
    /// - Returns: the position at which the change was made.
    /// - Throws: ``RebuildRefusal`` or `PostgresError`; then everything is as before.
    package func switchOver() async throws -> Int64 {
        try await catchUp(to: try await livePosition())
        try await connection.script("begin; set local synchronous_commit = on")
        do {
            let fence =
                try await connection.query(
                    "select position from projections where name = $1 for update", [.text(model.name)]
                ).first?.int(0) ?? 0
            try await catchUp(to: fence, resting: false)
            try await note("built")
            _ = try await connection.query("select switch_rebuild($1)::text", [.int(outcome.id)])
            try await connection.script("commit")
            return fence
        } catch {
            if !connection.isBroken { try? await connection.script("rollback") }
            throw RebuildRefusal(error, model.name) ?? error
        }
    }

    /// Goes back to the table before the last switch; the running service folds on from where that stood.
    ///
    /// - Returns: the position from which it is folded on.
    /// - Throws: ``RebuildRefusal`` or `PostgresError`.
    package static func undo(_ model: ReadModelHistory, writer: PostgresSettings) async throws -> Int64 {
        try await call("select undo_rebuild($1)", model, writer)
    }

    /// Removes the tables of a read model that are not in service.
    ///
    /// - Returns: how many there were.
    /// - Throws: ``RebuildRefusal`` or `PostgresError`.
    package static func dropOld(_ model: ReadModelHistory, writer: PostgresSettings) async throws -> Int64 {
        try await call("select drop_rebuild($1)", model, writer)
    }

    private static func call(_ sql: String, _ model: ReadModelHistory, _ writer: PostgresSettings) async throws -> Int64
    {
        let connection = try await PostgresConnection.open(writer)
        defer { connection.close() }
        do {
            return try await connection.query(sql, [.text(model.name)]).rows[0].int(0)
        } catch {
            throw RebuildRefusal(error, model.name) ?? error
        }
    }
}

extension TableComparison {
    fileprivate mutating func note(_ key: String, _ live: [UInt8]?, _ fresh: [UInt8]?) throws {
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
    /// The order of PostgreSQL's collation C: by bytes.
    fileprivate func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

/// The rows of a table along its keys, a page at a time.
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
