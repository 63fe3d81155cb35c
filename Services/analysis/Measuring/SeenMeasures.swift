package import JSON

/// What somebody who looked at a recording, or at pictures of it, made of it: numbers and codes, no word of theirs.
package struct SeenMeasures: Sendable, Equatable {
    /// What they are asked about. The raw values stand in their answer, and in the stored one.
    package enum Aspect: String, Sendable, CaseIterable {
        case posture, gestures, expression

        /// The measure that it becomes.
        package var measure: String {
            switch self {
            case .posture: "postureScore"
            case .gestures: "gestureNaturalness"
            case .expression: "facialExpressiveness"
            }
        }
    }

    /// What they have looked at. The raw values stand in stored answers.
    package enum Extent: String, Sendable, CaseIterable {
        case pictures, recording

        /// The task of theirs among the engines of a document.
        var task: String {
            switch self {
            case .pictures: "vision"
            case .recording: "video"
            }
        }
    }

    /// Why there is no value. The raw values stand in documents.
    package enum Reason: String, Sendable, CaseIterable {
        /// It is out of the picture.
        case notInPictures = "not-in-pictures"
        /// It cannot be made out.
        case picturesUnclear = "pictures-unclear"
        /// Another person is in the picture, who was not asked.
        case secondFace = "second-face"
        /// Its owner lets nobody have pictures.
        case consentRequired = "consent-required"
        /// Nobody has given an answer that can be used.
        case noAnswer = "no-answer"
    }

    /// A value from 0 to 1, or why there is none.
    package enum Finding: Sendable, Equatable {
        case value(Double)
        case nothing(Reason)
    }

    /// Who looked, and with what, such as `openai/gpt-4o-mini`; nil when nobody did.
    package let engine: String?
    package let extent: Extent
    package let posture: Finding
    package let gestures: Finding
    package let expression: Finding

    package init(
        engine: String?, of extent: Extent = .pictures, posture: Finding, gestures: Finding, expression: Finding
    ) {
        self.engine = engine
        self.extent = extent
        self.posture = posture
        self.gestures = gestures
        self.expression = expression
    }

    /// Nobody has looked.
    package static func none(_ reason: Reason) -> SeenMeasures {
        SeenMeasures(engine: nil, posture: .nothing(reason), gestures: .nothing(reason), expression: .nothing(reason))
    }

    package subscript(_ aspect: Aspect) -> Finding {
        switch aspect {
        case .posture: posture
        case .gestures: gestures
        case .expression: expression
        }
    }

    /// What the helper has measured, with this.
    package func added(to measured: JSONObject) -> JSONObject {
        var measures = measured["measures"]?.objectValue ?? [:]
        for aspect in Aspect.allCases { measures[aspect.measure] = .object(measure(aspect)) }
        var all = measured
        all["measures"] = .object(measures)
        if let engine {
            all["engines"] = .object((measured["engines"]?.objectValue ?? [:]).adding([extent.task: .string(engine)]))
        }
        return all
    }

    private func measure(_ aspect: Aspect) -> JSONObject {
        let common: JSONObject = ["unit": "0-1", "source": "model", "direction": "higher", "version": 1]
        let result: JSONObject =
            switch self[aspect] {
            // Nobody has held it against what people see.
            case .value(let value): ["value": .double(value), "valid": true, "lowConfidence": true]
            case .nothing(let reason): ["value": .null, "valid": false, "reason": .string(reason.rawValue)]
            }
        return common.adding(membersOf: result).adding(["engine": engine.map(JSONValue.string)])
    }

    // MARK: Stored

    /// What is stored before anything is made of it.
    package var json: JSONObject {
        JSONObject(
            Aspect.allCases.map { aspect in
                switch self[aspect] {
                case .value(let value): (aspect.rawValue, .double(value))
                case .nothing(let reason): (aspect.rawValue, .string(reason.rawValue))
                }
            }
        ).adding([
            "engine": engine.map(JSONValue.string), "of": extent == .pictures ? nil : .string(extent.rawValue),
        ])
    }

    /// - Throws: `JSONError` when a member is missing or has another form.
    package init(_ object: JSONObject) throws(JSONError) {
        engine = try object.optionalString("engine")
        let looked = try object.optionalString("of") ?? Extent.pictures.rawValue
        guard let known = Extent(rawValue: looked) else {
            throw JSONError(.type, at: "of", "must be pictures or recording")
        }
        extent = known
        posture = try Self.finding(.posture, object)
        gestures = try Self.finding(.gestures, object)
        expression = try Self.finding(.expression, object)
    }

    private static func finding(_ aspect: Aspect, _ object: JSONObject) throws(JSONError) -> Finding {
        let name = aspect.rawValue
        if let value = object[name]?.doubleValue, (0...1).contains(value) { return .value(value) }
        guard let reason = Reason(rawValue: try object.string(name)) else {
            throw JSONError(.type, at: name, "must be 0 to 1, or a reason")
        }
        return .nothing(reason)
    }
}
