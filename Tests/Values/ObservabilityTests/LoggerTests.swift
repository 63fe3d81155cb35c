import Glibc
import JSON
import Observability
import Primitives
import Testing

@Suite("The logger", .serialized)
struct LoggerTests {
    /// What a logger writes to a pipe while the body runs.
    private func lines(_ body: (Logger) -> Void) -> [String] {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        body(Logger(label: "part", descriptor: ends[1]))
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(ends[0], &bytes, bytes.count)
        close(ends[0])
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("A line is one JSON object with the standard fields first")
    func fields() throws {
        let trace = TraceContext.make()
        let written = TraceContext.$current.withValue(trace) {
            lines { logger in logger.warning("Something odd.", ["count": 3, "level": "mine", "text": "a\nb"]) }
        }
        #expect(written.count == 1)
        let object = try JSONObject.parse(written[0].utf8)
        #expect(
            object.keys == ["ts", "level", "service", "component", "message", "traceId", "count", "level_", "text"])
        #expect(try object.string("level") == "warning")
        #expect(try object.string("component") == "part")
        #expect(try object.string("message") == "Something odd.")
        #expect(try object.string("traceId") == trace.traceId)
        #expect(try object.string("level_") == "mine")
        #expect(try object.int("count") == 3)
        let time = try object.string("ts")
        #expect(Timestamp(rfc3339: time) != nil)
    }

    @Test("Lines below the level are not written, and their metadata is not evaluated")
    func level() {
        let before = Logger.level
        defer { Logger.level = before }
        func metadata() -> JSONObject {
            Issue.record("The metadata of a line that is not written was made.")
            return [:]
        }
        Logger.level = .warning
        let warnings = lines { logger in
            logger.info("no", metadata())
            logger.error("yes")
        }
        #expect(warnings.count == 1)
        Logger.level = .debug
        let everything = lines { $0.debug("yes") }
        #expect(everything.count == 1)
    }
}
