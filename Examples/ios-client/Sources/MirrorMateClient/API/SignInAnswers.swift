import Foundation

/// Who is signed in.
public struct User: Decodable, Sendable {
    public let id: UUID
    /// `user` with an account, `device` without.
    public let kind: String
    public let email: String?
    public let emailVerified: Bool
    public let displayName: String?
    public let timeZone: String
    public let createdAt: Date
}

/// A nonce for a sign-in with Google or Apple.
public struct Nonce: Decodable, Sendable {
    public let nonce: String
    /// In seconds.
    public let expiresIn: Int
}

struct Me: Decodable {
    let user: User
}

struct Welcome: Decodable {
    let user: User
    let accessToken: String
    let refreshToken: String?
    let expiresIn: Int
    /// Of an anonymous device, the first time.
    let deviceSecret: String?
}

struct Tokens: Decodable {
    let accessToken: String
    let refreshToken: String?
    let expiresIn: Int
}
