import Foundation

/// Where tokens are kept between two starts of the app.
public protocol TokenStore: Sendable {
    /// What was kept; nil the first time.
    func load() throws -> Kept?
    /// Keeps this in the place of what was kept before.
    func save(_ kept: Kept) throws
}

/// What is kept of a sign-in. All of it is secret.
public struct Kept: Codable, Equatable, Sendable {
    /// Nil when nobody is signed in.
    public var tokens: TokenPair?
    /// As whom this device comes in without an account, also after signing out.
    public var device: KnownDevice?

    public init() {}
}

public struct TokenPair: Codable, Equatable, Sendable {
    let access: String
    /// Good for one refresh, which gives the next one.
    let refresh: String
    /// The end of the access token by this device's clock.
    let expiresAt: Date
}

public struct KnownDevice: Codable, Equatable, Sendable {
    let id: String
    let secret: String
}
