import CompatibleSurface
import JSON

/// Reads filters: `column=op.value`, `column=not.op.value`, and groups such as `or=(a.eq.1,and(b.gt.2,c.is.null))`.
struct RestFilterParser {
    /// The most conditions of one request, and values of one list.
    static let mostConditions = 200
    static let mostValues = 1_000
    /// The most groups within each other.
    static let mostDepth = 10

    private let table: RestTable
    private(set) var conditions = 0

    init(_ table: RestTable) { self.table = table }

    /// One parameter of the query.
    ///
    /// - Throws: PGRST100 for what is not understood, 42703 for an unknown column, 22P02 for a value that is none of its type.
    mutating func condition(_ name: String, _ value: String) throws(CompatibleError) -> RestCondition {
        var scanner = RestScanner(value)
        let condition: RestCondition
        switch name {
        case "and", "or": condition = try group(name, &scanner, depth: 1)
        case "not.and", "not.or": condition = .not(try group(String(name.dropFirst(4)), &scanner, depth: 1))
        default: condition = try filter(of: name, &scanner, isInGroup: false)
        }
        guard scanner.isAtEnd else { throw unreadable(value, at: scanner.place) }
        return condition
    }

    private func unreadable(_ text: String, at place: Int, expecting: String? = nil) -> CompatibleError {
        .query(
            "\"failed to parse filter (\(text.prefix(200)))\" (line 1, column \(place + 1))",
            details: expecting.map { "expecting \($0)" })
    }

    private mutating func count() throws(CompatibleError) {
        conditions += 1
        guard conditions <= Self.mostConditions else {
            throw .query("Ask for at most \(Self.mostConditions) things at once.")
        }
    }

    private mutating func group(
        _ name: String, _ scanner: inout RestScanner, depth: Int
    ) throws(CompatibleError) -> RestCondition {
        guard depth <= Self.mostDepth else { throw .query("Put at most \(Self.mostDepth) groups into each other.") }
        guard scanner.take("(") else { throw unreadable(scanner.rest(), at: scanner.place, expecting: "\"(\"") }
        var parts: [RestCondition] = []
        repeat { parts.append(try element(&scanner, depth: depth)) } while scanner.take(",")
        guard scanner.take(")") else {
            throw unreadable(scanner.rest(), at: scanner.place, expecting: "\",\" or \")\"")
        }
        return name == "or" ? .any(parts) : .all(parts)
    }

    private mutating func element(_ scanner: inout RestScanner, depth: Int) throws(CompatibleError) -> RestCondition {
        var ahead = scanner
        let isNegated = ahead.take("not.")
        for name in ["and", "or"] {
            var inside = ahead
            guard name == "and" ? inside.take("and") : inside.take("or"), inside.sees("(") else { continue }
            scanner = inside
            try count()
            let group = try group(name, &scanner, depth: depth + 1)
            return isNegated ? .not(group) : group
        }
        let column = scanner.quoted() ?? scanner.upTo(".,()")
        guard scanner.take(".") else {
            throw unreadable(column + scanner.rest(), at: scanner.place, expecting: "a column, \".\" and an operator")
        }
        return try filter(of: column, &scanner, isInGroup: true)
    }

    private mutating func filter(
        of name: String, _ scanner: inout RestScanner, isInGroup: Bool
    ) throws(CompatibleError) -> RestCondition {
        guard !name.contains("->"), !name.contains(".") else {
            throw .query("Filters look at whole columns; \(name.prefix(100)) is none.")
        }
        let column = try table.sought(name)
        try count()
        let isNegated = scanner.take("not.")
        let start = scanner.place
        let word = scanner.upTo(".,)")
        guard scanner.take(".") else { throw unreadable(word, at: start, expecting: "an operator and a value") }
        let condition = try operation(word, on: column, &scanner, isInGroup: isInGroup)
        return isNegated ? .not(condition) : condition
    }

