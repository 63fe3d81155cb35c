import Glibc
import Runtime

/// A client that sends and reads exactly what a test specifies.
@Loop final class RawClient {
    private let descriptor: Descriptor
    private var received: [UInt8] = []
    private(set) var isAtEnd = false

    init(port: Int, receiveBuffer: Int32? = nil) throws {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer { setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, 16) }
        }
        guard code == 0 else {
            let failure = ConnectFailure(code: errno)
            _ = Glibc.close(number)
            throw failure
        }
        var one: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        descriptor = Descriptor(owning: number)
    }

    struct ConnectFailure: Error { let code: Int32 }
    struct EndOfStream: Error { let received: String }

    struct Reply {
        var status: Int
        var head: String
        var body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }

        func header(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst() {
                let sides = line.split(separator: ":", maxSplits: 1)
                if sides[0].lowercased() == name.lowercased() {
                    return sides.count == 2 ? String(sides[1].drop { $0 == " " }) : ""
                }
            }
            return nil
        }
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor.number, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                try await descriptor.writable()
            } else {
                throw EndOfStream(received: String(decoding: received, as: UTF8.self))
            }
        }
    }

    /// Sends only what the kernel accepts without waiting; returns the count.
    func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
        max(0, Glibc.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)))
    }

    /// Reads once; returns false at the end.
    func more() async throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor.number, &buffer, buffer.count, 0)
            if count > 0 {
                received += buffer[..<count]
                return true
            }
            if count < 0, errno == EAGAIN {
                try await descriptor.readable()
                continue
            }
            isAtEnd = true
            return false
        }
    }

    func bytes(_ count: Int) async throws -> [UInt8] {
        while received.count < count {
            guard try await more() else { throw EndOfStream(received: String(decoding: received, as: UTF8.self)) }
        }
        let taken = Array(received[..<count])
        received.removeFirst(count)
        return taken
    }

    /// Reads up to and including a string.
    func text(through end: String) async throws -> String {
        let end = Array(end.utf8)
        while true {
            if let place = find(end) {
                return String(decoding: try await bytes(place + end.count), as: UTF8.self)
            }
            guard try await more() else { throw EndOfStream(received: String(decoding: received, as: UTF8.self)) }
        }
    }

    private func find(_ pattern: [UInt8]) -> Int? {
        guard received.count >= pattern.count else { return nil }
        for start in 0...(received.count - pattern.count) where received[start] == pattern[0] {
            if Array(received[start..<(start + pattern.count)]) == pattern { return start }
        }
        return nil
    }

    /// Everything up to the end of the connection.
    func rest() async throws -> String {
        while try await more() {}
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// One response; `toHead` means that no body follows.
    func reply(toHead: Bool = false) async throws -> Reply {
        let head = try await text(through: "\r\n\r\n")
        let status = Int(head.split(separator: " ")[1]) ?? 0
        var reply = Reply(status: status, head: head, body: [])
        if toHead || status == 204 || status == 304 || status < 200 { return reply }
        if let length = reply.header("Content-Length").flatMap({ Int($0) }) {
            reply.body = try await bytes(length)
        } else if reply.header("Transfer-Encoding") == "chunked" {
            while let chunk = try await chunk() { reply.body += chunk }
        } else {
            reply.body = Array(try await rest().utf8)
        }
        return reply
    }

    /// One chunk; nil for the last one.
    func chunk() async throws -> [UInt8]? {
        let size = Int(try await text(through: "\r\n").dropLast(1), radix: 16) ?? -1
        let data = try await bytes(size)
        _ = try await text(through: "\r\n")
        return size == 0 ? nil : data
    }

    func close() { descriptor.close() }
}
