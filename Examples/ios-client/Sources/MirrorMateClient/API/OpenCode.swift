/// A code of which the server may know more than this client: unknown ones are kept, and break nothing.
public protocol OpenCode: RawRepresentable<String>, Codable, Hashable, Sendable {}
