import Foundation
import Testing

@testable import MirrorMateClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Patience")
struct PatienceTests {
    @Test("waits longer each time, and ends")
    func longer() throws {
        var patience = Patience(tries: 4)
        let pauses = (0..<4).map { _ in patience.pause(after: URLError(.networkConnectionLost)) }
        #expect(pauses.map { $0 == nil } == [false, false, false, true])
        let waits = pauses.compactMap { $0 }
        #expect(waits == waits.sorted())
        #expect(try #require(waits.first) >= .seconds(1))
        #expect(try #require(waits.last) >= .seconds(4))
    }

    @Test("waits as long as the server asks, but not until tomorrow")
    func retryAfter() throws {
        var patience = Patience(tries: 9)
        let soon = patience.pause(after: problem(429, "too-many-requests", after: 20))
        #expect(try #require(soon) >= .seconds(20))
        let tomorrow = patience.pause(after: problem(429, "quota-exceeded", after: 40_000))
        #expect(tomorrow == nil)
    }

    @Test("is for what passes only")
    func refusals() {
        var patience = Patience(tries: 9, passing: [.uploadInProgress])
        let passing: [any Error] = [
            problem(409, "upload-in-progress"), problem(503, "temporarily-unavailable"), URLError(.timedOut),
        ]
        let lasting: [any Error] = [problem(409, "session-ended"), CancellationError(), URLError(.cancelled)]
        #expect(passing.allSatisfy { patience.pause(after: $0) != nil })
        #expect(lasting.allSatisfy { patience.pause(after: $0) == nil })
    }

    private func problem(_ status: Int, _ code: String, after seconds: Int? = nil) -> Problem {
        let response = HTTPURLResponse(
            url: URL(string: "https://coach.example.org")!, statusCode: status, httpVersion: nil,
            headerFields: seconds.map { ["Retry-After": "\($0)"] })!
        let body = #"{"type":"t","title":"No","status":\#(status),"detail":"Do this.","code":"\#(code)"}"#
        return Problem(Data(body.utf8), response)
    }
}
