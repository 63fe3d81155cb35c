import Glibc
import JSON
import Primitives
import Testing

@testable import mirrormate

@Suite struct `A line of a log` {
    private let style = Style(isColoured: false)

    @Test func `is told in columns, whoever wrote it`() {
        let service = LogLine(
            part: "quota",
            raw:
                #"{"ts":"2026-11-23T05:28:58.114109Z","level":"warning","component":"relay","message":"late","epoch":2}"#
        )
        #expect(service.text(style, partWidth: 8) == "05:28:58.114 quota    warning relay late epoch=2")
        let gateway = LogLine(
            part: "gateway",
            raw: #"{"time":"2026-11-23T05:31:47+00:00","method":"GET","path":"/v1/quota","status":502}"#)
        #expect(gateway.text(style, partWidth: 7) == "05:31:47.000 gateway error   GET /v1/quota status=502")
        let postgres = LogLine(part: "postgres", raw: "2026-11-23 05:28:25.408 UTC [23624] FATAL:  no space left")
        #expect(postgres.at == Timestamp(rfc3339: "2026-11-23T05:28:25.408Z") && postgres.level == "error")
        #expect(postgres.words == " UTC [23624] FATAL:  no space left")
        let kafka = LogLine(part: "kafka", raw: "[2026-11-23 05:28:25,408] WARN a disk is slow (kafka.log)")
        #expect(kafka.at == Timestamp(rfc3339: "2026-11-23T05:28:25.408Z") && kafka.level == "warning")
    }

    @Test func `is told to programs as it stands in the file, whoever wrote it`() {
        let service = LogLine(part: "quota-2", raw: #"{"ts":"2026-11-23T05:28:58Z","level":"error","message":"late"}"#)
        #expect(
            service.document == [
                "part": "quota-2", "at": "2026-11-23T05:28:58.000000Z", "level": "error",
                "line": ["ts": "2026-11-23T05:28:58Z", "level": "error", "message": "late"],
            ])
        #expect(
            LogLine(part: "kafka", raw: "  at main").document
                == ["part": "kafka", "at": nil, "level": "info", "line": "  at main"])
    }

    @Test func `without a time stays behind the line before it`() {
        func line(_ part: String, _ second: Int) -> LogLine {
            LogLine(part: part, raw: #"{"ts":"2026-11-23T05:28:0\#(second)Z","message":"\#(part)\#(second)"}"#)
        }
        let trace = LogLine(part: "a", raw: "  at main.swift:7")
        let merged = LogLine.merged([[line("a", 1), trace, line("a", 3)], [line("b", 2)]])
        #expect(merged.map(\.words) == ["a1", "  at main.swift:7", "b2", "a3"])
    }

    @Test func `knows which levels are worse`() {
        let line = LogLine(part: "a", raw: #"{"level":"notice","message":"x"}"#)
        #expect(LogLine.levels.map(line.isAtLeast) == [true, true, true, false, false])
    }
}

@Suite struct `The log of a part` {
    @Test func `gives what was added, whole lines only, and begins anew when it was replaced`() throws {
        let path = "/tmp/mirrormate-log-\(UUID.v7())"
        defer { unlink(path) }
        try Files.write("one\ntwo\nthr", to: path)
        let file = LogFile(part: "a", path: path)
        #expect(file.nextLines().map(\.raw) == ["one", "two"])
        let descriptor = open(path, O_WRONLY | O_APPEND)
        _ = write(descriptor, "ee\n", 3)
        close(descriptor)
        #expect(file.nextLines().map(\.raw) == ["three"])
        try Files.write("new\n", to: path)
        #expect(file.nextLines().map(\.raw) == ["new"])
        #expect(file.nextLines().isEmpty)
    }
}
