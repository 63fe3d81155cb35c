import JSON
import Testing

@testable import mirrormate

@Suite("An ending and a problem") struct EndingTests {
    @Test("is none while the session goes on", arguments: ["queued", "awaitingUpload", "processing"])
    func running(status: String) {
        #expect(Ending(["status": .string(status)]) == nil)
    }

    @Test("by refusal says when the next session is free")
    func refused() throws {
        let ending = try #require(
            Ending(["status": "refused", "refusal": ["code": "quota-exceeded", "resetsAt": "2026-01-02T00:00:00Z"]]))
        #expect(ending.failure.exit == .refused)
        #expect(ending.failure.code == "quota-exceeded")
        #expect(ending.failure.message.contains("2026-01-02T00:00:00Z"))
    }

    @Test(
        "of an answer gives the exit code that scripts rely on",
        arguments: [
            (401, "unauthorized", ExitCode.refused), (429, "rate-limited", .refused), (409, "quota-exceeded", .refused),
            (409, "version-conflict", .failure), (422, "invalid", .failure), (503, "unavailable", .unavailable),
            (402, "payment-required", .refused), (403, "address-unconfirmed", .refused),
            (409, "session-open", .refused),
            (404, "not-found", .failure), (500, "internal", .unavailable), (599, "unknown", .unavailable),
        ])
    func exits(status: Int, code: String, exit: ExitCode) {
        let body = JSONValue.object(["code": .string(code), "title": "T", "detail": "Do this."]).bytes
        let failure = ServerProblem.failure(status: status, body: body)
        #expect(failure.exit == exit)
        #expect(failure.code == code)
        #expect(failure.advice == "Do this.")
    }

    @Test("without a problem document still names the status")
    func noDocument() {
        #expect(ServerProblem.failure(status: 500, body: Array("<html>".utf8)).code == "http-500")
    }
}
