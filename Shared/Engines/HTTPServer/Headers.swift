/// The fields of a message in order; names are case-insensitive (RFC 9110, section 5.1).
package struct Headers: Sendable, ExpressibleByDictionaryLiteral {
    /// All fields, in the order received or added.
    package private(set) var fields: [(name: String, value: String)] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { fields.append((name, value)) }
    }

    /// The first value of a field; setting one replaces all values, setting nil removes them.
    package subscript(_ name: String) -> String? {
        get {
            for field in fields where Self.same(field.name, name) { return field.value }
            return nil
        }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue { fields.append((name, newValue)) }
        }
    }

    /// Every value of a field, in order.
    package func all(_ name: String) -> [String] {
        fields.lazy.filter { Self.same($0.name, name) }.map(\.value)
    }

    /// Adds a value after existing ones, as for `Set-Cookie`.
    package mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

    /// Whether two field names or tokens are equal, ignoring the case of ASCII letters.
    static func same(_ left: String, _ right: String) -> Bool {
        let (left, right) = (left.utf8, right.utf8)
        guard left.count == right.count else { return false }
        for (one, other) in zip(left, right) where one != other {
            guard one | 0x20 == other | 0x20, (0x61...0x7A).contains(one | 0x20) else { return false }
        }
        return true
    }
}
