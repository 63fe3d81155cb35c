import Foundation
import Testing

@testable import MirrorMateClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The API's JSON")
struct DocumentTests {
    @Test(
        "has moments with and without a fraction",
        arguments: [
            ("2026-11-25T10:02:03.250000Z", 1_795_600_923.25), ("2026-11-25T10:02:03Z", 1_795_600_923),
        ])
    func moments(text: String, seconds: Double) throws {
        #expect(try #require(Documents.date(text)).timeIntervalSince1970 == seconds)
    }

    @Test("has no other moments", arguments: ["", "yesterday", "2026-11-25", "2026-11-25T10:02:03.xZ"])
    func noMoments(text: String) {
        #expect(Documents.date(text) == nil)
    }

    @Test("may have codes that this client does not know")
    func codes() throws {
        let known = try Documents.decode([Session.Status].self, from: Data(#"["processing","resting"]"#.utf8))
        #expect(known == [.processing, Session.Status(rawValue: "resting")])
        #expect(!known[1].isOver)
    }

    @Test("leaves out what is nil")
    func requests() throws {
        let body = try Documents.encode(GoalSetting(.eyeContactPct, atLeast: 0.5))
        let object = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        #expect(Set(object.keys) == ["measure", "atLeast"])
    }

    @Test("says in a problem what to do, and when")
    func problem() throws {
        let body = """
            {"type":"t","title":"Quota used up","status":429,"detail":"The next analysis is possible at resetsAt.",
             "code":"quota-exceeded","resetsAt":"2026-11-26T00:00:00.000000Z","window":"day"}
            """
        let problem = Problem(Data(body.utf8), response(429, ["Retry-After": "60"]))
        #expect(problem.code == .quotaExceeded)
        #expect(problem.retryAfter == .seconds(60))
        #expect(problem.resetsAt == Documents.date("2026-11-26T00:00:00Z"))
        #expect(problem.recoverySuggestion == "The next analysis is possible at resetsAt.")
    }

    @Test("may be missing in an answer of something on the way")
    func noProblem() {
        let problem = Problem(Data("<html>Bad gateway</html>".utf8), response(502))
        #expect((problem.status, problem.code.rawValue) == (502, "http-502"))
    }

    private func response(_ status: Int, _ headers: [String: String] = [:]) -> HTTPURLResponse {
        HTTPURLResponse(
            url: URL(string: "https://coach.example.org")!, statusCode: status, httpVersion: nil, headerFields: headers)!
    }
}
