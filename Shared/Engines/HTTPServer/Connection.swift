import Glibc
import Observability
import Runtime

/// One client's connection: reads requests one after another and answers each before reading the next.
@Loop final class Connection {
    let transport: Transport
    let limits: ServerLimits
    var input = InputBuffer()
    /// Whether it is idle between two requests, so that closing it loses nothing.
    private(set) var isIdle = true
    /// Whether its stream should end when the server drains.
    private(set) var endsOnDrain = false
    var isDraining: Bool { server.isDraining }

    private let server: HTTPServer
    private let remoteAddress: String
    private let isProxy: Bool
    private var task: Task<Void, any Error>?

    init(_ transport: Transport, remoteAddress: String, server: HTTPServer) {
        self.transport = transport
        self.remoteAddress = remoteAddress
        self.server = server
        isProxy = server.configuration.trustedProxies.contains { $0.contains(remoteAddress) }
        limits = server.configuration.limits
    }

    /// Starts serving. When the client hangs up, the work done for it is cancelled.
    func start() {
        let task = Loop.task { [self] in
            await serve()
            transport.close()
            server.ended(self)
        }
        self.task = task
        transport.onHangUp = { task.cancel() }
    }

    /// Cancels the request that is being handled.
    func cancel() { task?.cancel() }

    private func serve() async {
        do {
            var isFirst = true
            while let head = try await readHead(isFirst: isFirst) {
                isFirst = false
                guard try await answer(head) else {
                    await linger()
                    return
                }
            }
        } catch let refusal as HeadRefusal {
            await refuse(refusal)
            await linger()
        } catch {
            // The client has gone or is too slow to receive an answer, or the server is stopping.
        }
    }

    // MARK: Reading

    private func readHead(isFirst: Bool) async throws -> RequestHead? {
        var scanner = HeadScanner()
        var blankLines = 0
        var deadline =
            monotonicNanoseconds()
            + (isFirst ? limits.headDeadline : limits.idleDeadline).nanosecondsClamped
        isIdle = input.isEmpty
        defer { isIdle = false }
        while true {
            while let end = try findEnd(&scanner) {
                scanner = HeadScanner()
                if end > 2 {
                    let head = try input.withPrefix(end) { (bytes) throws(HeadRefusal) -> RequestHead in
                        var parser = HeadParser(bytes, limits: limits)
                        return try parser.parse()
                    }
                    input.consume(end)
                    return head
                }
                // RFC 9112, section 2.2: empty lines before a request are ignored, but only a few of them.
                input.consume(end)
                blankLines += 1
                if blankLines > 4 { throw HeadRefusal.malformed("Begin the request with a method and one space.") }
            }
            if isIdle, isDraining { return nil }
            if let piece = receive(upTo: HTTPServer.readBytes) {
                if piece.isEmpty { return nil }
                if isIdle, !isFirst { deadline = monotonicNanoseconds() + limits.headDeadline.nanosecondsClamped }
                isIdle = false
                piece.withUnsafeBytes { input.append($0) }
                continue
            }
            do {
                try await transport.readable(until: deadline)
            } catch is TransportTimeout {
                if input.isEmpty { return nil }
                throw HeadRefusal.late
            }
        }
    }

    private func findEnd(_ scanner: inout HeadScanner) throws(HeadRefusal) -> Int? {
        try input.withPrefix(input.count) { (bytes) throws(HeadRefusal) -> Int? in
            try scanner.end(in: bytes, limit: limits.headBytes)
        }
    }

