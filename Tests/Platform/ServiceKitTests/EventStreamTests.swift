import Configuration
import HTTPServer
import Primitives
import Runtime
import Testing

@testable import ServiceKit

@Suite(.timeLimit(.minutes(1))) @Loop struct `The open event streams` {
    private func streams(_ all: Int, user: Int, address: Int) -> EventStreams {
        EventStreams(
            EventStreamLimits(
                Environment([
                    "EVENT_STREAMS": "\(all)", "EVENT_STREAMS_PER_USER": "\(user)",
                    "EVENT_STREAMS_PER_ADDRESS": "\(address)",
                ])))
    }

    private func refusal(_ streams: EventStreams, _ user: UUID, _ network: String) -> ProblemCode? {
        do {
            _ = try streams.place(of: user, at: network)
            return nil
        } catch {
            #expect(error.headers["Retry-After"] != nil)
            return error.code
        }
    }

    @Test func `are as many as one user may have, from however many addresses`() throws {
        let streams = streams(100, user: 3, address: 100)
        let (user, other) = (UUID.v4(), UUID.v4())
        let places = try (0..<3).map { try streams.place(of: user, at: "192.0.2.\($0)") }
        #expect(refusal(streams, user, "192.0.2.9") == .tooManyRequests)
        #expect(refusal(streams, other, "192.0.2.9") == nil)
        withExtendedLifetime(places) {}
    }

    @Test func `are as many as one address may have, of however many users`() throws {
        let streams = streams(100, user: 100, address: 3)
        let places = try (0..<3).map { _ in try streams.place(of: .v4(), at: "192.0.2.1") }
        #expect(refusal(streams, .v4(), "192.0.2.1") == .tooManyRequests)
        #expect(refusal(streams, .v4(), "192.0.2.2") == nil)
        withExtendedLifetime(places) {}
    }

    @Test func `are no more than the instance may have, and later again as many`() throws {
        let streams = streams(3, user: 100, address: 100)
        for _ in 0..<3 {
            let places = try (0..<3).map { try streams.place(of: .v4(), at: "192.0.2.\($0)") }
            #expect(refusal(streams, .v4(), "192.0.2.9") == .temporarilyUnavailable)
            withExtendedLifetime(places) {}
        }
        #expect(streams.count == 0)
    }

    @Test func `leave connections to other requests`() {
        let environment = Environment(["EVENT_STREAMS": "1024"])
        _ = EventStreamLimits(environment)
        #expect(throws: ConfigurationError.self) { try environment.finish() }
        #expect(EventStreamLimits(Environment([:])).all < ServerLimits().connections)
    }
}
