import JSON

/// A JSON Schema of the description in words and as an example, for the page that people read.
enum SchemaWords {
    /// A member of an object.
    struct Field {
        let name: String
        let isRequired: Bool
        let schema: JSONValue
        /// What it means; nil where its name and form say all.
        var meaning: String? { schema["description"]?.stringValue }
    }

    /// The members of a schema's object; none for what has no members of its own.
    static func fields(_ schema: JSONValue) -> [Field] {
        let required = (schema["required"]?.arrayValue ?? []).compactMap(\.stringValue)
        return (schema["properties"]?.objectValue?.members ?? []).map {
            Field(name: $0.key, isRequired: required.contains($0.key), schema: $0.value)
        }
    }

    /// The forms that a schema may have; itself alone where it has one.
    static func forms(_ schema: JSONValue) -> [JSONValue] {
        let forms = schema["oneOf"]?.arrayValue ?? schema["anyOf"]?.arrayValue ?? [schema]
        return forms.filter { $0["type"]?.stringValue != "null" }
    }

    /// The form of a value in words: type, unit and limits.
    ///
    /// - Parameter link: how the name of another schema is written.
    static func form(_ schema: JSONValue, link: (String) -> String) -> String {
        if let name = name(schema) { return link(name) }
        if let alternatives = schema["oneOf"]?.arrayValue ?? schema["anyOf"]?.arrayValue {
            return alternatives.map { form($0, link: link) }.joined(separator: " or ")
        }
        if let constant = schema["const"] { return "always \(text(constant))" }
        if let words = schema["enum"]?.arrayValue { return words.map(text).joined(separator: ", ") }
        let types = (schema["type"]?.arrayValue ?? schema["type"].map { [$0] } ?? []).compactMap(\.stringValue)
        return types.map { type in one(type, schema, link) }.joined(separator: " or ")
    }

    private static func one(_ type: String, _ schema: JSONValue, _ link: (String) -> String) -> String {
        switch type {
        case "array":
            let items = schema["items"].map { "list of " + form($0, link: link) } ?? "list"
            return items + limits(schema["minItems"], schema["maxItems"], "items")
        case "object":
            guard let values = schema["additionalProperties"], values.objectValue != nil else {
                let names = fields(schema).map(\.name)
                return names.isEmpty ? "object" : "object with \(names.joined(separator: ", "))"
            }
            return "object, by name: \(form(values, link: link))"
        case "integer": return "whole number" + limits(schema["minimum"], schema["maximum"], "")
        case "number": return "number" + limits(schema["minimum"], schema["maximum"], "")
        case "boolean": return "true or false"
        case "null": return "null"
        default: return text(schema) + limits(schema["minLength"], schema["maxLength"], "characters")
        }
    }

    private static func text(_ schema: JSONValue) -> String {
        if let word = schema.stringValue { return word }
        guard schema.objectValue != nil else { return schema.text }
        return switch schema["format"]?.stringValue {
        case "uuid": "UUID"
        case "date-time": "moment (RFC 3339, UTC)"
        case "date": "day (YYYY-MM-DD)"
        case "email": "mail address"
        case "uri": "address"
        case "binary": "file"
        default: "text"
        }
    }

    private static func limits(_ least: JSONValue?, _ most: JSONValue?, _ unit: String) -> String {
        let unit = unit.isEmpty ? "" : " \(unit)"
        return switch (least.map(text), most.map(text)) {
        case (nil, nil): ""
        case (let least?, nil): ", at least \(least)\(unit)"
        case (nil, let most?): ", at most \(most)\(unit)"
        case (let least?, let most?): ", \(least) to \(most)\(unit)"
        }
    }

    /// The name of a schema that another one refers to; nil for what is no reference.
    static func name(_ schema: JSONValue) -> String? {
        schema["$ref"]?.stringValue.flatMap { $0.split(separator: "/").last.map(String.init) }
    }

    /// A value as somebody may send it, with the members that it must have.
    ///
    /// - Parameter member: the name of the member that it is; empty for a whole body.
    static func example(_ schema: JSONValue, _ member: String = "") -> JSONValue {
        if let name = name(schema) {
            return Schemas.all.first { $0.0 == name }.map { example($0.1, member) } ?? .null
        }
        if let given = schema["examples"]?.arrayValue?.first ?? schema["const"] ?? schema["enum"]?.arrayValue?.first {
            return given
        }
        if schema["oneOf"] != nil || schema["anyOf"] != nil {
            return forms(schema).first.map { example($0, member) } ?? .null
        }
        let types = (schema["type"]?.arrayValue ?? schema["type"].map { [$0] } ?? []).compactMap(\.stringValue)
        switch types.first {
        case "object":
            let wanted = fields(schema).filter(\.isRequired)
            return .object(JSONObject(wanted.map { ($0.name, example($0.schema, $0.name)) }))
        case "array": return .array(schema["items"].map { [example($0, member)] } ?? [])
        case "integer", "number": return schema["minimum"] ?? 1
        case "boolean": return true
        default: return .string(sample(schema, member))
        }
    }

    private static func sample(_ schema: JSONValue, _ member: String) -> String {
        switch (schema["format"]?.stringValue, member) {
        case ("uuid", _): "0b98cea9-cf81-58e3-8812-52c9a329a19b"
        case ("date-time", _): "2026-11-26T09:00:00Z"
        case ("date", _): "2026-11-26"
        case ("email", _): "ada@example.org"
        case ("uri", _): "https://example.org/"
        case (_, "password"), (_, "newPassword"), (_, "currentPassword"): "a long one that nobody knows"
        case (_, "deviceId"): "0b98cea9cf8158e3881252c9a329a19b"
        case (_, "timeZone"): "Europe/Berlin"
        case (_, "contentType"): "video/mp4"
        case (_, "kind"): "mirrormate"
        default: "…"
        }
    }
}
