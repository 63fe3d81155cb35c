package import JSON

/// One figure of a report, with everything needed to know how far to trust it.
package struct Measure: Sendable, Equatable {
    /// How the value was obtained.
    package enum Source: String, Sendable {
        /// Computed from the signal.
        case measured
        /// From a recognition model.
        case model
        /// Derived by rules from other measures.
        case estimated
        /// Not measured.
        case notRated
    }

    /// The value; `null` unless ``valid``.
    package var value: JSONValue
    /// The unit in words, such as `words/min`.
    package var unit: String
    package var source: Source
    /// Whether the value can be used.
    package var valid: Bool
    /// Why it cannot; a clause for use within a sentence.
    package var reason: String?
    /// The media helper's stable code for the reason, if it gave one.
    package var code: String?
    /// Valid, but less reliable than the others.
    package var lowConfidence = false
    /// The share of the confidence score based on it, in percent after renormalization; nil if none is.
    package var weight: Double?
    /// What is better: "higher", "lower", "within" a range; "none" or nil for what only describes.
    package var direction: String?
    /// Of the measure's definition; nil if it has only ever had one.
    package var version: Int64?

    package init(_ value: JSONValue, unit: String, source: Source) {
        self.value = value
        self.unit = unit
        self.source = source
        valid = true
    }

    /// A measure without a value.
    package init(unit: String, source: Source = .notRated, reason: String) {
        value = .null
        self.unit = unit
        self.source = source
        valid = false
        self.reason = Self.clause(reason)
    }

    /// Reads a measure from the media helper; one that claims to be valid without a number is not.
    package init(_ object: JSONObject) throws(JSONError) {
        unit = try object.optionalString("unit") ?? ""
        source = Source(rawValue: try object.optionalString("source") ?? "") ?? .measured
        direction = try object.optionalString("direction")
        version = try object.optionalInt("version")
        let number = object["value"]?.doubleValue
        valid = try object.bool("valid") && number?.isFinite == true
        value = valid ? object["value"] ?? .null : .null
        if valid {
            lowConfidence = object["lowConfidence"]?.boolValue ?? false
        } else {
            let given = try object.optionalString("reason") ?? "no value could be measured"
            code = Reasons.clause(for: given) == nil ? nil : given
            reason = Self.clause(given)
            if given == "not-measured" { source = .notRated }
        }
    }

    /// The value, if it is valid and a number.
    package var number: Double? { valid ? value.doubleValue : nil }

    /// The JSON form in the report.
    package var json: JSONValue {
        var object: JSONObject = [
            "value": value, "unit": .string(unit), "source": .string(source.rawValue), "valid": .bool(valid),
        ]
        if let reason { object["reason"] = .string(reason) }
        if let code { object["code"] = .string(code) }
        if lowConfidence { object["lowConfidence"] = true }
        if let direction { object["direction"] = .string(direction) }
        if let version { object["version"] = .int(version) }
        if let weight { object["weight"] = .double(weight) }
        return .object(object)
    }

    /// The reason for a code, or the text itself without its period, because reasons are used within sentences.
    static func clause(_ text: String) -> String {
        if let clause = Reasons.clause(for: text) { return clause }
        var clause = text[...]
        while let last = clause.last, last == "." || last == " " { clause = clause.dropLast() }
        return String(clause)
    }
}
