import Glibc
import Runtime

/// Asks a program on this machine for one page, as a health check does.
enum Probe {
    /// The status of `GET path`, or nil when nobody answers within two seconds.
    static func status(port: UInt16, path: String) async -> Int? {
        try? await Offload.shared.run { ask(port: port, path: path) }
    }

    private static func ask(port: UInt16, path: String) -> Int? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Seconds and microseconds. Which module the struct for them comes from differs between builds.
        var limit = (2, 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
        }
        guard Ports.withLoopbackAddress(port, { connect(descriptor, $0, $1) }) == 0 else { return nil }
        let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while head.count < 12 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { return nil }
            head += buffer[..<count]
        }
        let words = String(decoding: head, as: UTF8.self).split(separator: " ", maxSplits: 2)
        return words.count > 1 && words[0].hasPrefix("HTTP/") ? Int(words[1].prefix(3)) : nil
    }
}
