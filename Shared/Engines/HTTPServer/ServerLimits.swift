/// A server's limits for each client. The defaults suit an API behind a proxy.
package struct ServerLimits: Sendable {
    /// Total bytes of a request's line and fields; more gives 431.
    package var headBytes = 16_384
    /// Fields of a request; more gives 431.
    package var headerCount = 100
    /// Bytes of a request's body; more gives 413. Handlers set lower limits of their own.
    package var bodyBytes: Int64 = 2 << 30
    /// Bytes of a body left unread by the handler that the server skips to keep the connection.
    package var drainedBytes: Int64 = 65_536
    /// Connections open at once; more are answered with 503 and closed.
    package var connections = 1_024
    /// One client network has requests under way on at most one of so many parts of the connections that the others leave, a
    /// wide one as ``NetworkShares`` has it; more are answered with 429. So few who are slow to send or to read keep none out.
    package var networkShare = 4
    /// From a request's first byte (or the opening of a new connection) to the end of its head, however fast bytes arrive.
    package var headDeadline: Duration = .seconds(10)
    /// How long a kept-alive connection may be idle between two requests.
    package var idleDeadline: Duration = .seconds(75)
    /// How long one wait for a piece of the body may last.
    package var bodyIdleDeadline: Duration = .seconds(30)
    /// The minimum rate, in bytes per second of waiting; a body is cut off once it is ``bodyIdleDeadline`` behind, however fast
    /// it came before.
    package var bodyBytesPerSecond: Int64 = 1_024
    /// How long a client may take for each 64 KiB of a response.
    package var writeDeadline: Duration = .seconds(30)
    /// The minimum rate of a streamed response, in bytes per second of waiting; it is cut off once its client is
    /// ``writeDeadline`` behind, however fast it read before. Handlers demand more of their own.
    package var responseBytesPerSecond: Int64 = 8_192
    /// How long a closed connection is still read, so that the client gets the last response before a reset.
    package var lingerDeadline: Duration = .seconds(2)

    package init() {}
}

/// Where a server listens and what it trusts.
package struct ServerConfiguration: Sendable {
    /// A numeric address of this machine, such as `127.0.0.1`, `0.0.0.0` or `::`.
    package var host: String
    /// The TCP port; 0 lets the kernel choose.
    package var port: Int
    /// Whose connections may be of proxies of ours, which append a client's address to `X-Forwarded-For`; nobody else's word
    /// about it counts.
    package var trustedProxies: [AddressRange]
    /// Whether the text of `X-Gateway-Key` is the proxy's key; only requests that show it are then the proxy's. Nil when
    /// the address alone says it.
    package var proxyKey: (@Sendable (String) -> Bool)?
    package var limits: ServerLimits

    package init(
        host: String, port: Int, trustedProxies: [AddressRange] = [], proxyKey: (@Sendable (String) -> Bool)? = nil,
        limits: ServerLimits = ServerLimits()
    ) {
        self.host = host
        self.port = port
        self.trustedProxies = trustedProxies
        self.proxyKey = proxyKey
        self.limits = limits
    }
}

/// Why a server could not start.
package struct ServerError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: String, Sendable {
        case invalidAddress = "invalid-address"
        case cannotListen = "cannot-listen"
    }

    package let code: Code
    /// A sentence that says what to do next.
    package let description: String
}
