import CompatibleSurface

/// The type of a column, as clients see it.
package enum RestType: Sendable, Hashable {
    case uuid, text, integer, double, boolean, timestamp, date
    /// Any JSON.
    case json
    /// A list of texts.
    case texts

    /// Its name in PostgreSQL's messages.
    var sqlName: String {
        switch self {
        case .uuid: "uuid"
        case .text: "text"
        case .integer: "integer"
        case .double: "double precision"
        case .boolean: "boolean"
        case .timestamp: "timestamp with time zone"
        case .date: "date"
        case .json: "jsonb"
        case .texts: "text[]"
        }
    }
}

/// A column of a table.
package struct RestColumn: Sendable, Hashable {
    package let name: String
    package let type: RestType
    /// Whether the source of the table has it. Others are made from its rows afterwards, so nothing can be looked for by them.
    package let isInSource: Bool

    package init(_ name: String, _ type: RestType, isInSource: Bool = true) {
        self.name = name
        self.type = type
        self.isInSource = isInSource
    }
}

/// A table as clients of this surface see it.
package struct RestTable: Sendable {
    package let name: String
    /// All of them, in the order of `select=*`.
    package let columns: [RestColumn]
    /// A statement that gives the rows that may be seen: the columns that are in it by their names, and `row`, the JSON from which the
    /// visible row is made. Its parameters come first.
    package let source: String
    /// Orders rows, behind what the client asks for, so that pages fit together.
    package let order: String
    /// The most rows of one answer.
    package let mostRows: Int

    package init(
        _ name: String, _ columns: [RestColumn], source: String, order: String = "created_at, id", mostRows: Int = 1_000
    ) {
        self.name = name
        self.columns = columns
        self.source = source
        self.order = order
        self.mostRows = mostRows
    }

    /// - Throws: 42703 for a name that no column has.
    func column(_ name: String) throws(CompatibleError) -> RestColumn {
        guard let column = columns.first(where: { $0.name == name }) else {
            throw .unknownColumn(name, of: self.name)
        }
        return column
    }

    /// A column by which something can be looked for.
    ///
    /// - Throws: 42703, or PGRST100 for a column that is made afterwards.
    func sought(_ name: String) throws(CompatibleError) -> RestColumn {
        let column = try column(name)
        guard column.isInSource else {
            throw .query("The column \(name) can be read and not be filtered or ordered by.")
        }
        return column
    }
}
