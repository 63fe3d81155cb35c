import Glibc

/// Free TCP ports of the loopback address.
enum Ports {
    // Below the range from which the kernel takes ports for outgoing connections, so that a port that was ours is still
    // free after a restart.
    private static let range: ClosedRange<UInt16> = 20_000...29_999

    /// Whether a listener could have the port now.
    static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        return withLoopbackAddress(port) { bind(descriptor, $0, $1) == 0 }
    }

    /// The wanted port when it is free, else a free one that is not in `taken`.
    static func choose(wanted: UInt16?, taken: inout Set<UInt16>) throws(Failure) -> UInt16 {
        if let wanted, !taken.contains(wanted), isFree(wanted) {
            taken.insert(wanted)
            return wanted
        }
        for _ in 0..<2_000 {
            let port = UInt16.random(in: range)
            if !taken.contains(port), isFree(port) {
                taken.insert(port)
                return port
            }
        }
        throw Failure(
            .unavailable, "ports", "No free port was found on 127.0.0.1.",
            advice: "Stop other programs, then try again.")
    }

    /// Calls with the address 127.0.0.1 and a port.
    private static func withLoopbackAddress<T>(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
