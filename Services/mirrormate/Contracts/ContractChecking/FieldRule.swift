package import JSON
import Primitives

/// The forms that a member of a message can have.
package enum FieldForm: String, Sendable, CaseIterable {
    case uuid
    /// RFC 3339 in UTC with microseconds.
    case time
    case integer
    case boolean
    case text
    /// One of an open set of names.
    case code
    case object
    /// 64 lower-case hexadecimal digits.
    case sha256
    /// An IANA name.
    case timeZone = "time-zone"
    /// Base 64 URL without padding.
    case base64url

    /// Whether every value of this form is also one of another: a text field accepts any string.
    func isWithin(_ other: FieldForm) -> Bool {
        if self == other { return true }
        return other == .text && ![.integer, .boolean, .object].contains(self)
    }

    /// Why a value does not have this form; nil if it does.
    func problem(_ value: JSONValue) -> String? {
        switch self {
        case .integer: return value.intValue == nil ? "must be an integer" : nil
        case .boolean: return value.boolValue == nil ? "must be true or false" : nil
        case .object: return value.objectValue == nil ? "must be an object" : nil
        default: break
        }
        guard let text = value.stringValue else { return "must be a string" }
        return isGood(text) ? nil : "must be \(words)"
    }

    private func isGood(_ text: String) -> Bool {
        switch self {
        case .uuid: UUID(text)?.description == text
        case .time: Timestamp(rfc3339: text)?.rfc3339 == text
        case .sha256: text.utf8.count == 64 && Hex.decode(text) != nil && text == text.lowercased()
        case .code, .timeZone: !text.isEmpty && !text.contains(" ")
        case .base64url: Base64URL.decode(text) != nil
        default: true
        }
    }

    private var words: String {
        switch self {
        case .uuid: "a UUID in lower case"
        case .time: "an RFC 3339 time in UTC with six digits of a second"
        case .sha256: "64 lower-case hexadecimal digits"
        case .code: "a code"
        case .timeZone: "an IANA time zone"
        case .base64url: "base 64 URL without padding"
        default: rawValue
        }
    }
}

/// Units of numbers. The unit is also part of the field's name, so that nobody has to look it up.
package enum FieldUnit: String, Sendable, CaseIterable {
    case milliseconds, seconds, bytes, percent
    /// A count; needs no suffix in the name.
    case count

    /// The suffix of the names of fields with this unit.
    var suffix: String {
        switch self {
        case .milliseconds: "Ms"
        case .seconds: "Seconds"
        case .bytes: "Bytes"
        case .percent: "Percent"
        case .count: ""
        }
    }

    /// The unit that a name implies.
    static func named(_ name: String) -> FieldUnit? {
        allCases.first { !$0.suffix.isEmpty && name.hasSuffix($0.suffix) }
    }
}

/// A rule for one member of a message: as declared by its publisher, or as needed by a consumer.
package struct FieldRule: Sendable, Equatable {
    package let name: String
    package let form: FieldForm
    package let unit: FieldUnit?
    /// The member may be missing or null.
    package let isOptional: Bool
    /// What it means.
    package let meaning: String
    /// The known codes; more may be added.
    package let known: [String]
    /// What the consumer does with an unknown code.
    package let unknown: String?
    package let minimum: Int64?
    package let maximum: Int64?
    /// The members of an object.
    package let fields: [FieldRule]

    package init(
        _ name: String, _ form: FieldForm, _ meaning: String, unit: FieldUnit? = nil, isOptional: Bool = false,
        known: [String] = [], unknown: String? = nil, minimum: Int64? = nil, maximum: Int64? = nil,
        fields: [FieldRule] = []
    ) {
        self.name = name
        self.form = form
        self.meaning = meaning
        self.unit = unit
        self.isOptional = isOptional
        self.known = known
        self.unknown = unknown
        self.minimum = minimum
        self.maximum = maximum
        self.fields = fields
    }

    /// Violations of the rule by a value, by path; empty if there are none.
    package func problems(_ object: JSONObject, under path: String = "") -> [(path: String, problem: String)] {
        let here = path + name
        guard let value = object[name], !value.isNull else {
            return isOptional ? [] : [(here, "is missing")]
        }
        if let problem = form.problem(value) { return [(here, "\(problem), and is \(value.text)")] }
        if let number = value.intValue {
            if let minimum, number < minimum { return [(here, "must be at least \(minimum), and is \(number)")] }
            if let maximum, number > maximum { return [(here, "must be at most \(maximum), and is \(number)")] }
        }
        guard let members = value.objectValue else { return [] }
        return fields.flatMap { $0.problems(members, under: "\(here).") }
    }

    /// This rule and those of its members, by path.
    package func flattened(under path: String = "") -> [(path: String, rule: FieldRule)] {
        [(path + name, self)] + fields.flatMap { $0.flattened(under: "\(path)\(name).") }
    }
}

extension [FieldRule] {
    /// All rules with those of members, by path.
    package var flattened: [(path: String, rule: FieldRule)] { flatMap { $0.flattened() } }
}

extension FieldRule {
    /// Reads a rule of a contract file: `"name": {"type": …, "meaning": …}`.
    ///
    /// - Throws: what is missing or unknown.
    init(_ name: String, _ object: JSONObject) throws(JSONError) {
        let allowed = ["type", "meaning", "unit", "optional", "known", "unknown", "minimum", "maximum", "fields"]
        for key in object.keys where !allowed.contains(key) {
            throw JSONError(.type, at: "\(name).\(key)", "is not part of a field's rule (\(allowed))")
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

    /// What is wrong with the rule itself: a unit that contradicts the name, or no handling of unknown codes.
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
