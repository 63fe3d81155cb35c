import Contracts
package import JSON
package import ServiceKit

/// Reads definitions of plans in the form of `docs/plans.md`, and writes them.
package enum PlanFile {
    /// The version of the form.
    private static let version: Int64 = 1
    fileprivate static let mostUnits: Int64 = 1_000_000

    /// Reads a whole file.
    ///
    /// - Throws: every mistake at once.
    package static func read(_ bytes: [UInt8]) throws(SettingsFileError) -> [PlanDefinition] {
        try SettingsFileReader.read(bytes, version: version, member: "plans") { reader, plans in reader.plans(plans) }
    }

    /// What one plan allows, as an event has it.
    ///
    /// - Throws: the first mistake.
    static func kinds(_ object: JSONObject, at place: String) throws(JSONError) -> [SessionKind: KindTerms] {
        var reader = SettingsFileReader()
        let kinds = reader.kinds(object, place)
        if let mistake = reader.mistakes.first { throw JSONError(.type, at: place, "is no plan: \(mistake)") }
        return kinds
    }

    /// What one kind is allowed, as an event has it.
    ///
    /// - Throws: the first mistake.
    static func terms(_ object: JSONObject, at place: String) throws(JSONError) -> KindTerms {
        var reader = SettingsFileReader()
        let terms = reader.terms(.object(object), place)
        if let mistake = reader.mistakes.first { throw JSONError(.type, at: place, "cannot be read: \(mistake)") }
        return terms
    }
}

extension SettingsFileReader {
    fileprivate mutating func plans(_ value: JSONValue?) -> [PlanDefinition] {
        guard let plans = value?.objectValue else {
            note("plans must be an object with a member for each plan.")
            return []
        }
        if plans[Plans.first.rawValue] == nil {
            note("plans.\(Plans.first) is missing; define it, everybody begins with it.")
        }
        return plans.members.map { member in
            let place = "plans.\(member.key)"
            checkName(member.key, at: place)
            guard let kinds = member.value.objectValue else {
                note("\(place) must be an object with a member for each kind of session.")
                return PlanDefinition(PlanCode(rawValue: member.key), [:])
            }
            return PlanDefinition(PlanCode(rawValue: member.key), self.kinds(kinds, place))
        }
    }

    fileprivate mutating func kinds(_ plan: JSONObject, _ place: String) -> [SessionKind: KindTerms] {
        var kinds: [SessionKind: KindTerms] = [:]
        for member in plan.members {
            checkName(member.key, at: "\(place).\(member.key)")
            kinds[SessionKind(rawValue: member.key)] = terms(member.value, "\(place).\(member.key)")
        }
        return kinds
    }

    fileprivate mutating func terms(_ value: JSONValue, _ place: String) -> KindTerms {
        guard let object = value.objectValue else {
            note("\(place) must be an object with windows and lateCancellations.")
            return .none
        }
        checkMembers(of: object, at: "\(place).", known: ["windows", "atOnce", "burst", "lateCancellations"])
        let units = PlanFile.mostUnits
        return KindTerms(
            windows: windows(object["windows"], "\(place).windows"),
            atOnce: object["atOnce"].map { number($0, at: "\(place).atOnce", in: 1...units) },
            burst: object["burst"].flatMap { burst($0, "\(place).burst") },
            lateCancellations: number(
                object["lateCancellations"], at: "\(place).lateCancellations", in: 0...units))
    }

    private mutating func windows(_ value: JSONValue?, _ place: String) -> [KindTerms.WindowLimit] {
        let known = WindowSpan.allCases.map(\.rawValue)
        guard let object = value?.objectValue, !object.isEmpty else {
            note("\(place) must be an object with at least one of \(known.joined(separator: ", ")).")
            return []
        }
        checkMembers(of: object, at: "\(place).", known: known)
        return object.members.compactMap { member in
            guard let span = WindowSpan(rawValue: member.key) else { return nil }
            if member.value.isNull { return KindTerms.WindowLimit(span, nil) }
            return KindTerms.WindowLimit(
                span,
                number(
                    member.value, at: "\(place).\(member.key)", in: 0...PlanFile.mostUnits,
                    or: ", or null for unlimited"))
        }
    }

    private mutating func burst(_ value: JSONValue, _ place: String) -> KindTerms.Burst? {
        guard let object = value.objectValue else {
            note("\(place) must be an object with units and seconds; leave it out for no cap.")
            return nil
        }
        checkMembers(of: object, at: "\(place).", known: ["units", "seconds"])
        return KindTerms.Burst(
            units: number(object["units"], at: "\(place).units", in: 1...PlanFile.mostUnits),
            seconds: number(object["seconds"], at: "\(place).seconds", in: 1...KindTerms.longestBurst))
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
