import Contracts

/// On whose word an account's address was changed.
package struct EmailChangeGround: OpenCode {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The new address alone: the one before was never confirmed, or release 1 asked no other.
    package static let newAddress = EmailChangeGround(rawValue: "new-address")
    /// The new address and the one before.
    package static let bothAddresses = EmailChangeGround(rawValue: "both-addresses")
    /// The new address, and the silence of the one before.
    package static let wait = EmailChangeGround(rawValue: "wait")
}
