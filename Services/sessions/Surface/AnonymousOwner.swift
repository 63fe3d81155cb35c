import Crypto
import Primitives
import ServiceKit

/// Who owns what somebody does who is not signed in: nobody who could sign in, but the same each time for one device.
enum AnonymousOwner {
    /// The longest name of a device that is looked at, in bytes.
    static let longestDevice = 200

    /// The owner for a device as its app names it. The name itself is not kept.
    static func of(device: String, _ hashes: RequestHashes) -> UUID {
        let hash = HMACSHA256.authenticate(Array(device.utf8), key: hashes.key(for: "devices of nobody"))
        return UUID.v8(hash.prefix(16)) ?? .zero
    }

    /// Whether an owner is one of these: users' ids have other versions.
    static func isOne(_ owner: UUID) -> Bool { owner.version == 8 }
}