    private mutating func operation(
        _ word: String, on column: RestColumn, _ scanner: inout RestScanner, isInGroup: Bool
    ) throws(CompatibleError) -> RestCondition {
        switch word {
        case "in": return .isIn(column, try list(of: column, &scanner))
        case "is":
            let text = Self.text(&scanner, isInGroup: isInGroup)
            guard let test = RestCondition.Test(rawValue: text.lowercased()) else {
                throw unreadable("is.\(text)", at: 3, expecting: "null, not_null, true, false or unknown")
            }
            if test != .null, test != .notNull, column.type != .boolean {
                throw CompatibleError(
                    400, "42804",
                    "argument of IS \(test.rawValue.uppercased()) must be type boolean, not type \(column.type.sqlName)"
                )
            }
            return .test(column, test)
        case "like", "ilike":
            guard column.type == .text else { throw .operation(word == "like" ? "~~" : "~~*", on: column.type) }
            let pattern = Self.text(&scanner, isInGroup: isInGroup).replacing("*", with: "%")
            guard pattern.reversed().prefix(while: { $0 == "\\" }).count.isMultiple(of: 2) else {
                throw CompatibleError(400, "22025", "LIKE pattern must not end with escape character")
            }
            return .like(column, pattern, ignoringCase: word == "ilike")
        case "isdistinct":
            return .isDistinct(column, try scalar(of: column, word, &scanner, isInGroup: isInGroup))
        case "cs", "cd":
            guard column.type == .json || column.type == .texts else {
                throw .operation(word == "cs" ? "@>" : "<@", on: column.type)
            }
            let value = try Self.container(&scanner, as: column.type, isInGroup: isInGroup)
            return .contains(column, value, isContained: word == "cd")
        default:
            guard let comparison = RestCondition.Comparison(rawValue: word) else {
                let known = RestCondition.Comparison.allCases.map(\.rawValue).joined(separator: ", ")
                throw unreadable(
                    word, at: 0,
                    expecting:
                        "one of not, \(known), in, is, like, ilike, isdistinct, cs, cd; this server has no other operator"
                )
            }
            return .compare(column, comparison, try scalar(of: column, comparison.sql, &scanner, isInGroup: isInGroup))
        }
    }

    /// A value of a column's type.
    private func scalar(
        of column: RestColumn, _ name: String, _ scanner: inout RestScanner, isInGroup: Bool
    ) throws(CompatibleError) -> RestValue {
        guard column.type != .json, column.type != .texts else { throw .operation(name, on: column.type) }
        return try RestValue(Self.text(&scanner, isInGroup: isInGroup), as: column.type)
    }

    /// The text of a value: outside of groups all that is left, as it is.
    private static func text(_ scanner: inout RestScanner, isInGroup: Bool) -> String {
        guard isInGroup else { return scanner.rest() }
        return scanner.quoted() ?? scanner.upTo(",()")
    }

    private func list(of column: RestColumn, _ scanner: inout RestScanner) throws(CompatibleError) -> [RestValue] {
        guard column.type != .json, column.type != .texts else { throw .operation("=", on: column.type) }
        guard scanner.take("(") else { throw unreadable(scanner.rest(), at: scanner.place, expecting: "\"(\"") }
        if scanner.take(")") { return [] }
        var values: [RestValue] = []
        repeat {
            guard values.count < Self.mostValues else {
                throw .query("Name at most \(Self.mostValues) values in a list.")
            }
            values.append(try RestValue(scanner.quoted() ?? scanner.upTo(",()"), as: column.type))
        } while scanner.take(",")
        guard scanner.take(")") else {
            throw unreadable(scanner.rest(), at: scanner.place, expecting: "\",\" or \")\"")
        }
        return values
    }

    /// A list of texts as `{a,"b c"}`, or JSON.
    private static func container(
        _ scanner: inout RestScanner, as type: RestType, isInGroup: Bool
    ) throws(CompatibleError) -> JSONValue {
        var text: String
        if !isInGroup {
            text = scanner.rest()
        } else if let quoted = scanner.quoted() {
            text = quoted
        } else {
            text =
                scanner.bracketed(UInt8(ascii: "{"), UInt8(ascii: "}"))
                ?? scanner.bracketed(UInt8(ascii: "["), UInt8(ascii: "]")) ?? scanner.upTo(",)")
        }
        if let value = try? JSONValue.parse(Array(text.utf8), limits: .foreign) { return value }
        var inside = RestScanner(text)
        guard inside.take("{") else { throw .value(text, of: type) }
        var elements: [JSONValue] = []
        if !inside.sees("}") {
            repeat { elements.append(.string(inside.quoted() ?? inside.upTo(",}"))) } while inside.take(",")
        }
        guard inside.take("}"), inside.isAtEnd else { throw .value(text, of: type) }
        return .array(elements)
    }
}
