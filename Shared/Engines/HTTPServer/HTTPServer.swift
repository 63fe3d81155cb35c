import Glibc
import JSON
package import Observability
import Primitives
package import Runtime

/// An HTTP/1.1 server on the event loop (RFC 9110, RFC 9112); TLS and HTTP/2 are left to the proxy.
///
/// One task serves each connection; it is cancelled when its client hangs up. Requests that two programs could interpret
/// differently are refused.
@Loop package final class HTTPServer {
    nonisolated static let readBytes = 65_536

    /// Whether the server is stopping: it completes running requests and accepts no new ones.
    package private(set) var isDraining = false
    /// The number of open connections.
    package var connectionCount: Int { connections.count }

    let configuration: ServerConfiguration
    let logger = Logger(label: "http")
    /// The buffer that all connections read into; bytes are copied out at once. (Unsafe only for `deinit`.)
    nonisolated(unsafe) let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readBytes, alignment: 16)

    private let router: Router
    /// The requests under way, by the networks of their clients.
    private var underWay: NetworkShares
    private let refusals: Counter
    private let openConnections: Gauge
    private var listener: Listener?
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var sweep: TimerToken?
    private let allEnded = Signal()
    private var dateSecond = 0
    private var dateText = ""

    /// A server that is not yet listening.
    package init(_ configuration: ServerConfiguration, router: Router, metrics: Metrics = .shared) {
        self.configuration = configuration
        self.router = router
        let limits = configuration.limits
        underWay = NetworkShares(all: limits.connections, most: limits.connections, share: limits.networkShare)
        refusals = metrics.counter(
            "http_refused_requests_total", help: "Requests refused before routing.", labels: ["code"])
        openConnections = metrics.gauge("http_open_connections", help: "Open client connections.")
    }

    deinit { readBuffer.deallocate() }

    /// Starts listening.
    ///
    /// - Returns: the port.
    /// - Throws: ``ServerError`` if the address is invalid or taken.
    @discardableResult
    package func start() throws(ServerError) -> Int {
        let listener = try Listener(host: configuration.host, port: configuration.port) { [weak self] socket, address in
            guard let self else { return }
            accept(socket, address)
        }
        self.listener = listener
        scheduleSweep()
        return listener.port
    }

    /// Stops: accepts no new connection or request, closes idle connections, and cancels requests that have not finished by
    /// the deadline.
    ///
    /// - Returns: how many connections were cut off.
    @discardableResult
    package func stop(deadline: Duration) async -> Int {
        isDraining = true
        listener?.close()
        listener = nil
        for connection in connections.values {
            if connection.isIdle {
                connection.transport.close()
            } else if connection.endsOnDrain {
                connection.cancel()
            }
        }
        await waitForEnd(until: monotonicNanoseconds() + deadline.nanosecondsClamped)
        let cut = connections.count
        for connection in connections.values {
            connection.cancel()
            connection.transport.close()
        }
        await waitForEnd(until: monotonicNanoseconds() + Duration.seconds(1).nanosecondsClamped)
        if let sweep { EventLoop.shared.cancel(sweep) }
        sweep = nil
        return cut
    }

    private func waitForEnd(until deadline: Int64) async {
        while !connections.isEmpty {
            let left = deadline - monotonicNanoseconds()
            guard left > 0, (try? await allEnded.wait(atMost: .nanoseconds(left))) != nil else { return }
        }
    }

    // MARK: Connections

    private func accept(_ socket: Int32, _ address: String) {
        guard connections.count < configuration.limits.connections else {
            // One non-blocking write without a task: this must stay cheap.
            let text =
                "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 1\r\nConnection: close\r\n\r\n"
            _ = Array(text.utf8).withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            close(socket)
            refusals.increment(["too-many-connections"])
            return
        }
        let connection = Connection(Transport(accepted: socket), remoteAddress: address, server: self)
        connections[ObjectIdentifier(connection)] = connection
        openConnections.set(Double(connections.count))
        connection.start()
    }

    func ended(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        openConnections.set(Double(connections.count))
        if connections.isEmpty { allEnded.raise() }
    }

    /// Checks deadlines several times within the shortest of them, which is cheaper than a timer per wait.
    private func scheduleSweep() {
        let limits = configuration.limits
        let shortest = min(
            limits.headDeadline, limits.idleDeadline, limits.bodyIdleDeadline, limits.writeDeadline,
            limits.lingerDeadline, .seconds(4))
        sweep = EventLoop.shared.schedule(after: max(shortest / 4, .milliseconds(5))) { [weak self] in
            guard let self else { return }
            let now = monotonicNanoseconds()
            for connection in connections.values { connection.transport.expire(now: now) }
            scheduleSweep()
        }
    }

    // MARK: Requests

    /// The router's response; errors become problem documents.
    func respond(to request: Request, segments: [String]) async -> Response {
        do {
            return try await router.respond(to: request, segments: segments)
        } catch {
            report(error)
            return .problem(Self.problem(for: error), instance: request.path)
        }
    }

    /// The answer to a request whose path or query cannot be read. Its path names no place that the problem could point at.
    func respond(to request: Request, refusing refusal: HeadRefusal) async -> Response {
        refused(refusal)
        do {
            return try await router.refuse(request, with: refusal.problem)
        } catch {
            report(error)
            return .problem(Self.problem(for: error))
        }
    }

    /// The problem document for an error.
    static func problem(for error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let convertible as any ProblemConvertible: convertible.problem
        default: .internal
        }
    }

    /// Logs an error that is our fault: only its type, because its text may contain request content.
    func report(_ error: any Error) {
        if error is CancellationError || error is ClientGone || error is TransportTimeout { return }
        if Self.problem(for: error).status != 500 { return }
        logger.error("A request failed.", ["error": .string(String(reflecting: type(of: error)))])
    }

    /// Begins to answer a request of a client in networks, which end with ``left(_:)``.
    ///
    /// - Returns: whether there is room for it.
    func entered(_ networks: [ClientNetwork]) -> Bool {
        guard underWay.mayTake(networks) else {
            refusals.increment([ProblemCode.tooManyRequests.description])
            return false
        }
        underWay.take(networks)
        return true
    }

    /// Ends what ``entered(_:)`` began.
    func left(_ networks: [ClientNetwork]) { underWay.leave(networks) }

    func refused(_ refusal: HeadRefusal) { refusals.increment([refusal.code.description]) }

    /// The value of the field `Date`, updated once per second.
    var date: String {
        let now = Int(Timestamp.now().seconds)
        if now != dateSecond {
            dateSecond = now
            dateText = ResponseHead.date(seconds: now)
        }
        return dateText
    }

    static func isNumericAddress(_ text: String) -> Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    }
}
