package import JSON

/// One figure of a report with everything that a reader needs to know how far to trust it.
package struct Measure: Sendable, Equatable {
    /// How the value came about.
    package enum Source: String, Sendable {
        /// Computed from the signal.
        case measured
        /// Said by a recognition model.
        case model
        /// Derived by rules from other measures.
        case estimated
        /// Nothing here measures it.
        case notRated
    }

    /// The value; `null` unless ``valid``.
    package var value: JSONValue
    /// The unit in words, for instance `words/min`.
    package var unit: String
    package var source: Source
    /// Whether the value may be used.
    package var valid: Bool
    /// Why it may not; a sentence without its full stop.
    package var reason: String?
    /// The share of the confidence score that rests on it, in percent after renormalisation; nothing when none does.
    package var weight: Double?

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

    /// Reads a measure as the media helper gives it; what claims to be valid without a number is not.
    package init(_ object: JSONObject) throws(JSONError) {
        unit = try object.optionalString("unit") ?? ""
        source = Source(rawValue: try object.optionalString("source") ?? "") ?? .measured
        let number = object["value"]?.doubleValue
        valid = try object.bool("valid") && number?.isFinite == true
        value = valid ? object["value"] ?? .null : .null
        reason = valid ? nil : Self.clause(try object.optionalString("reason") ?? "no value could be measured")
    }

    /// The value as a number, when it is valid and one.
    package var number: Double? { valid ? value.doubleValue : nil }

    /// The form in the report.
    package var json: JSONValue {
        var object: JSONObject = [
            "value": value, "unit": .string(unit), "source": .string(source.rawValue), "valid": .bool(valid),
        ]
        if let reason { object["reason"] = .string(reason) }
        if let weight { object["weight"] = .double(weight) }
        return .object(object)
    }

    /// Reasons stand inside sentences, so they end without a full stop.
    private static func clause(_ text: String) -> String {
        var clause = text[...]
        while let last = clause.last, last == "." || last == " " { clause = clause.dropLast() }
        return String(clause)
    }
}
