import Foundation

/// The caller's plan and what is left of it; nil is without a limit.
public struct Quota: Decodable, Sendable {
    public let kind: String
    public let plan: String
    public let limit: Int?
    public let used: Int
    /// Held by sessions that have not ended.
    public let reserved: Int
    public let remaining: Int?
    public let resetsAt: Date?
}
