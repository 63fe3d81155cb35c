import Foundation

/// What changed since the report before.
public struct SinceLast: Decodable, Sendable {
    public let sessionId: UUID
    public let createdAt: Date
    public let comparable: Bool
    /// Why it cannot be compared, as codes.
    public let reasons: [Reason]
    public let measures: [String: Change]

    public struct Change: Decodable, Sendable {
        public let change: Double?
        public let verdict: Verdict?
        public let comparable: Bool
    }

    public struct Verdict: OpenCode {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let better = Self(rawValue: "better")
        public static let worse = Self(rawValue: "worse")
        public static let same = Self(rawValue: "same")
    }
}

/// Why two values cannot be compared.
public struct Reason: OpenCode {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let rulesUnknown = Self(rawValue: "rules-unknown")
    public static let rulesDiffer = Self(rawValue: "rules-differ")
    public static let kindsDiffer = Self(rawValue: "kinds-differ")
    public static let languagesDiffer = Self(rawValue: "languages-differ")
    public static let scenariosDiffer = Self(rawValue: "scenarios-differ")
    public static let enginesDiffer = Self(rawValue: "engines-differ")
    public static let definitionsDiffer = Self(rawValue: "definitions-differ")
    public static let notValid = Self(rawValue: "not-valid")
    public static let noDirection = Self(rawValue: "no-direction")
}
