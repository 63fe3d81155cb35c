import Glibc

extension Request {
    /// The networks that the client is in, the narrowest first: where attempts are counted, each of them counts.
    package var clientNetworks: [ClientNetwork] { ClientNetwork.all(of: remoteAddress) }

    /// The narrowest of them: what tells clients apart where something else bounds them together.
    package var remoteNetwork: String { clientNetworks[0].name }
}

/// A network of clients: an IPv4 address, or the /64, /56 or /48 of an IPv6 one. Whoever has one address of a /64 has all,
/// and whoever rents a line or a server often has a /56 or a /48 of them.
package struct ClientNetwork: Sendable, Equatable {
    package let name: String
    /// How many times as much as an IPv4 address it may have: in a wide network are many clients of one provider.
    package let weight: Int

    private static let prefixes = [(bits: 64, weight: 1), (bits: 56, weight: 4), (bits: 48, weight: 16)]

    /// The networks of a numeric address, the narrowest first and at least one; an IPv4 address that is written as an IPv6
    /// one counts as what it is.
    package static func all(of address: String) -> [ClientNetwork] {
        var storage = in6_addr()
        guard inet_pton(AF_INET6, address, &storage) == 1 else { return [ClientNetwork(name: address, weight: 1)] }
        let bytes = withUnsafeBytes(of: storage) { Array($0) }
        if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
            let name = bytes[12...].map { String($0) }.joined(separator: ".")
            return [ClientNetwork(name: name, weight: 1)]
        }
        return prefixes.map { bits, weight in
            let kept = Array(bytes[..<(bits / 8)]) + [UInt8](repeating: 0, count: 8 - bits / 8)
            let groups = stride(from: 0, to: 8, by: 2).map { String(Int(kept[$0]) << 8 | Int(kept[$0 + 1]), radix: 16) }
            return ClientNetwork(name: "\(groups.joined(separator: ":"))::/\(bits)", weight: weight)
        }
    }
}
