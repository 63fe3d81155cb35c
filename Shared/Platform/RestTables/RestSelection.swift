import CompatibleSurface
import JSON
import Primitives

/// The list `select`: which members the rows of the answer have, and under which names.
struct RestSelection: Sendable, Equatable {
    /// A step into a JSON value.
    enum Step: Sendable, Equatable {
        case member(String)
        case element(Int)
    }

    /// What a value is made to be.
    enum Cast: Sendable, Equatable { case text, integer, double, json }

    struct Item: Sendable, Equatable {
        let column: RestColumn
        /// The member's name in the answer.
        let name: String
        var path: [Step] = []
        /// Whether the last step gives text (`->>`).
        var isText = false
        var cast: Cast?
    }

    private static let most = 100

    /// Nil for every column as it is.
    private let items: [Item]?

    /// Everything.
    init() { items = nil }

    /// - Throws: PGRST100 for what is not understood, such as other tables' rows and sums; 42703 for an unknown column.
    init(_ text: String, of table: RestTable) throws(CompatibleError) {
        var items: [Item] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: true) {
            let part = String(part.reversed().drop { $0 == " " }.reversed().drop { $0 == " " })
            if part == "*" {
                items += table.columns.map { Item(column: $0, name: $0.name) }
            } else {
                items.append(try Self.item(part, table))
            }
            guard items.count <= Self.most else { throw .query("Select at most \(Self.most) columns.") }
        }
        self.items = items.isEmpty ? nil : items
    }

    private static func item(_ text: String, _ table: RestTable) throws(CompatibleError) -> Item {
        guard !text.contains("("), !text.contains(")") else {
            throw .query("Rows of other tables and sums cannot be selected here: \(text.prefix(100)).")
        }
        var rest = text[...]
        var alias: String?
        var cast: Cast?
        if let place = rest.firstRange(of: "::") {
            cast = try Self.cast(String(rest[place.upperBound...]))
            rest = rest[..<place.lowerBound]
        }
        if let colon = rest.firstIndex(of: ":") {
            alias = String(rest[..<colon])
            rest = rest[rest.index(after: colon)...]
        }
        if rest.first == "\"", rest.last == "\"", rest.count > 1 { rest = rest.dropFirst().dropLast() }
        guard let arrow = rest.firstRange(of: "->") else {
            let column = try table.column(String(rest))
            return Item(column: column, name: alias ?? column.name, cast: cast)
        }
        let column = try table.column(String(rest[..<arrow.lowerBound]))
        guard column.type == .json || column.type == .texts else { throw .operation("->", on: column.type) }
        var path: [Step] = []
        var isText = false
        rest = rest[arrow.lowerBound...]
        while rest.hasPrefix("->") {
            guard !isText else { throw .query("A text has no members: \(text.prefix(100)).") }
            rest = rest.dropFirst(2)
            if rest.first == ">" {
                isText = true
                rest = rest.dropFirst()
            }
            let name = rest[..<(rest.firstRange(of: "->")?.lowerBound ?? rest.endIndex)]
            guard !name.isEmpty else { throw .query("A name is missing: \(text.prefix(100)).") }
            path.append(Int(name).map(Step.element) ?? .member(String(name)))
            rest = rest[name.endIndex...]
        }
        var name = column.name
        for case .member(let member) in path { name = member }
        return Item(column: column, name: alias ?? name, path: path, isText: isText, cast: cast)
    }

    private static func cast(_ name: String) throws(CompatibleError) -> Cast {
        switch name.lowercased() {
        case "text", "varchar": .text
        case "int", "int2", "int4", "int8", "smallint", "integer", "bigint": .integer
        case "float4", "float8", "real", "numeric", "decimal", "double precision": .double
        case "json", "jsonb": .json
        default: throw .query("Cast to text, integer, double precision or jsonb, and not to \(name.prefix(100)).")
        }
    }

    /// The members that were asked for, of a row with all columns.
    ///
    /// - Throws: 22P02 for a value that cannot be cast.
    func picked(_ row: JSONObject) throws(CompatibleError) -> JSONObject {
        guard let items else { return row }
        var picked = JSONObject()
        for item in items {
            var value = row[item.column.name] ?? .null
            for step in item.path {
                switch step {
                case .member(let name): value = value[name] ?? .null
                case .element(let index):
                    let elements = value.arrayValue ?? []
                    let place = index < 0 ? elements.count + index : index
                    value = elements.indices.contains(place) ? elements[place] : .null
                }
            }
            if item.isText { value = Self.text(value) }
            picked[item.name] =
                try item.cast.map { (cast) throws(CompatibleError) in try Self.cast(value, to: cast) } ?? value
        }
        return picked
    }

    private static func text(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .string: value
        default: .string(String(decoding: value.bytes, as: UTF8.self))
        }
    }

    private static func cast(_ value: JSONValue, to cast: Cast) throws(CompatibleError) -> JSONValue {
        if value.isNull { return .null }
        switch cast {
        case .json: return value
        case .text: return text(value)
        case .integer:
            if let number = value.intValue { return .int(number) }
            if let number = value.doubleValue, let whole = Int64(exactly: number.rounded(.toNearestOrEven)) {
                return .int(whole)
            }
            if let number = value.stringValue.flatMap({ Int64($0) }) { return .int(number) }
            throw .value(value.stringValue ?? String(decoding: value.bytes, as: UTF8.self), of: .integer)
        case .double:
            if let number = value.doubleValue { return .double(number) }
            if let number = value.stringValue.flatMap({ Double($0) }), number.isFinite { return .double(number) }
            throw .value(value.stringValue ?? String(decoding: value.bytes, as: UTF8.self), of: .double)
        }
    }
}
