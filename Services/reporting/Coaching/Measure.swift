package import Contracts
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
    /// Why it cannot.
    package var cause: Cause?
    /// The stable code of the reason, if it has one.
    package var code: String?
    /// Valid, but less reliable than the others.
    package var lowConfidence = false
    /// The percentage of the confidence score that rests on it, also when it counts because it could not be judged; nil if
    /// none does.
    package var weight: Double?
    /// What is better: "higher", "lower", "within" a range; "none" or nil for what only describes.
    package var direction: String?
    /// Of the measure's definition; nil if it has only ever had one.
    package var version: Int64?
    /// Who judged it, where that is nobody of this deployment, such as `openai/gpt-4o-mini`.
    package var engine: String?

    package init(_ value: JSONValue, unit: String, source: Source) {
        self.value = value
        self.unit = unit
        self.source = source
        valid = true
    }

    /// A measure without a value.
    package init(unit: String, source: Source = .notRated, cause: Cause) {
        value = .null
        self.unit = unit
        self.source = source
        valid = false
        self.cause = cause
    }

    /// A measured quantity, with its reason as rules know it.
    package init(_ quantity: Measurements.Quantity) {
        value = quantity.value
        unit = quantity.unit
        source = quantity.source.flatMap(Source.init(rawValue:)) ?? .measured
        valid = quantity.number != nil
        lowConfidence = quantity.isUncertain
        direction = quantity.direction
        version = quantity.version
        engine = quantity.engine
        guard !valid else { return }
        let given = quantity.reason.map(Cause.init) ?? .known(.noValue)
        cause = given
        if case .known(let reason) = given, reason != .noValue { code = reason.rawValue }
        if given == .known(.notMeasured) { source = .notRated }
    }

    /// Takes its value away.
    mutating func invalidate(_ reason: Reason) {
        value = .null
        valid = false
        lowConfidence = false
        cause = .known(reason)
        code = reason.rawValue
    }

    /// Takes its value away for the same reason as another's that has none.
    mutating func invalidate(like other: Measure) {
        value = .null
        valid = false
        lowConfidence = false
        cause = other.cause
        code = other.code
    }

    /// The value, if it is valid and a number.
    package var number: Double? { valid ? value.doubleValue : nil }

    /// The JSON form in the report, with its reason in words.
    package func json(_ catalogue: any Catalogue) -> JSONValue {
        var object: JSONObject = [
            "value": value, "unit": .string(unit), "source": .string(source.rawValue), "valid": .bool(valid),
        ]
        if let cause { object["reason"] = .string(cause.text(catalogue)) }
        if let code { object["code"] = .string(code) }
        if lowConfidence { object["lowConfidence"] = true }
        if let direction { object["direction"] = .string(direction) }
        if let version { object["version"] = .int(version) }
        if let weight { object["weight"] = .double(weight) }
        if let engine { object["engine"] = .string(engine) }
        return .object(object)
    }
}
