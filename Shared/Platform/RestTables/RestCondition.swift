package import JSON

/// What a row must be to be seen or changed.
package indirect enum RestCondition: Sendable, Equatable {
    /// A comparison of two values of one type, by the order of that type.
    package enum Comparison: String, Sendable, CaseIterable {
        case eq, neq, gt, gte, lt, lte

        /// PostgreSQL's operator.
        var sql: String {
            switch self {
            case .eq: "="
            case .neq: "<>"
            case .gt: ">"
            case .gte: ">="
            case .lt: "<"
            case .lte: "<="
            }
        }
    }

    /// What can be asked without a value.
    package enum Test: String, Sendable {
        case null, notNull = "not_null", `true`, `false`, unknown

        var sql: String { self == .notNull ? "not null" : rawValue }
    }

    case compare(RestColumn, Comparison, RestValue)
    /// One of a list, which may be empty.
    case isIn(RestColumn, [RestValue])
    case test(RestColumn, Test)
    /// A pattern in which `%` stands for any text and `_` for any character.
    case like(RestColumn, String, ignoringCase: Bool)
    /// Not the same, where null is a value like others.
    case isDistinct(RestColumn, RestValue)
    /// Whether a list or a JSON value contains another one, or is contained in it.
    case contains(RestColumn, JSONValue, isContained: Bool)
    case not(RestCondition)
    case all([RestCondition])
    case any([RestCondition])
}
