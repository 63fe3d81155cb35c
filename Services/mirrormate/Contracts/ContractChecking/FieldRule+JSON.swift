package import JSON

extension FieldRule {
    /// Reads a rule of a contract file: `"name": {"type": …, "meaning": …}`.
    ///
    /// - Throws: what of it is missing or unknown.
    init(_ name: String, _ object: JSONObject) throws(JSONError) {
        let allowed = ["type", "meaning", "unit", "optional", "known", "unknown", "minimum", "maximum", "fields"]
        for key in object.keys where !allowed.contains(key) {
            throw JSONError(.type, at: "\(name).\(key)", "is no part of a field's rule (\(allowed))")
        }
        guard let form = FieldForm(rawValue: try object.string("type")) else {
            throw JSONError(
                .type, at: "\(name).type", "must be one of \(FieldForm.allCases.map(\.rawValue))")
        }
        var unit: FieldUnit?
        if let text = try object.optionalString("unit") {
            unit = FieldUnit(rawValue: text)
            if unit == nil {
                throw JSONError(
                    .type, at: "\(name).unit", "must be one of \(FieldUnit.allCases.map(\.rawValue))")
            }
        }
        var fields: [FieldRule] = []
        for member in try object.optionalObject("fields")?.members ?? [] {
            fields.append(try FieldRule(member.key, Self.members(member.value, member.key)))
        }
        self.init(
            name, form, try object.string("meaning"), unit: unit, isOptional: object["optional"]?.boolValue ?? false,
            known: (object["known"]?.arrayValue ?? []).compactMap(\.stringValue),
            unknown: try object.optionalString("unknown"), minimum: try object.optionalInt("minimum"),
            maximum: try object.optionalInt("maximum"), fields: fields)
    }

    static func members(_ value: JSONValue, _ place: String) throws(JSONError) -> JSONObject {
        guard let object = value.objectValue else { throw JSONError(.type, at: place, "must be an object") }
        return object
    }

    /// What is wrong with the rule itself: units and names that part, codes without a word on unknown ones.
    func flaws(isContract: Bool) -> [(path: String, problem: String)] {
        flattened().flatMap { path, rule -> [(String, String)] in
            var flaws: [(String, String)] = []
            if rule.form == .integer, rule.unit == nil { flaws.append((path, "has no unit")) }
            let named = FieldUnit.named(rule.name)
            if rule.form == .integer, (named ?? .count) != (rule.unit ?? .count) {
                flaws.append(
                    (
                        path,
                        "has the unit \(rule.unit?.rawValue ?? "none"), and its name says \(named?.rawValue ?? "none")"
                    ))
            }
            if rule.form == .object, rule.fields.isEmpty { flaws.append((path, "is an object without fields")) }
            if rule.meaning.isEmpty { flaws.append((path, "has no meaning")) }
            if isContract, rule.form == .code, rule.unknown == nil {
                flaws.append((path, "does not say what happens to a code that is not known"))
            }
            return flaws
        }
    }

    /// The JSON Schema of the member (draft 2020-12). Codes stay open: their known values are examples.
    package var schema: JSONObject {
        var schema: JSONObject = [:]
        switch form {
        case .uuid: schema = ["type": "string", "format": "uuid"]
        case .time:
            schema = [
                "type": "string", "format": "date-time",
                "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$",
            ]
        case .integer: schema = ["type": "integer", "format": "int64"]
        case .boolean: schema = ["type": "boolean"]
        case .sha256: schema = ["type": "string", "pattern": "^[0-9a-f]{64}$"]
        case .base64url: schema = ["type": "string", "pattern": "^[A-Za-z0-9_-]+$"]
        case .text, .code, .timeZone: schema = ["type": "string"]
        case .object: schema = Self.schema(of: fields)
        }
        if isOptional, let type = schema["type"] { schema["type"] = .array([type, "null"]) }
        var meaning = meaning
        if let unit, unit != .count { meaning += " Unit: \(unit.rawValue)." }
        if !known.isEmpty { meaning += " More codes may come." }
        schema["description"] = .string(meaning)
        if !known.isEmpty { schema["examples"] = .array(known.map(JSONValue.string)) }
        if let minimum { schema["minimum"] = .int(minimum) }
        if let maximum { schema["maximum"] = .int(maximum) }
        return schema
    }

    /// The JSON Schema of an object with these members; others may be there.
    package static func schema(of fields: [FieldRule]) -> JSONObject {
        [
            "type": "object",
            "properties": .object(JSONObject(fields.map { ($0.name, .object($0.schema)) })),
            "required": .array(fields.filter { !$0.isOptional }.map { .string($0.name) }),
            "additionalProperties": true,
        ]
    }
}
