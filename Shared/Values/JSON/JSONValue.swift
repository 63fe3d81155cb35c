/// One JSON value (RFC 8259).
///
/// Integers that fit 64 bits stay exact; anything with a fraction or an exponent is a `Double`. Objects keep the order
/// of their members, so output and hashes are stable.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// The member's value if this is an object that has it.
    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[key]
    }

    /// The string, if this is one.
    package var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The number, if this is an integer; `80.0` is one too (JSON Schema 2020-12, section 6.1.1) if it is exact.
    package var intValue: Int64? {
        switch self {
        case .int(let value): value
        case .double(let value) where abs(value) <= 0x1p53: Int64(exactly: value)
        default: nil
        }
    }

    /// The number, if this is an integer or a fraction.
    package var doubleValue: Double? {
        switch self {
        case .int(let value): return Double(value)
        case .double(let value): return value
        default: return nil
        }
    }

    /// The Boolean, if this is `true` or `false`.
    package var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements, if this is an array.
    package var arrayValue: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members, if this is an object.
    package var objectValue: JSONObject? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// Whether this is `null`.
    package var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    /// The string, or `null` for nil.
    package static func optional(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }

    /// The integer, or `null` for nil.
    package static func optional(_ value: Int64?) -> JSONValue { value.map(JSONValue.int) ?? .null }

    /// The number, or `null` for nil.
    package static func optional(_ value: Double?) -> JSONValue { value.map(JSONValue.double) ?? .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
    package init(nilLiteral: ()) { self = .null }
}
