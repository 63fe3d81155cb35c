import Foundation

/// Keeps tokens until the program ends: for tests, previews, and where there is no Keychain.
public final class MemoryTokenStore: TokenStore, @unchecked Sendable {
    // `Mutex` would need iOS 18.
    private let lock = NSLock()
    private var kept: Kept?

    public init() {}

    public func load() -> Kept? { lock.withLock { kept } }

    public func save(_ kept: Kept) { lock.withLock { self.kept = kept } }
}
