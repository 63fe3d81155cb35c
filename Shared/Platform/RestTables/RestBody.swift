import CompatibleSurface
package import HTTPServer
package import JSON
import Primitives
package import Runtime

/// The rows that a client sends: one object, or a list of them.
package struct RestBody: Sendable {
    private static let most = 1_000

    /// Each with members that are columns, and values that are of their types.
    package let rows: [JSONObject]

    /// Reads and checks a body.
    ///
    /// - Throws: PGRST102 for what is no JSON, PGRST204 for an unknown column, 22P02 for a value that is none of its type; a problem 413.
    @Loop package init(_ request: Request, _ query: RestQuery) async throws {
        let bytes = try await request.body.collect(limit: 65_536)
        guard let value = try? JSONValue.parse(bytes, limits: .foreign) else {
            throw CompatibleError.body("Empty or invalid json")
        }
        let list = value.arrayValue ?? [value]
        guard list.count <= Self.most else { throw CompatibleError.body("Send at most \(Self.most) rows at once.") }
        var rows: [JSONObject] = []
        for element in list {
            guard var row = element.objectValue else {
                throw CompatibleError.body("Send an object, or a list of objects.")
            }
            if let columns = query.columns {
                for name in columns { _ = try Self.column(name, query.table) }
                for name in row.keys where !columns.contains(name) { row[name] = nil }
            }
            for member in row.members { try Self.check(member.value, Self.column(member.key, query.table)) }
            rows.append(row)
        }
        self.rows = rows
    }

    private static func column(_ name: String, _ table: RestTable) throws(CompatibleError) -> RestColumn {
        guard let column = table.columns.first(where: { $0.name == name }) else {
            throw .unknownColumnOfBody(name, of: table.name)
        }
        return column
    }

    private static func check(_ value: JSONValue, _ column: RestColumn) throws(CompatibleError) {
        switch (value, column.type) {
        case (.null, _), (_, .json), (_, .texts): return
        case (.string(let text), let type): _ = try RestValue(text, as: type)
        case (.bool, .boolean), (.int, .integer), (.int, .double), (.double, .double), (_, .text): return
        default: throw .value(String(decoding: value.bytes, as: UTF8.self), of: column.type)
        }
    }
}
