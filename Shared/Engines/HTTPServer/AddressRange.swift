import Glibc

/// A range of IP addresses, such as `10.0.0.0/8`, `fd00::/8` or a single one.
package struct AddressRange: Sendable, Equatable {
    /// 16 bytes: an IPv4 address counts as the IPv6 one that stands for it.
    private let bytes: [UInt8]
    private let bits: Int

    /// A numeric address, or one in CIDR notation; nil when the text is neither, or has bits set behind its prefix.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, parts.count <= 2, let bytes = Self.bytes(of: first) else { return nil }
        let own = first.contains(":") ? 128 : 32
        var length = own
        if parts.count == 2 {
            // `Int` would take a sign as well.
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = Int(parts[1]), given <= own
            else {
                return nil
            }
            length = given
        }
        self.bytes = bytes
        bits = 128 - own + length
        guard (bits..<128).allSatisfy({ bytes[$0 / 8] & 0x80 >> UInt8($0 % 8) == 0 }) else { return nil }
    }

    /// Whether a numeric address lies in it.
    package func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: address) else { return false }
        let whole = bits / 8
        guard other[..<whole].elementsEqual(bytes[..<whole]) else { return false }
        let rest = UInt8(bits % 8)
        return rest == 0 || (other[whole] ^ bytes[whole]) >> (8 - rest) == 0
    }

    private static func bytes(of address: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, address, &four) == 1 {
            return [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + withUnsafeBytes(of: four) { Array($0) }
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return nil }
        return withUnsafeBytes(of: six) { Array($0) }
    }
}
