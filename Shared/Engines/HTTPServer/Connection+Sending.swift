import Observability

/// What goes out: answers, streams, refusals.
extension Connection {
    /// Sends an answer; tells whether the connection can serve another request.
    func send(_ response: Response, to head: RequestHead, keepsAlive: Bool) async throws -> Bool {
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

    func send(_ bytes: [UInt8]) async throws {
        do {
            try await transport.send(bytes, limit: limits.writeDeadline)
        } catch is TransportTimeout {
            // A client that takes nothing is as good as gone.
            throw ClientGone()
        }
    }

    func sendContinue() async throws { try await send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }

    /// Tells a client why its request was not even read.
    func refuse(_ refusal: HeadRefusal) async {
        let response = Response.problem(refusal.problem)
        guard case .bytes(let body) = response.body,
            let head = ResponseHead.bytes(
                response, framing: [("Content-Length", "\(body.count)")], keepsAlive: false, date: server.date)
        else { return }
        server.refused(refusal)
        try? await send(head + body)
    }
}
