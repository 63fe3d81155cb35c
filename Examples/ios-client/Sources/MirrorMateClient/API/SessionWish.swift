import Foundation

/// What a session is asked for with.
public struct SessionWish: Encodable, Sendable {
    public let kind: Kind
    public let contentType: MediaType
    public let contentLength: Int
    /// An IANA time zone: whose days count.
    public let timeZone: String?
    /// A BCP 47 tag; `en` if it is left out.
    public let language: String?
    public let scenario: Scenario?
    /// A session of before that gives its unit to this one.
    public let replaces: UUID?

    public enum Kind: String, Encodable, Sendable {
        case mirrormate
    }

    public enum MediaType: String, Encodable, Sendable {
        case mp4 = "video/mp4"
        case quickTime = "video/quicktime"
        case webM = "video/webm"
    }

    /// What is spoken for.
    public enum Scenario: String, Encodable, CaseIterable, Sendable {
        case general, interview, pitch, casual
    }
}
