import Glibc

/// The addresses of a host's name: of a service that has several containers, one of each.
enum HostAddresses {
    /// All of them as digits, in an order of their own; none where the name is not known.
    static func of(_ name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: Set<String> = []
        var next = list
        while let entry = next {
            var digits = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &digits, socklen_t(digits.count), nil, 0,
                NI_NUMERICHOST)
            if code == 0 {
                let text = String(decoding: digits.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                found.insert(entry.pointee.ai_family == AF_INET6 ? "[\(text)]" : text)
            }
            next = entry.pointee.ai_next
        }
        return found.sorted()
    }
}
