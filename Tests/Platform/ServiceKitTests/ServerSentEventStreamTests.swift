import Configuration
import HTTPServer
import Primitives
import Runtime
import Testing

@testable import ServiceKit

@Suite(.timeLimit(.minutes(10))) @Loop struct `The open event streams` {
    private func streams(_ all: Int, user: Int, address: Int, share: Int = 1) -> ServerSentEventStreams {
        ServerSentEventStreams(
            EventStreamLimits(
                Environment([
                    "EVENT_STREAMS": "\(all)", "EVENT_STREAMS_PER_USER": "\(user)",
                    "EVENT_STREAMS_PER_ADDRESS": "\(address)", "EVENT_STREAMS_SHARE": "\(share)",
                ])))
    }

    private func place(_ streams: ServerSentEventStreams, _ user: UUID, _ address: String) throws(Problem)
        -> ServerSentEventStreams.Place
    {
        try streams.place(of: user, in: ClientNetwork.all(of: address))
    }

    /// Opens as many streams of users of their own from an address as it may have.
    private func fill(_ streams: ServerSentEventStreams, from address: String) -> [ServerSentEventStreams.Place] {
        var places: [ServerSentEventStreams.Place] = []
        while let one = try? place(streams, .v4(), address) { places.append(one) }
        return places
    }

    private func refusal(_ streams: ServerSentEventStreams, _ user: UUID, _ address: String) -> ProblemCode? {
        do {
            _ = try place(streams, user, address)
            return nil
        } catch {
            #expect(error.headers["Retry-After"] != nil)
            return error.code
        }
    }

    @Test func `are as many as one user may have, from however many addresses`() throws {
        let streams = streams(100, user: 3, address: 100)
        let (user, other) = (UUID.v4(), UUID.v4())
        let places = try (0..<3).map { try place(streams, user, "192.0.2.\($0)") }
        #expect(refusal(streams, user, "192.0.2.9") == .tooManyRequests)
        #expect(refusal(streams, other, "192.0.2.9") == nil)
        withExtendedLifetime(places) {}
    }

    @Test func `are as many as one address may have, of however many users`() throws {
        let streams = streams(100, user: 100, address: 3)
        let places = try (0..<3).map { _ in try place(streams, .v4(), "192.0.2.1") }
        #expect(refusal(streams, .v4(), "192.0.2.1") == .tooManyRequests)
        #expect(refusal(streams, .v4(), "192.0.2.2") == nil)
        withExtendedLifetime(places) {}
    }

    @Test func `are not all had by a few addresses: the fewer are left, the fewer each of them gets`() {
        let streams = ServerSentEventStreams(EventStreamLimits(Environment([:])))
        var places = (1...8).map { fill(streams, from: "192.0.2.\($0)") }
        #expect(places[0].count == 64 && places[1].count == 56)
        #expect(streams.count < 350, "eight addresses leave a third")
        for number in 9...32 { places.append(fill(streams, from: "192.0.2.\(number)")) }
        #expect(refusal(streams, .v4(), "198.51.100.1") == nil, "and four times as many leave something")
        #expect(zip(places, places.dropFirst()).allSatisfy { $0.count >= $1.count })
        withExtendedLifetime(places) {}
    }

    @Test func `are four times as many of a /56 as of an address, and of a /48 as many as half of the room`() {
        let streams = ServerSentEventStreams(EventStreamLimits(Environment([:])))
        let line = (0..<16).map { fill(streams, from: "2001:db8:1:\($0)::1") }
        #expect(line[0].count == 64 && line.map(\.count).reduce(0, +) == 256)
        // The other lines of its provider have no more than that together; whoever is elsewhere has.
        #expect(fill(streams, from: "2001:db8:1:fff::1").isEmpty)
        let others = (0..<16).flatMap { fill(streams, from: "2001:db8:2:\($0)::1") }
        #expect(others.count == 128)
        #expect(refusal(streams, .v4(), "198.51.100.1") == nil)
        withExtendedLifetime((line, others)) {}
    }

    @Test func `are not all had by a few /48s`() {
        let streams = ServerSentEventStreams(EventStreamLimits(Environment([:])))
        let places = (1...8).map { site in
            (0..<64).flatMap { fill(streams, from: "2001:db8:\(site):\(String($0 * 16, radix: 16))::1") }
        }
        #expect(places[0].count == 256 && zip(places, places.dropFirst()).allSatisfy { $0.count >= $1.count })
        #expect(fill(streams, from: "198.51.100.1").count >= 1)
        withExtendedLifetime(places) {}
    }

    @Test func `are four times as many of a /56 as of a /64 where there is room`() {
        let streams = streams(900, user: 900, address: 2)
        let places = (0..<8).map { fill(streams, from: "2001:db8:1:\($0)::1") }
        #expect(places.map(\.count) == [2, 2, 2, 2, 0, 0, 0, 0])
        withExtendedLifetime(places) {}
    }

    @Test func `are no more than the instance may have, and later again as many`() throws {
        let streams = streams(3, user: 100, address: 100)
        for _ in 0..<3 {
            let places = try (0..<3).map { try place(streams, .v4(), "192.0.2.\($0)") }
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
