import Contracts
package import JSON

/// What the figures of a report rest on: everything that was measured, by which rules and engines, of what. Numbers and codes; no
/// person's words.
package struct ReportBasis: Sendable, Equatable {
    /// One measured thing.
    package struct Measured: Sendable, Equatable {
        /// Nil when it is not valid.
        package var value: Double?
        /// Why it is not valid: a stable code; nil when there is none.
        package var code: String?
        /// Valid, but less reliable than others.
        package var isUncertain = false
        /// Of its definition; nil if it has only ever had one.
        package var version: Int64?

        package init(_ value: Double?, code: String? = nil, isUncertain: Bool = false, version: Int64? = nil) {
            self.value = value
            self.code = code
            self.isUncertain = isUncertain
            self.version = version
        }

        /// The same as a number: values of one definition can be compared.
        var definition: Int64 { version ?? 1 }
    }

    private static let mostMeasures = 200
    private static let mostEngines = 20

    /// Of the rules that judged; nil if the report does not say.
    package var rulesVersion: Int64?
    /// The BCP 47 tag of what was spoken, as the client said; nil if it said nothing.
    package var language: String?
    /// What was spoken for.
    package var scenario: String?
    /// Names and versions of what measured.
    package var engines: [String: String]
    package var measures: [String: Measured]
    /// The measures that the exercise to begin with is about; empty when it gave none.
    package var exercise: [String]

    package init(
        rulesVersion: Int64?, language: String? = nil, scenario: String? = nil, engines: [String: String] = [:],
        measures: [String: Measured], exercise: [String] = []
    ) {
        self.rulesVersion = rulesVersion
        self.language = language
        self.scenario = scenario
        self.engines = engines
        self.measures = measures
        self.exercise = exercise
    }

    /// What a whole report says of it; nil if it says nothing. What is no number and no code is left out.
    package init?(report: JSONObject) {
        guard let measures = report["measures"]?.objectValue else { return nil }
        self.init(
            rulesVersion: report["rulesVersion"]?.intValue.flatMap { (0...1_000_000).contains($0) ? $0 : nil },
            language: report["spokenLanguage"]?.stringValue.flatMap { RecordingBrief.isTag($0) ? $0 : nil },
            scenario: report["scenario"]?.stringValue.flatMap { Self.isName($0) ? $0 : nil }, measures: [:])
        // Who has worded a report is nothing that its figures rest on.
        for (name, engine) in report["engines"]?.objectValue?.members ?? []
        where engines.count < Self.mostEngines && name != "text" {
            guard let said = engine.stringValue ?? engine.intValue.map(String.init), Self.isName(name),
                Self.isVersion(said)
            else { continue }
            engines[name] = said
        }
        for (name, value) in measures.members where self.measures.count < Self.mostMeasures && Self.isName(name) {
            guard let measure = value.objectValue else { continue }
            self.measures[name] = Measured(reported: measure)
        }
        let trained = report["firstStep"]?.objectValue?["measures"]?.arrayValue ?? []
        exercise = trained.compactMap(\.stringValue).filter { self.measures[$0] != nil }
    }

    /// The stored form.
    ///
    /// - Throws: `JSONError` for a member that is missing or of another type.
    package init(_ object: JSONObject) throws(JSONError) {
        var engines: [String: String] = [:]
        for (name, value) in try object.object("engines").members {
            guard let said = value.stringValue else { throw JSONError(.type, at: "engines", "must be names") }
            engines[name] = said
        }
        self.init(
            rulesVersion: try object.optionalInt("rulesVersion"), language: try object.optionalString("language"),
            scenario: try object.optionalString("scenario"), engines: engines,
            measures: try Self.measures(object.object("measures")),
            exercise: try object.array("exercise").compactMap(\.stringValue))
    }

    /// The stored form of measures.
    ///
    /// - Throws: `JSONError` for a member of another type.
    static func measures(_ object: JSONObject) throws(JSONError) -> [String: Measured] {
        var measures: [String: Measured] = [:]
        for (name, value) in object.members {
            guard let measure = value.objectValue else { throw JSONError(.type, at: name, "must be an object") }
            measures[name] = try Measured(measure)
        }
        return measures
    }

    /// The stored form, in the order of the names.
    package var json: JSONObject {
        let engines = engines.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        let measures = measures.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.object($0.value.json)) }
        return [
            "rulesVersion": .optional(rulesVersion), "language": .optional(language), "scenario": .optional(scenario),
            "engines": .object(JSONObject(engines)), "measures": .object(JSONObject(measures)),
            "exercise": .array(exercise.map(JSONValue.string)),
        ]
    }

    /// Letters, digits, dots and hyphens, such as `toneTimeline.confidence`.
    static func isName(_ text: String) -> Bool {
        (1...60).contains(text.utf8.count) && text.utf8.allSatisfy { isPlain($0) }
    }

    /// What an engine is called, such as `tiny-en 0.0.73`, or a provider with its model, such as `openai/gpt-4o-mini`.
    private static func isVersion(_ text: String) -> Bool {
        (1...150).contains(text.utf8.count) && text.utf8.allSatisfy { isPlain($0) || " _+:~/@".utf8.contains($0) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-")
    }
}

extension ReportBasis.Measured {
    /// A measure as a report has it; nil for one whose value is neither a number nor missing, such as tags. Counts by word are added up.
    fileprivate init?(reported measure: JSONObject) {
        let isValid = measure["valid"]?.boolValue ?? false
        let value = measure["value"] ?? .null
        let counts = value.objectValue?.members.map(\.value.doubleValue)
        let number = value.doubleValue ?? counts.flatMap { $0.contains(nil) ? nil : $0.reduce(0) { $0 + ($1 ?? 0) } }
        if isValid {
            guard let number, number.magnitude < 1e9 else { return nil }
            self.init(number)
        } else {
            self.init(nil, code: measure["code"]?.stringValue.flatMap { ReportBasis.isName($0) ? $0 : nil })
        }
        isUncertain = isValid && measure["lowConfidence"]?.boolValue ?? false
        version = measure["version"]?.intValue
    }

    /// The stored form.
    init(_ object: JSONObject) throws(JSONError) {
        self.init(
            try object.optionalDouble("value"), code: try object.optionalString("code"),
            isUncertain: object["uncertain"]?.boolValue ?? false, version: try object.optionalInt("version"))
    }

    fileprivate var json: JSONObject {
        JSONObject().adding([
            "valid": .bool(value != nil), "value": value.map(JSONValue.double), "code": code.map(JSONValue.string),
            "uncertain": isUncertain ? true : nil, "version": version.map(JSONValue.int),
        ])
    }
}
