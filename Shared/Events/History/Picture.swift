package import JSON
import Primitives

/// Pictures of values as JSON, by reflection: names of cases and properties as the code has them.
package enum Picture {
    /// A value's picture; the same for equal values, whatever the order of their dictionaries and sets.
    package static func of(_ value: Any) -> JSONValue {
        switch value {
        case let value as UUID: return .uuid(value)
        case let value as Timestamp: return .time(value)
        case let value as String: return .string(value)
        case let value as Bool: return .bool(value)
        case let value as Int64: return .int(value)
        case let value as Int: return .int(Int64(value))
        case let value as Double: return .double(value)
        case let value as any RawRepresentable:
            if let text = value.rawValue as? String { return .string(text) }
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { of($0.value) } ?? .null
        case .collection: return .array(mirror.children.map { of($0.value) })
        case .set: return .array(mirror.children.map { of($0.value) }.sorted { $0.text < $1.text })
        case .dictionary:
            let pairs = mirror.children.map { child -> (String, JSONValue) in
                let parts = Mirror(reflecting: child.value).children.map(\.value)
                return (text(of(parts[0])), of(parts[1]))
            }
            return .object(JSONObject(pairs.sorted { $0.0 < $1.0 }))
        case .enum:
            guard let child = mirror.children.first else { return .string("\(value)") }
            return .object([child.label ?? "\(value)": of(child.value)])
        default:
            if mirror.children.isEmpty { return .string("\(value)") }
            // A tuple with one part and no label is an enum's only associated value.
            if mirror.displayStyle == .tuple, mirror.children.count == 1, let only = mirror.children.first,
                only.label?.hasPrefix(".") != false
            {
                return of(only.value)
            }
            return .object(
                JSONObject(
                    mirror.children.enumerated().map { index, child in
                        let label = child.label ?? "\(index)"
                        return (label.hasPrefix(".") ? name(of: child.value, index) : label, of(child.value))
                    }))
        }
    }

    /// An unnamed part is called after its type.
    private static func name(of value: Any, _ index: Int) -> String {
        let type = "\(Swift.type(of: value))"
        guard let first = type.first, first.isUppercase, !type.contains("<") else { return "\(index)" }
        return first.lowercased() + type.dropFirst()
    }

    private static func text(_ value: JSONValue) -> String { value.stringValue ?? value.text }
}
