import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension MirrorMate {
    /// The session after each change, until it has ended.
    ///
    /// - Throws: ``ClientError/sessionGone`` when it is deleted, and what reading it throws.
    public func updates(of id: UUID) -> AsyncThrowingStream<Session, any Error> {
        AsyncThrowingStream { updates in
            let following = Task {
                do {
                    var follower = Follower(coach: self, id: id) { updates.yield($0) }
                    try await follower.run()
                    updates.finish()
                } catch {
                    updates.finish(throwing: error)
                }
            }
            updates.onTermination = { _ in following.cancel() }
        }
    }

    /// The session's server-sent events, those after the last one that was seen.
    func events(
        _ id: UUID, after last: String?, token: String, _ take: (ServerSentEvent) throws -> Void
    ) async throws {
        var call = Call.get("/v1/sessions/\(id.inPath)/events")
        call.headers["Accept"] = "text/event-stream"
        call.headers["Last-Event-ID"] = last
        var parser = ServerSentEventParser()
        var refusal = Data()
        // The server says something every 15 seconds; a connection that says nothing for 40 is lost.
        for try await step in Exchange.steps(of: call.request(at: server.url, token: token)) {
            switch step {
            case .sent: break
            case .received(let data, let response) where response.statusCode == 200:
                for event in parser.take(data) { try take(event) }
            case .received(let data, _): refusal += data
            case .ended(let response): _ = try Problem.check(refusal, response)
            }
        }
    }
}
