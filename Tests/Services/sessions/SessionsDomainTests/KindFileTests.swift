import Contracts
import ServiceKit
import Testing
import Uploads

@testable import sessions

@Suite("The kinds of session") struct KindFileTests {
    private static func read(_ text: String) throws -> SessionKinds { try KindFile.read(Array(text.utf8)) }

    @Test("that the service brings with it are a video of at most 95 seconds, and a meditation that is logged")
    func builtIn() {
        let rules = SessionKinds.builtIn.upload(of: .mirrormate)
        #expect(rules?.mediaTypes == Set(MediaType.allCases))
        #expect(rules?.limitBytes == nil)
        #expect(rules?.maxDurationSeconds == 95)
        #expect(SessionKinds.builtIn.upload(of: SessionKind(rawValue: "dance")) == nil)
        #expect(SessionKinds.builtIn.logged(of: .meditation) == LoggedRules(maxActiveSeconds: 86_400))
        #expect(
            SessionKinds.builtIn.upload(of: .meditation) == nil && SessionKinds.builtIn.logged(of: .mirrormate) == nil)
    }

    @Test("of a file have what it says")
    func file() throws {
        let kinds = try Self.read(
            #"{"version":1,"kinds":{"dance":{"upload":{"mediaTypes":["video/webm"],"limitBytes":9}}}}"#)
        let rules = kinds.upload(of: SessionKind(rawValue: "dance"))
        #expect(rules == UploadRules(mediaTypes: [.webM], limitBytes: 9, maxDurationSeconds: nil))
        #expect(kinds.upload(of: .mirrormate) == nil)
        let kept = try Self.read(
            #"{"version":1,"kinds":{"dance":{"upload":{"mediaTypes":["video/webm"],"keptDays":0}}}}"#)
        #expect(kept.upload(of: SessionKind(rawValue: "dance"))?.keptDays == 0)
        #expect(kept.uploaded == [SessionKind(rawValue: "dance")])
        // A meditation has no recording.
        #expect(SessionKinds.builtIn.uploaded == [.mirrormate])
    }

    private static let mistakes: [(text: String, mistakes: [String])] = [
        ("no JSON", ["is not JSON"]),
        ("{}", ["version must be 1", "kinds must be an object"]),
        (#"{"version":1,"kinds":{"A b":{"upload":{"mediaTypes":["video/mp4"]}}}}"#, ["kinds.A b must be named"]),
        (#"{"version":1,"kinds":{"dance":{}}}"#, ["kinds.dance must be an object with upload"]),
        (
            #"{"version":1,"kinds":{"dance":{"upload":{"mediaTypes":["image/png"],"limitBytes":0}},"mime":7},"x":1}"#,
            [
                "x is not known", "kinds.dance.upload.mediaTypes must be a list of some of video/mp4",
                "kinds.dance.upload.limitBytes must be a whole number of at least 1", "kinds.mime must be an object",
            ]
        ),
        (
            #"{"version":1,"kinds":{"sit":{"logged":{"maxActiveSeconds":0,"most":1},"charged":1}}}"#,
            [
                "kinds.sit.logged.most is not known", "kinds.sit.logged.maxActiveSeconds must be a whole number from 1",
                "kinds.sit.charged is not known",
            ]
        ),
        (
            #"{"version":1,"kinds":{"both":{"upload":{"mediaTypes":["video/mp4"]},"logged":{}}}}"#,
            ["kinds.both must be an object with upload"]
        ),
        (
            #"{"version":1,"kinds":{"dance":{"upload":{"mediaTypes":["video/mp4"],"maxDurationSeconds":1.5}}}}"#,
            ["kinds.dance.upload.maxDurationSeconds must be a whole number from 1 to 86400"]
        ),
        (
            #"{"version":1,"kinds":{"dance":{"upload":{"mediaTypes":["video/mp4"],"keptDays":-1}}}}"#,
            ["kinds.dance.upload.keptDays must be a whole number from 0 to 3650"]
        ),
    ]

    @Test("of a file with mistakes are refused with all of them", arguments: mistakes.indices)
    func refused(row: Int) throws {
        let (text, mistakes) = Self.mistakes[row]
        let error = #expect(throws: SettingsFileError.self) { try Self.read(text) }
        let found = error?.mistakes ?? []
        #expect(found.count == mistakes.count, "\(found)")
        for (sentence, beginning) in zip(found, mistakes) { #expect(sentence.hasPrefix(beginning), "\(sentence)") }
    }
}
