import Runtime

/// Requests one page from a program on this machine, as a health check does.
package enum PortProbe {
    /// The status of `GET path` on a port of 127.0.0.1; nil without an answer within two seconds.
    @Loop package static func status(port: UInt16, path: String) async -> Int? {
        // Always on a new connection: a kept one may lead to a process that is shutting down.
        let request = HTTPClientRequest("GET", "http://127.0.0.1:\(port)\(path)", headers: [("Connection", "close")])
        return try? await HTTPClient.shared.send(request, deadline: .seconds(2)).status
    }
}
