import Glibc
import Observability
import Runtime

/// One client's connection: reads requests one after the other and answers each before the next.
@Loop final class Connection {
    let transport: Transport
    let limits: ServerLimits
    var input = InputBuffer()
    /// Whether it rests between two requests, so that nothing is lost when it is closed.
    private(set) var isIdle = true
    /// Whether its stream wants to be ended when the server drains.
    var endsOnDrain = false
    var isDraining: Bool { server.isDraining }

    let server: HTTPServer
    private let remoteAddress: String
    private var task: Task<Void, any Error>?

    init(_ transport: Transport, remoteAddress: String, server: HTTPServer) {
        self.transport = transport
        self.remoteAddress = remoteAddress
        self.server = server
        limits = server.configuration.limits
    }

    /// Begins to serve. A client that goes cancels whatever is done for it.
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
            // The client has gone or is too slow to be told, or the server stops.
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
                // RFC 9112, section 2.2: an empty line before a request is ignored; many of them are no mistake any more.
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

    /// What is there to read: nil when the kernel would block, nothing at the end.
    func receive(upTo most: Int) -> [UInt8]? {
        let buffer = server.readBuffer
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(most, buffer.count)])
        guard let count = transport.receive(into: part) else { return nil }
        return Array(UnsafeRawBufferPointer(rebasing: part[..<count]))
    }

    // MARK: Answering

    /// Answers one request; tells whether the connection can serve another.
    private func answer(_ head: RequestHead) async throws -> Bool {
        let body = RequestBody(head, connection: self)
        defer { body.detach() }
        guard let query = PercentDecoding.query(head.query), let segments = PercentDecoding.segments(head.path) else {
            throw HeadRefusal.malformed(
                "Write the path and the query in valid percent-encoded UTF-8, without dot segments.")
        }
        let caller = head.headers["traceparent"].flatMap(TraceContext.init(traceparent:))
        let request = Request(
            method: head.method, path: head.path, query: query, headers: head.headers, body: body,
            remoteAddress: clientAddress(head), trace: caller?.child() ?? TraceContext.make())
        return try await TraceContext.$current.withValue(request.trace) {
            var response = await server.respond(to: request, segments: segments)
            let keepsAlive = head.keepsAlive && body.canBeDrained && !isDraining && !transport.hungUp
            if !(200...599).contains(response.status) { response = .problem(.internal, instance: request.path) }
            guard try await send(response, to: head, keepsAlive: keepsAlive) else { return false }
            try await body.drain()
            return true
        }
    }

    private func clientAddress(_ head: RequestHead) -> String {
        guard server.configuration.trustsProxy, let list = head.headers.all("X-Forwarded-For").last,
            let last = list.split(separator: ",").last
        else { return remoteAddress }
        let address = String(last.filter { $0 != " " && $0 != "\t" })
        return HTTPServer.isNumericAddress(address) ? address : remoteAddress
    }

    /// Reads on for a while after the last answer: closing at once would reset the connection when bytes are unread,
    /// and the client might never see the answer.
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
