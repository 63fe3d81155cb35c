import JSON
package import Postgres
import Primitives

/// A statement that finds rows of a table. Its text has no word of the client: columns are the table's own, and values are parameters.
package struct RestStatement: Sendable {
    package private(set) var text: String
    package private(set) var parameters: [PostgresValue]

    /// The rows of one page: the column `row` alone.
    ///
    /// - Parameter parameters: those of the table's source.
    init(rowsOf query: RestQuery, _ parameters: [PostgresValue], offset: Int64, limit: Int64) {
        self.init(query, parameters, "t.row")
        let orders = query.orders.map { order in
            "t.\"\(order.column.name)\" \(order.isDescending ? "desc" : "asc")"
                + (order.isNullsFirst.map { $0 ? " nulls first" : " nulls last" } ?? "")
        }
        text += " order by \((orders + [query.table.order]).joined(separator: ", "))"
        text += " offset \(add(.int(offset))) limit \(add(.int(limit)))"
    }

    /// How many rows there are.
    init(countOf query: RestQuery, _ parameters: [PostgresValue]) { self.init(query, parameters, "count(*)") }

    private init(_ query: RestQuery, _ parameters: [PostgresValue], _ wanted: String) {
        self.parameters = parameters
        text = "select \(wanted) from (\(query.table.source)) t"
        if !query.filters.isEmpty { text += " where \(joined(query.filters, "and"))" }
    }

    /// Adds a parameter.
    ///
    /// - Returns: what stands for it in the text.
    private mutating func add(_ value: PostgresValue) -> String {
        parameters.append(value)
        return "$\(parameters.count)"
    }

    private mutating func sql(_ condition: RestCondition) -> String {
        switch condition {
        case .compare(let column, let comparison, let value): "\(name(column)) \(comparison.sql) \(sql(value))"
        case .isIn(let column, let values): "\(name(column)) = any(\(list(values, of: column.type)))"
        case .test(let column, let test): "(\(name(column)) is \(test.sql))"
        case .like(let column, let pattern, let ignoringCase):
            "\(name(column)) \(ignoringCase ? "ilike" : "like") \(add(.text(pattern)))"
        case .isDistinct(let column, let value): "(\(name(column)) is distinct from \(sql(value)))"
        case .contains(let column, let value, let isContained):
            "\(name(column))::jsonb \(isContained ? "<@" : "@>") \(add(.json(value.bytes)))::jsonb"
        case .not(let condition): "(not \(sql(condition)))"
        case .all(let conditions): joined(conditions, "and")
        case .any(let conditions): joined(conditions, "or")
        }
    }

    private mutating func joined(_ conditions: [RestCondition], _ word: String) -> String {
        var parts: [String] = []
        for condition in conditions { parts.append(sql(condition)) }
        return "(\(parts.joined(separator: " \(word) ")))"
    }

    private func name(_ column: RestColumn) -> String { "t.\"\(column.name)\"" }

    private mutating func sql(_ value: RestValue) -> String {
        switch value {
        case .uuid(let id): add(.uuid(id))
        case .text(let text): add(.text(text))
        case .integer(let number): add(.int(number))
        case .double(let number): add(.double(number))
        case .boolean(let isTrue): add(.bool(isTrue))
        case .time(let moment): add(.time(moment))
        case .day(let day): "\(add(.text(day.description)))::date"
        }
    }

    private mutating func list(_ values: [RestValue], of type: RestType) -> String {
        let texts: [String?] = values.map { value in
            switch value {
            case .uuid(let id): id.description
            case .text(let text): text
            case .integer(let number): String(number)
            case .double(let number): String(number)
            case .boolean(let isTrue): String(isTrue)
            case .time(let moment): moment.rfc3339
            case .day(let day): day.description
            }
        }
        // Each value was read as one of the type, so the server can read it too.
        return "\(add(.texts(texts)))::\(type == .integer ? "bigint" : type.sqlName)[]"
    }
}
