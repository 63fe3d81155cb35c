import Glibc
import Runtime

/// The listening socket, which accepts connections.
@Loop final class Listener: DescriptorHandler {
    /// The bound port.
    let port: Int

    private var number: Int32
    private let accepted: @Loop (_ socket: Int32, _ address: String) -> Void

    /// Binds and listens.
    init(
        host: String, port: Int, accepted: @escaping @Loop (_ socket: Int32, _ address: String) -> Void
    ) throws(ServerError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let address = list?.pointee else {
            throw ServerError(
                code: .invalidAddress,
                description: "\(host):\(port) is not an address; use a numeric one such as 127.0.0.1.")
        }
        defer { freeaddrinfo(list) }
        let socket = Glibc.socket(
            address.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var one: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        guard socket >= 0, bind(socket, address.ai_addr, address.ai_addrlen) == 0, listen(socket, 1_024) == 0 else {
            let code = errno
            if socket >= 0 { _ = Glibc.close(socket) }
            throw ServerError(
                code: .cannotListen,
                description:
                    "Cannot listen on \(host):\(port) (\(String(cString: strerror(code)))); choose a free port.")
        }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutableBytes(of: &storage) {
            _ = getsockname(socket, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        self.port = Int(Self.port(storage))
        self.accepted = accepted
        number = socket
        EventLoop.shared.register(socket, handler: self)
    }

    func ready(_ readiness: Readiness) {
        while number >= 0 {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let socket = withUnsafeMutableBytes(of: &storage) {
                accept(number, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
            }
            if socket >= 0 {
                var one: Int32 = 1
                // Swift's Glibc has no accept4, which would save these calls.
                _ = fcntl(socket, F_SETFL, O_NONBLOCK)
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
                accepted(socket, Self.address(storage))
                continue
            }
            switch errno {
            case EAGAIN: return
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                // No readiness change announces that a descriptor is free again.
                _ = EventLoop.shared.schedule(after: .milliseconds(100)) { [self] in
                    ready(readiness)
                }
                return
            // The client gave up while waiting; the next one may be fine.
            default: continue
            }
        }
    }

    /// Stops listening. The kernel refuses clients that are waiting to be accepted.
    func close() {
        guard number >= 0 else { return }
        EventLoop.shared.unregister(number)
        _ = Glibc.close(number)
        number = -1
    }

    private static func port(_ storage: sockaddr_storage) -> UInt16 {
        // The port is at the same offset for both families, in network byte order.
        withUnsafeBytes(of: storage) { UInt16($0[2]) << 8 | UInt16($0[3]) }
    }

    private static func address(_ storage: sockaddr_storage) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        withUnsafeBytes(of: storage) { bytes in
            let isIPv6 = Int32(storage.ss_family) == AF_INET6
            // struct sockaddr_in has the address at byte 4, struct sockaddr_in6 at byte 8.
            inet_ntop(Int32(storage.ss_family), bytes.baseAddress! + (isIPv6 ? 8 : 4), &text, socklen_t(text.count))
        }
        let address = text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        return address.hasPrefix("::ffff:") && address.contains(".") ? String(address.dropFirst(7)) : address
    }
}
