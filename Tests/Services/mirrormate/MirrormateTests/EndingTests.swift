import Contracts
import JSON
import Primitives
import ServiceTesting
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
        #expect(ending.failure.advice.hasPrefix("The next analysis is possible on 2026-01-0"))
        #expect(ending.failure.advice.hasSuffix("; --new-user tries with a fresh account."))
    }

    @Test("that are to come are waited for in words: the place in line, then each stage")
    func progress() {
        #expect(SubmissionProgress.words(["status": "processing", "queuePosition": 3]) == "waiting, 2 before it")
        let said = AnalysisStage.inOrder.map { SubmissionProgress.words(["stage": .string($0.rawValue)]) }
        #expect(Set(said).count == AnalysisStage.inOrder.count && !said.contains("analyzing"))
        #expect(said[2] == "writing down what is said")
        #expect(SubmissionProgress.words(["stage": "dream"]) == "analyzing")
        #expect(SubmissionProgress.words(["status": "queued"]) == "analyzing")
    }

    @Test(
        "of an answer gives the exit code that scripts rely on",
        arguments: [
            (401, "unauthorized", ExitCode.refused), (429, "rate-limited", .refused), (409, "quota-exceeded", .refused),
            (409, "version-conflict", .failure), (422, "invalid", .failure), (503, "unavailable", .unavailable),
            (402, "payment-required", .refused), (403, "forbidden", .refused),
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

    @Test("is told in a person's words, with commands instead of fields")
    func words() {
        func advice(_ problem: JSONValue, retryAfter: String? = nil) -> String {
            ServerProblem.failure(status: 429, body: problem.bytes, retryAfter: retryAfter).advice
        }
        let open = advice([
            "code": "session-open", "detail": "Go on with the session in heldBy, cancel it, or name it in replaces.",
            "heldBy": ["sessionId": "5d0c"],
        ])
        #expect(open.contains("sessions cancel 5d0c") && open.contains("--continue 5d0c") && !open.contains("heldBy"))
        let body: JSONValue = ["code": "session-open", "heldBy": ["sessionId": "5d0c"]]
        let another = ServerProblem.failure(status: 409, body: body.bytes, again: " --email a@example.org").advice
        #expect(another.contains("submit --continue 5d0c --email a@example.org`"))
        #expect(another.contains("sessions cancel 5d0c --email a@example.org`"))
        let late = advice(
            ["code": "too-many-analyses", "detail": "Wait for as many seconds as Retry-After says."], retryAfter: "60")
        #expect(late.hasPrefix("Try again ") && !late.contains("Retry-After"))
        #expect(!advice(["code": "address-unconfirmed", "detail": "POST /v1/auth/verify-email"]).contains("/v1"))
        #expect(
            advice(["code": "quota-exceeded", "detail": "Wait."]) == "Wait.",
            "Without a moment there is nothing to say.")
    }

    @Test(
        "says a moment to come as people do, in the zone of here",
        arguments: [
            ("2026-11-26T22:59:00Z", "today at 23:59 (Europe/Berlin)"),
            ("2026-11-26T23:00:00Z", "tomorrow at 00:00 (Europe/Berlin)"),
            ("2026-11-27T22:59:00Z", "tomorrow at 23:59 (Europe/Berlin)"),
            ("2026-11-27T23:00:00Z", "on 2026-11-28 at 00:00 (Europe/Berlin)"),
        ])
    func moments(moment: String, words: String) throws {
        let now = try #require(Timestamp(rfc3339: "2026-11-26T12:00:00Z"))
        let berlin = LocalTime(offset: 3_600, zone: "Europe/Berlin")
        #expect(berlin.words(try #require(Timestamp(rfc3339: moment)), now: now) == words)
    }

    @Test("of a file that is no video comes before anything is sent")
    func files() throws {
        let folder = TemporaryFolder()
        func refusal(_ name: String, _ bytes: [UInt8]) throws -> String? {
            let path = "\(folder.path)/\(name)"
            try Files.write(bytes, to: path)
            do throws(Failure) { _ = try VideoFile(path) } catch {
                #expect(error.exit == .usage && error.code == "no-video" && error.advice.hasSuffix("."))
                return error.message.replacing(path, with: name)
            }
            return nil
        }
        #expect(try refusal("empty.mp4", []) == "empty.mp4 is empty.")
        #expect(
            try refusal("text.mp4", Array("not a video at all".utf8))
                == "text.mp4 is no video: it begins like neither MP4, MOV nor WebM.")
        #expect(try refusal("short.mp4", [0, 0]) != nil)
        #expect(try refusal("talk.mp4", [0, 0, 0, 20] + Array("ftypisom".utf8)) == nil)
        let gone = #expect(throws: Failure.self) { try VideoFile("\(folder.path)/gone.mp4") }
        #expect(gone?.message.hasSuffix("cannot be read: No such file or directory.") == true)
        let itself = #expect(throws: Failure.self) { try VideoFile(folder.path) }
        #expect(itself?.message == "\(folder.path) is no plain file.")
        #expect(
            VideoFile.contentType([0x1A, 0x45, 0xDF, 0xA3], named: "a.mp4") == "video/webm",
            "The bytes count, not the name.")
        #expect(VideoFile.contentType([0, 0, 0, 20] + Array("ftypqt  ".utf8), named: "a.MOV") == "video/quicktime")
    }

    @Test("of a result that cannot be written comes before the work")
    func outputs() throws {
        let folder = TemporaryFolder()
        try Files.seeWritable("\(folder.path)/new.json")
        #expect(Files.names(in: folder.path).isEmpty, "Nothing is left of the look.")
        let missing = #expect(throws: Failure.self) { try Files.seeWritable("\(folder.path)/gone/new.json") }
        #expect(missing?.message.contains("cannot be written: No such file or directory") == true)
        let itself = #expect(throws: Failure.self) { try Files.seeWritable(folder.path) }
        #expect(itself?.exit == .usage)
    }

    @Test("without a problem document still names the status")
    func noDocument() {
        #expect(ServerProblem.failure(status: 500, body: Array("<html>".utf8)).code == "http-500")
    }
}
