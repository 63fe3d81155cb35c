import Contracts
import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

/// How an event stream ends that its client would have gone on with.
@Suite(.timeLimit(.minutes(10))) @Loop struct `An event stream` {
    private let login = UUID.v4()

    @Test func `ends with its login session, and says so, and others go on`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            let (stream, other) = (try await open(fixture, id, login), try await open(fixture, id, .v4()))
            try await fixture.service.deliver(
                LoginSessionEnded(
                    userId: fixture.user, loginSessionId: login, reason: .passwordReset,
                    tokensUntil: .now() + .seconds(900)))
            let start = monotonicNanoseconds()
            let text = try await rest(of: stream)
            #expect(text.hasSuffix("event: signed-out\ndata: {}\n\n"), "\(text)")
            #expect(monotonicNanoseconds() - start < 1_000_000_000, "within a second")
            _ = try await fixture.service.send("POST", "/v1/sessions/\(id)/cancel", as: fixture.user)
            #expect(try await rest(of: other).contains("\"status\":\"cancelled\""))
            let again = try await fixture.service.send(
                "GET", "/v1/sessions/\(id)/events",
                headers: [("Authorization", "Bearer \(try fixture.service.token(for: fixture.user, session: login))")])
            #expect(again.status == 401 && again.code == "login-session-ended")
        }
    }

    @Test func `ends without a word when its access token does`() async throws {
        try await withSessions { fixture in
            let id = try await fixture.create()
            let stream = try await open(fixture, id, login, lifetime: .seconds(2))
            let text = try await rest(of: stream)
            #expect(text.contains("event: session\n") && !text.contains("signed-out"), "\(text)")
            #expect(try await open(fixture, id, login).status == 200, "a newer token goes on")
        }
    }

    @Test func `beside as many as its user may have is refused, until one of them ends`() async throws {
        try await withSessions(["EVENT_STREAMS_PER_USER": "2"]) { fixture in
            let (id, ending) = (try await fixture.create(), try await fixture.create())
            let open = [try await self.open(fixture, id, login), try await self.open(fixture, ending, login)]
            let path = "/v1/sessions/\(id)/events"
            let beside = try await fixture.service.send("GET", path, as: fixture.user)
            #expect(beside.status == 429 && beside.code == "too-many-requests" && beside.header("retry-after") == "10")
            _ = try await fixture.service.send("POST", "/v1/sessions/\(ending)/cancel", as: fixture.user)
            _ = try await rest(of: open[1])
            #expect(try await fixture.eventually { try await self.open(fixture, id, login).status == 200 })
            withExtendedLifetime(open) {}
        }
    }

    private func open(
        _ fixture: SessionsFixture, _ id: UUID, _ login: UUID, lifetime: Duration = .seconds(900)
    ) async throws -> HTTPClientStream {
        let token = try fixture.service.token(for: fixture.user, session: login, lifetime: lifetime)
        return try await HTTPClient.shared.stream(
            HTTPClientRequest(
                "GET", "\(fixture.service.url)/v1/sessions/\(id)/events",
                headers: [("Authorization", "Bearer \(token)")]))
    }

    private func rest(of stream: HTTPClientStream) async throws -> String {
        var text = ""
        while let bytes = try await stream.next() { text += String(decoding: bytes, as: UTF8.self) }
        return text
    }
}
