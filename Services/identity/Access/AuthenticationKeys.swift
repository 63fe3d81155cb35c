import Crypto
import Primitives

/// The keys of one purpose, which authenticate what is given out and comes back: the present one makes it, the others are believed as
/// long as something of theirs may come. They can be replaced while they are used.
package final class AuthenticationKeys: Sendable {
    private let keys: Locked<[[UInt8]]>
    /// Makes what nobody is to believe.
    private let stray = SecureRandom.bytes(AESGCM.keyLength)

    /// - Parameter keys: the present one first.
    init(_ keys: [[UInt8]]) { self.keys = Locked(keys) }

    /// The one with which things are made; without any, one whose things nobody believes, here or elsewhere.
    package var present: [UInt8] { all.first ?? stray }

    /// All of them, the present one first.
    package var all: [[UInt8]] { keys.withLock { $0 } }

    /// What one of the keys gives, the present one asked first.
    package func firstThat<T>(_ gives: ([UInt8]) -> T?) -> T? {
        for key in all { if let found = gives(key) { return found } }
        return nil
    }

    /// The key that fits.
    package func first(where fits: ([UInt8]) -> Bool) -> [UInt8]? { all.first(where: fits) }

    /// Whether one of the keys fits.
    package func contains(where fits: ([UInt8]) -> Bool) -> Bool { first(where: fits) != nil }

    /// - Parameter keys: the present one first; none, and nothing is believed.
    func replace(by keys: [[UInt8]]) { self.keys.withLock { $0 = keys } }
}
