import Contracts
package import JSON

/// All that is wrong with a file of plans.
package struct PlanFileError: Error, Sendable, Equatable {
    /// One sentence for each mistake, with the place and what to write instead.
    package let mistakes: [String]
}

/// Reads definitions of plans in the form of `docs/plans.md`, and writes them.
package enum PlanFile {
    /// The version of the form.
    private static let version: Int64 = 1
    private static let mostUnits: Int64 = 1_000_000

    /// Reads a whole file.
    ///
    /// - Throws: every mistake at once.
    package static func read(_ bytes: [UInt8]) throws(PlanFileError) -> [PlanDefinition] {
        let file: JSONObject
        do throws(JSONError) { file = try JSONObject.parse(bytes) } catch {
            throw PlanFileError(mistakes: ["is not JSON: \(error)."])
        }
        var reader = Reader()
        let definitions = reader.file(file)
        guard reader.mistakes.isEmpty else { throw PlanFileError(mistakes: reader.mistakes) }
        return definitions
    }

    /// What one plan allows, as an event has it.
    ///
    /// - Throws: the first mistake.
    static func kinds(_ object: JSONObject, at place: String) throws(JSONError) -> [SessionKind: KindTerms] {
        var reader = Reader()
        let kinds = reader.kinds(object, place)
        if let mistake = reader.mistakes.first { throw JSONError(.type, at: place, "is no plan: \(mistake)") }
        return kinds
    }

    /// What one kind is allowed, as an event has it.
    ///
    /// - Throws: the first mistake.
    static func terms(_ object: JSONObject, at place: String) throws(JSONError) -> KindTerms {
        var reader = Reader()
        let terms = reader.terms(.object(object), place)
        if let mistake = reader.mistakes.first { throw JSONError(.type, at: place, "cannot be read: \(mistake)") }
        return terms
    }

    /// Walks through a file and goes on after a mistake.
    private struct Reader {
        private(set) var mistakes: [String] = []

        mutating func file(_ file: JSONObject) -> [PlanDefinition] {
            strangers(in: file, "", known: ["version", "plans"])
            if file["version"]?.intValue != version {
                mistakes.append("version must be \(version), the only form that this build knows.")
            }
            guard let plans = file["plans"]?.objectValue else {
                mistakes.append("plans must be an object with a member for each plan.")
                return []
            }
            if plans[Plans.first.rawValue] == nil {
                mistakes.append("plans.\(Plans.first) is missing; define it, everybody begins with it.")
            }
            return plans.members.map { member in
                let place = "plans.\(member.key)"
                name(member.key, place)
                guard let kinds = member.value.objectValue else {
                    mistakes.append("\(place) must be an object with a member for each kind of session.")
                    return PlanDefinition(PlanCode(rawValue: member.key), [:])
                }
                return PlanDefinition(PlanCode(rawValue: member.key), self.kinds(kinds, place))
            }
        }

        mutating func kinds(_ plan: JSONObject, _ place: String) -> [SessionKind: KindTerms] {
            var kinds: [SessionKind: KindTerms] = [:]
            for member in plan.members {
                name(member.key, "\(place).\(member.key)")
                kinds[SessionKind(rawValue: member.key)] = terms(member.value, "\(place).\(member.key)")
            }
            return kinds
        }

        mutating func terms(_ value: JSONValue, _ place: String) -> KindTerms {
            guard let object = value.objectValue else {
                mistakes.append("\(place) must be an object with windows and lateCancellations.")
                return .none
            }
            strangers(in: object, "\(place).", known: ["windows", "atOnce", "burst", "lateCancellations"])
            return KindTerms(
                windows: windows(object["windows"], "\(place).windows"),
                atOnce: object["atOnce"].map { number($0, "\(place).atOnce", 1...mostUnits) },
                burst: object["burst"].flatMap { burst($0, "\(place).burst") },
                lateCancellations: number(object["lateCancellations"], "\(place).lateCancellations", 0...mostUnits))
        }

        private mutating func windows(_ value: JSONValue?, _ place: String) -> [KindTerms.WindowLimit] {
            let known = WindowSpan.allCases.map(\.rawValue)
            guard let object = value?.objectValue, !object.isEmpty else {
                mistakes.append("\(place) must be an object with at least one of \(known.joined(separator: ", ")).")
                return []
            }
            strangers(in: object, "\(place).", known: known)
            return object.members.compactMap { member in
                guard let span = WindowSpan(rawValue: member.key) else { return nil }
                if member.value.isNull { return KindTerms.WindowLimit(span, nil) }
                return KindTerms.WindowLimit(
                    span, number(member.value, "\(place).\(member.key)", 0...mostUnits, or: ", or null for unlimited"))
            }
        }

        private mutating func burst(_ value: JSONValue, _ place: String) -> KindTerms.Burst? {
            guard let object = value.objectValue else {
                mistakes.append("\(place) must be an object with units and seconds; leave it out for no cap.")
                return nil
            }
            strangers(in: object, "\(place).", known: ["units", "seconds"])
            return KindTerms.Burst(
                units: number(object["units"], "\(place).units", 1...mostUnits),
                seconds: number(object["seconds"], "\(place).seconds", 1...KindTerms.longestBurst))
        }

        private mutating func number(
            _ value: JSONValue?, _ place: String, _ range: ClosedRange<Int64>, or other: String = ""
        ) -> Int64 {
            if let number = value?.intValue, range.contains(number) { return number }
            mistakes.append(
                "\(place) must be a whole number from \(range.lowerBound) to \(range.upperBound)\(other).")
            return range.lowerBound
        }

        /// Names stand in events, messages and addresses for good.
        private mutating func name(_ name: String, _ place: String) {
            let isGood = name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }
            if !isGood || name.isEmpty || name.utf8.count > 40 {
                mistakes.append("\(place) must be named with up to 40 lower-case letters, digits and hyphens.")
            }
        }

        private mutating func strangers(in object: JSONObject, _ prefix: String, known: [String]) {
            for key in object.keys where !known.contains(key) {
                mistakes.append("\(prefix)\(key) is not known; the members here are \(known.joined(separator: ", ")).")
            }
        }
    }
}

extension KindTerms {
    /// As a file and events have it.
    package var json: JSONObject {
        JSONObject().adding([
            "windows": .object(JSONObject(windows.map { ($0.span.rawValue, .optional($0.units)) })),
            "atOnce": atOnce.map(JSONValue.int),
            "burst": burst.map { ["units": .int($0.units), "seconds": .int($0.seconds)] },
            "lateCancellations": .int(lateCancellations),
        ])
    }
}

extension PlanDefinition {
    /// What it says of each kind, as a file and events have it.
    package var json: JSONObject {
        JSONObject(
            kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, .object($0.value.json)) })
    }
}
