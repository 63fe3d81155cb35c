import JSON
import Testing

@testable import Measuring

@Suite("The sound of a recording") struct RecordingSoundTests {
    private func said(_ length: JSONValue, ogg: JSONValue = "T2dnUw==") -> RecordingSound? {
        RecordingSound(["ogg": ogg, "durationMs": length])
    }

    @Test("is taken with its length")
    func taken() throws {
        let sound = try #require(said(30_000))
        #expect(sound.milliseconds == 30_000 && sound.ogg == Array("OggS".utf8))
        #expect(said(3_600_000) != nil)
    }

    @Test(
        "is none of a length that no recording has, whatever a helper says that a file has taken over",
        arguments: [0, -1, 3_600_001, .int(.max), .double(1.5), "30000", .null] as [JSONValue])
    func lengths(length: JSONValue) { #expect(said(length) == nil) }

    @Test("is none without bytes", arguments: ["", "?", .null] as [JSONValue])
    func bytes(ogg: JSONValue) { #expect(said(1, ogg: ogg) == nil) }
}
