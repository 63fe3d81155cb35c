import Glibc
import Synchronization

/// A proxy on a free port of this machine that answers each `CONNECT` with a status, and what comes through the tunnel itself with
/// `204 No Content`, whatever server was asked for.
final class LocalProxy: Sendable {
    let port: UInt16
    var url: String { "http://127.0.0.1:\(port)" }
    /// The heads that came, in order: those for the proxy, and those in the tunnel.
    var heads: [String] { seen.withLock { $0 } }

    private let listener: Int32
    private let seen = Mutex<[String]>([])

    /// - Parameter status: the answer to `CONNECT`, such as `403 Forbidden`.
    init(_ status: String = "200 Connection established") {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                precondition(bind(listener, $0, length) == 0 && listen(listener, 8) == 0)
                precondition(getsockname(listener, $0, &length) == 0)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        // A thread of its own: the client under test has the event loop.
        let thread = Unmanaged.passRetained(Work { [self] in serve(status) })
        var id = pthread_t()
        pthread_create(
            &id, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, thread.toOpaque())
        pthread_detach(id)
    }

    /// Ends it; connections that are open end with their clients.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ status: String) {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            while let head = Self.head(client) {
                seen.withLock { $0.append(head) }
                let isConnect = head.hasPrefix("CONNECT ")
                let fields =
                    isConnect && !status.hasPrefix("2") ? "X-Proxy: yes\r\nContent-Length: 0\r\n" : "X-Proxy: yes\r\n"
                let answer = Array("HTTP/1.1 \(isConnect ? status : "204 No Content")\r\n\(fields)\r\n".utf8)
                _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
            }
            close(client)
        }
        close(listener)
    }

    /// The next head, without the empty line at its end; nil when the client has ended.
    private static func head(_ client: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while recv(client, &byte, 1, 0) == 1 {
            bytes.append(byte)
            if bytes.count >= 4, bytes.suffix(4) == [13, 10, 13, 10] {
                return String(decoding: bytes.dropLast(4), as: UTF8.self)
            }
        }
        return nil
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
