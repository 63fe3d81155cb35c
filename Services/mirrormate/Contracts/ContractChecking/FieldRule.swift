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

    /// Whether every value of this form is a value of another: a text field may hold any of the texts.
    func isWithin(_ other: FieldForm) -> Bool {
        if self == other { return true }
        return other == .text && ![.integer, .boolean, .object].contains(self)
    }

    /// Why a value has not this form; nothing when it has.
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

/// Units of numbers. The unit stands in the field's name too, so that nobody has to look it up.
package enum FieldUnit: String, Sendable, CaseIterable {
    case milliseconds, seconds, bytes, percent
    /// How many of something; needs no word in the name.
    case count

    /// What the names of fields with this unit end in.
    var suffix: String {
        switch self {
        case .milliseconds: "Ms"
        case .seconds: "Seconds"
        case .bytes: "Bytes"
        case .percent: "Percent"
        case .count: ""
        }
    }

    /// The unit that a name says it has.
    static func named(_ name: String) -> FieldUnit? {
        allCases.first { !$0.suffix.isEmpty && name.hasSuffix($0.suffix) }
    }
}

/// What holds for one member of a message: as its publisher declares it, or as a consumer needs it.
package struct FieldRule: Sendable, Equatable {
    package let name: String
    package let form: FieldForm
    package let unit: FieldUnit?
    /// The member may be missing or null.
    package let isOptional: Bool
    /// What it means.
    package let meaning: String
    /// The codes that are known; more may come.
    package let known: [String]
    /// What the consumer does with a code that it does not know.
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

    /// Why a value does not keep the rule, by path; empty when it does.
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
