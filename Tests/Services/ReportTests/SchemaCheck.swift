import JSON

/// What is wrong with a value by a JSON Schema, in the part of that language that the API's description uses for reports.
struct SchemaCheck {
    /// Whether members that the schema does not know are wrong as well.
    var isStrict = false

    /// Each problem with its place; empty if the value conforms.
    func problems(_ value: JSONValue, _ schema: JSONValue, at place: String = "report") -> [String] {
        if let choices = schema["oneOf"]?.arrayValue {
            let found = choices.map { problems(value, $0, at: place) }
            return found.contains { $0.isEmpty } ? [] : found.first ?? []
        }
        var found: [String] = []
        if let types = types(schema), !types.contains(where: { isOf($0, value) }) {
            return ["\(place) is \(value.text.prefix(40)), not \(types.joined(separator: " or "))"]
        }
        if let known = schema["enum"]?.arrayValue, !known.contains(value) { found.append("\(place) is \(value.text)") }
        if let number = value.doubleValue {
            if let least = schema["minimum"]?.doubleValue, number < least { found.append("\(place) is \(number)") }
            if let most = schema["maximum"]?.doubleValue, number > most { found.append("\(place) is \(number)") }
        }
        for (index, element) in (value.arrayValue ?? []).enumerated() {
            guard let items = schema["items"] else { break }
            found += problems(element, items, at: "\(place)[\(index)]")
        }
        return found + members(value, schema, place)
    }

    private func members(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        guard let object = value.objectValue else { return [] }
        var found: [String] = []
        for name in schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? [] where object[name] == nil {
            found.append("\(place).\(name) is missing")
        }
        for (name, member) in object.members {
            if let known = schema["properties"]?[name] ?? schema["additionalProperties"] {
                found += problems(member, known, at: "\(place).\(name)")
            } else if isStrict, schema["properties"] != nil {
                found.append("\(place).\(name) is not described")
            }
        }
        return found
    }

    private func types(_ schema: JSONValue) -> [String]? {
        schema["type"]?.stringValue.map { [$0] } ?? schema["type"]?.arrayValue?.compactMap(\.stringValue)
    }

    private func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch type {
        case "null": value == .null
        case "string": value.stringValue != nil
        case "boolean": value.boolValue != nil
        case "integer": value.intValue != nil
        case "number": value.doubleValue != nil
        case "array": value.arrayValue != nil
        case "object": value.objectValue != nil
        default: false
        }
    }
}
