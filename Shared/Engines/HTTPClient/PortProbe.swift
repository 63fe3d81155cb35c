import Runtime

/// Asks a program on this machine for one page, as a health check does.
package enum PortProbe {
    /// The status of `GET path` on a port of 127.0.0.1; nothing when nobody answers within two seconds.
    @Loop package static func status(port: UInt16, path: String) async -> Int? {
        // Each time on a new connection: one that was kept may lead to a process that is about to end.
        let request = HTTPClientRequest("GET", "http://127.0.0.1:\(port)\(path)", headers: [("Connection", "close")])
        return try? await HTTPClient.shared.send(request, deadline: .seconds(2)).status
    }
}