    /// Reads what is available: nil if the kernel would block, empty at the end.
    func receive(upTo most: Int) -> [UInt8]? {
        let buffer = server.readBuffer
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(most, buffer.count)])
        guard let count = transport.receive(into: part) else { return nil }
        return Array(UnsafeRawBufferPointer(rebasing: part[..<count]))
    }

    // MARK: Answering

    /// Answers one request; returns whether the connection can serve another.
    private func answer(_ head: RequestHead) async throws -> Bool {
        let body = RequestBody(head, connection: self)
        defer { body.detach() }
        guard let query = PercentDecoding.query(head.query), let segments = PercentDecoding.segments(head.path) else {
            let refusal = HeadRefusal.malformed(
                "Write the path and the query in valid percent-encoded UTF-8, without dot segments.")
            let response = await server.respond(to: request(head, [], body), refusing: refusal)
            _ = try await send(response, to: head, keepsAlive: false)
            return false
        }
        let request = request(head, query, body)
        return try await TraceContext.$current.withValue(request.trace) {
            let networks = request.clientNetworks
            let hasRoom = server.entered(networks)
            // When all of the answer was taken.
            defer { if hasRoom { server.left(networks) } }
            var response =
                if hasRoom {
                    await server.respond(to: request, segments: segments)
                } else {
                    Response.problem(Problem(.tooManyRequests, headers: ["Retry-After": "5"]), instance: request.path)
                }
            let keepsAlive = head.keepsAlive && body.canBeDrained && !isDraining && !transport.hungUp
            if !(200...599).contains(response.status) { response = .problem(.internal, instance: request.path) }
            guard try await send(response, to: head, keepsAlive: keepsAlive) else { return false }
            try await body.drain()
            return true
        }
    }

    private func request(_ head: RequestHead, _ query: [(name: String, value: String)], _ body: RequestBody) -> Request
    {
        let caller = head.headers["traceparent"].flatMap(TraceContext.init(traceparent:))
        return Request(
            method: head.method, path: head.path, query: query, headers: head.headers, body: body,
            remoteAddress: clientAddress(head), trace: caller?.child() ?? TraceContext.make())
    }

    private func clientAddress(_ head: RequestHead) -> String {
        guard isProxy, showsProxyKey(head), let list = head.headers.all("X-Forwarded-For").last,
            let last = list.split(separator: ",").last
        else { return remoteAddress }
        let address = String(last.filter { $0 != " " && $0 != "\t" })
        return HTTPServer.isNumericAddress(address) ? address : remoteAddress
    }

    /// Whether the request comes from the proxy, as far as proxies have to show it.
    private func showsProxyKey(_ head: RequestHead) -> Bool {
        guard let fits = server.configuration.proxyKey else { return true }
        let shown = head.headers.all("X-Gateway-Key")
        return shown.count == 1 && fits(shown[0])
    }

    /// Keeps reading for a while after the last response: closing at once would reset the connection if bytes are unread,
    /// and the client might never see the response.
    private func linger() async {
        transport.shutdownWriting()
        let deadline = monotonicNanoseconds() + limits.lingerDeadline.nanosecondsClamped
        while monotonicNanoseconds() < deadline {
            while let piece = receive(upTo: HTTPServer.readBytes) {
                if piece.isEmpty || monotonicNanoseconds() >= deadline { return }
            }
            do { try await transport.readable(until: deadline) } catch { return }
        }
    }
}

/// Sending: responses, streams, refusals.
extension Connection {
    /// Sends a response; returns whether the connection can serve another request.
    private func send(_ response: Response, to head: RequestHead, keepsAlive: Bool) async throws -> Bool {
        var keepsAlive = keepsAlive
        let hasBody = head.method != "HEAD" && response.status != 204 && response.status != 304
        var framing: [(String, String)] = []
        var streamFraming = ResponseWriter.Framing.untilClose
        switch response.body {
        case .none:
            if response.status != 204 && response.status != 304 { framing = [("Content-Length", "0")] }
        case .bytes(let bytes):
            if response.status != 204 && response.status != 304 { framing = [("Content-Length", "\(bytes.count)")] }
        case .stream(let stream):
            if let length = stream.length {
                framing = [("Content-Length", "\(length)")]
                streamFraming = .length(length)
            } else if head.isHTTP10 {
                keepsAlive = false
            } else {
                framing = [("Transfer-Encoding", "chunked")]
                streamFraming = .chunked
            }
        }
        guard var bytes = ResponseHead.bytes(response, framing: framing, keepsAlive: keepsAlive, date: server.date)
        else {
            server.logger.error("An answer had a field that cannot be sent; it was replaced.")
            return try await send(.problem(.internal, instance: head.path), to: head, keepsAlive: keepsAlive)
        }
        switch response.body {
        case .bytes(let body) where hasBody && body.count <= 65_536:
            bytes += body
            try await send(bytes)
        case .bytes(let body) where hasBody:
            try await send(bytes)
            try await send(body)
        case .stream(let stream) where hasBody:
            try await send(bytes)
            try await run(stream, framing: streamFraming)
        default: try await send(bytes)
        }
        return keepsAlive
    }

    private func run(_ stream: Response.StreamBody, framing: ResponseWriter.Framing) async throws {
        let writer = ResponseWriter(self, framing: framing)
        defer { writer.abandon() }
        endsOnDrain = stream.endsOnDrain
        defer { endsOnDrain = false }
        if isDraining, endsOnDrain { return try await writer.finish() }
        do {
            try await stream.write(writer)
        } catch let error as CancellationError {
            guard isDraining, endsOnDrain, !transport.hungUp else { throw error }
        } catch {
            server.report(error)
            throw error
        }
        try await writer.finish()
    }

    /// - Parameter limit: how long the client may take for each 64 KiB; nil for the server's own limit.
    func send(_ bytes: [UInt8], within limit: Duration? = nil) async throws {
        do {
            try await transport.send(bytes, limit: limit ?? limits.writeDeadline)
        } catch is TransportTimeout {
            // A client that accepts nothing counts as gone.
            throw ClientGone()
        }
    }

    func sendContinue() async throws { try await send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }

    /// Answers a request that was refused before it was routed.
    private func refuse(_ refusal: HeadRefusal) async {
        let response = Response.problem(refusal.problem)
        guard case .bytes(let body) = response.body,
            let head = ResponseHead.bytes(
                response, framing: [("Content-Length", "\(body.count)")], keepsAlive: false, date: server.date)
        else { return }
        server.refused(refusal)
        try? await send(head + body)
    }
}
