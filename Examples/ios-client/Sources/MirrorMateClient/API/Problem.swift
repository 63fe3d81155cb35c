import Foundation

/// Why the server says no: a problem document of RFC 9457.
public struct Problem: Error, Decodable, Sendable {
    public let type: String
    public let title: String
    public let status: Int
    /// What to do next, for people.
    public let detail: String
    /// What to tell problems apart by.
    public let code: Code
    /// For whoever reads the server's logs.
    public let traceId: String?

    /// Of `quota-exceeded` and `session-open`: when another session may begin.
    public let resetsAt: Date?
    /// Of `session-open`: the session that holds the unit.
    public let heldBy: Holder?
    /// Of `second-factor-needed` and `second-factor-required`: what to go on with.
    public let ticket: String?

    /// How long to wait, as the header `Retry-After` says.
    public internal(set) var retryAfter: Duration?

    enum CodingKeys: CodingKey {
        case type, title, status, detail, code, traceId, resetsAt, heldBy, ticket
    }

    public struct Holder: Decodable, Sendable {
        public let sessionId: UUID
    }
}

extension Problem: LocalizedError {
    public var errorDescription: String? { title }
    public var recoverySuggestion: String? { detail }
}
