import Glibc

extension Request {
    /// What tells clients apart where attempts are counted: the client's IPv4 address, or the /64 of an IPv6 one, because
    /// whoever has one address of it has all.
    package var remoteNetwork: String { ClientNetwork.name(of: remoteAddress) }
}

/// The networks of clients.
enum ClientNetwork {
    /// The network of a numeric address; an IPv4 address that is written as an IPv6 one counts as what it is.
    static func name(of address: String) -> String {
        var storage = in6_addr()
        guard inet_pton(AF_INET6, address, &storage) == 1 else { return address }
        let bytes = withUnsafeBytes(of: storage) { Array($0) }
        if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
            return bytes[12...].map { String($0) }.joined(separator: ".")
        }
        let groups = stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        return groups.joined(separator: ":") + "::/64"
    }
}
