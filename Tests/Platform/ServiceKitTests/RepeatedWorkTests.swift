import Glibc
import JSON
import Observability
import Runtime
import ServiceKit
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `Repeated work` {
    private struct Failure: Error, CustomStringConvertible { let description: String }

    @Test func `says each reason once until a round succeeds, and ends without a word`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        let reasons: [String?] = ["away", "away", "late", nil, "late"]
        let work = Loop.task {
            var rounds = 0
            let log = Logger(label: "test", descriptor: writing)
            await RepeatedWork(log, orElse: "a round failed", ["of": "a test"]).run(pausing: {}) {
                defer { rounds += 1 }
                guard rounds < reasons.count else {
                    withUnsafeCurrentTask { $0?.cancel() }
                    throw CancellationError()
                }
                if let reason = reasons[rounds] { throw Failure(description: reason) }
            }
            return rounds
        }
        #expect(try await work.value == reasons.count + 1)
        close(writing)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(reading, &buffer, buffer.count)
        let lines = try buffer.prefix(max(0, count)).split(separator: UInt8(ascii: "\n")).map {
            try JSONObject.parse(Array($0))
        }
        #expect(lines.map { $0["reason"] } == ["away", "late", "late"])
        #expect(
            lines.allSatisfy { $0["message"] == "a round failed" && $0["of"] == "a test" && $0["level"] == "warning" })
    }
}
