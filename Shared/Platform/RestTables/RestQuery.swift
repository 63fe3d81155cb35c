package import CompatibleSurface
package import Primitives

/// What a request asks of a table: the query string, read.
package struct RestQuery: Sendable {
    /// A column by which rows are ordered.
    struct Order: Sendable, Equatable {
        let column: RestColumn
        var isDescending = false
        /// Nil for PostgreSQL's own: last, or first when descending.
        var isNullsFirst: Bool?
    }

    private static let mostOrders = 16
    /// Names that are no columns.
    private static let words: Set<String> = ["select", "order", "limit", "offset", "columns", "on_conflict"]

    let table: RestTable
    /// What the rows must be, all of it.
    package let filters: [RestCondition]
    let selection: RestSelection
    let orders: [Order]
    let limit: Int64?
    let offset: Int64?
    /// `columns`: what of the rows of a body is written; nil for all.
    let columns: [String]?

    /// - Parameter pairs: the decoded pairs of the query, in order; a name may come several times, and then all of it counts.
    /// - Throws: a ``CompatibleError`` as PostgREST has it for anything that is not understood.
    package init(_ pairs: [(name: String, value: String)], of table: RestTable) throws(CompatibleError) {
        self.table = table
        func first(_ name: String) -> String? { pairs.first { $0.name == name }?.value }
        var parser = RestFilterParser(table)
        var filters: [RestCondition] = []
        for (name, value) in pairs where !Self.words.contains(name) {
            filters.append(try parser.condition(name, value))
        }
        self.filters = filters
        selection =
            try first("select").map { (text) throws(CompatibleError) in try RestSelection(text, of: table) }
            ?? RestSelection()
        orders = try first("order").map { (text) throws(CompatibleError) in try Self.orders(text, table) } ?? []
        limit = try first("limit").map { (text) throws(CompatibleError) in try Self.number(text, "limit") }
        offset = try first("offset").map { (text) throws(CompatibleError) in try Self.number(text, "offset") }
        columns = first("columns").map { text in
            text.split(separator: ",").map { $0.filter { $0 != "\"" && $0 != " " } }
        }
    }

    /// The id to which a request holds itself by one single filter, `column=eq.<uuid>`; nil for every other request.
    package func pinned(_ column: String) -> UUID? {
        guard filters.count == 1, case .compare(let compared, .eq, .uuid(let id)) = filters[0], compared.name == column
        else { return nil }
        return id
    }

    private static func number(_ text: String, _ name: String) throws(CompatibleError) -> Int64 {
        guard let number = Int64(text) else { throw .query("\(name) must be a whole number.") }
        guard number >= 0 else {
            throw CompatibleError(
                416, "PGRST103", "Requested range not satisfiable", details: "\(name) must not be below zero.")
        }
        return number
    }

    private static func orders(_ text: String, _ table: RestTable) throws(CompatibleError) -> [Order] {
        var orders: [Order] = []
        for part in text.split(separator: ",") {
            let words = part.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            let column = try table.sought(words[0])
            guard column.type != .json, column.type != .texts else { throw .operation("<", on: column.type) }
            var order = Order(column: column)
            for word in words.dropFirst() {
                switch word {
                case "asc": order.isDescending = false
                case "desc": order.isDescending = true
                case "nullsfirst": order.isNullsFirst = true
                case "nullslast": order.isNullsFirst = false
                default:
                    throw .query(
                        "\"failed to parse order (\(text.prefix(200)))\" (line 1, column 1)",
                        details: "unexpected \(word.prefix(100)) expecting asc, desc, nullsfirst or nullslast")
                }
            }
            orders.append(order)
        }
        guard orders.count <= mostOrders else { throw .query("Order by at most \(mostOrders) columns.") }
        return orders
    }
}
