import Contracts
import JSON
import Primitives
import ServiceTesting
import Testing

@testable import mirrormate

@Suite struct `The words behind a command` {
    private static let file = Operand(.file, "the file")
    private static let more = Operand(many: .number("NUMBER", in: 1...9), "numbers")
    private static let count = Flag("--count", .number(in: 1...8), preset: 3, "how many")
    private static let place = Flag("--place", short: "-p", former: ["--spot"], .folder, "where")
    private static let quiet = Flag("--quiet", "say less")
    private static let loud = Flag("--loud", "say more")

    private static let entry = CommandEntry(
        name: "try", topic: .local, summary: "tries", operands: [file, more], flags: [count, place, quiet, loud],
        exclusive: [[quiet, loud]]
    ) { _, _ in .success }

    private func read(_ words: String...) throws(Failure) -> Arguments { try Arguments(words, for: Self.entry) }

    @Test func `are flags, values and operands, in any order`() throws {
        let arguments = try read("a.mp4", "--place", "x", "--quiet", "--count=5", "1", "2")
        #expect(arguments[Self.file] == "a.mp4" && arguments[Self.more] == [1, 2])
        #expect(arguments[Self.place] == "x" && arguments[Self.count] == 5)
        #expect(arguments[Self.quiet] && !arguments[Self.loud])
    }

    @Test func `may be missing where the table says so`() throws {
        let arguments = try read("a")
        #expect(arguments[Self.more] == [] && arguments[Self.place] == nil && arguments[Self.count] == 3)
    }

    @Test func `are operands after two dashes, whatever they look like`() throws {
        #expect(try read("--", "--quiet")[Self.file] == "--quiet")
    }

    @Test(arguments: ["-p", "--spot"]) func `may be a short or a former spelling of a flag`(spelling: String) throws {
        #expect(try read("a", spelling, "x")[Self.place] == "x")
    }

    @Test func `may repeat a flag: the last one counts`() throws {
        #expect(try read("a", "--count", "1", "--count", "2")[Self.count] == 2)
    }

    @Test(arguments: [
        (["a", "--plac", "x"], "There is no option --plac. Did you mean --place?"),
        (["a", "--qiuet"], "There is no option --qiuet. Did you mean --quiet?"),
        (["a", "--zzzzzzzz=1"], "There is no option --zzzzzzzz."),
        (["a", "--place"], "--place needs a value: --place DIR, where."),
        (["a", "--place", "--quiet"], "--place needs a value: --place DIR, where."),
        (["a", "--place="], "--place needs a value: --place DIR, where."),
        (["a", "--quiet=1"], "--quiet takes no value."),
        (["a", "--count", "0"], "--count must be a number from 1 to 8, not “0”."),
        (["a", "--count", "9"], "--count must be a number from 1 to 8, not “9”."),
        (["a", "--count", "two"], "--count must be a number from 1 to 8, not “two”."),
        (["a", "--count", "-1"], "--count must be a number from 1 to 8, not “-1”."),
        (["a", "--quiet", "--loud"], "--quiet and --loud cannot be given together."),
        (["a", "b"], "NUMBER must be a number from 1 to 9, not “b”."),
        ([], "FILE is missing: the file."),
    ])
    func `that are wrong are refused with a sentence`(words: [String], message: String) {
        let failure = #expect(throws: Failure.self) { try Arguments(words, for: Self.entry) }
        #expect(failure?.exit == .usage && failure?.message == message)
        #expect(failure?.advice == "`mirrormate try --help` says what it takes.")
    }

    @Test func `that are too many are refused`() {
        let entry = CommandEntry(name: "none", topic: .local, summary: "takes no words") { _, _ in .success }
        let failure = #expect(throws: Failure.self) { try Arguments(["x"], for: entry) }
        #expect(failure?.exit == .usage && failure?.message == "“x” was not expected.")
    }
}

@Suite struct `What is said of a video that is sent` {
    private func read(_ command: String, _ words: [String]) throws -> Arguments {
        try Arguments(words, for: try #require(CommandTable.local.first { $0.name == command }))
    }

    /// A file that begins like a video.
    private func video(_ name: String) throws -> VideoFile {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/\(name)"
        try Files.write([0, 0, 0, 12] + Array("ftypmp42".utf8), to: path)
        return try VideoFile(path)
    }

    @Test func `goes to the server with it`() throws {
        let said = try read("submit", ["talk.mov", "--language", "pt-BR", "--scenario", "pitch"]).brief
        #expect(said == RecordingBrief(language: "pt-BR", scenario: .pitch))
        #expect(
            Submission.wish(try video("talk.mov"), said, replacing: "x") == [
                "kind": "mirrormate", "contentType": "video/quicktime", "contentLength": 12, "language": "pt-BR",
                "scenario": "pitch", "replaces": "x",
            ])
        #expect(try read("demo", ["--scenario=interview"]).brief == RecordingBrief(scenario: .interview))
    }

    @Test func `may be nothing`() throws {
        let said = try read("submit", ["talk.mp4"]).brief
        #expect(said == RecordingBrief())
        #expect(Submission.wish(try video("talk.mp4"), said).keys.sorted() == ["contentLength", "contentType", "kind"])
    }

    @Test(arguments: SpeakingScenario.all) func `is any scenario that the server knows`(scenario: SpeakingScenario)
        throws
    {
        #expect(try read("submit", ["a", "--scenario", scenario.rawValue]).brief.scenario == scenario)
    }

    @Test(arguments: ["submit", "demo"]) func `is refused with what there is when nobody knows it`(command: String)
        throws
    {
        let words = command == "submit" ? ["talk.mp4"] : []
        let scenario = #expect(throws: Failure.self) { try read(command, words + ["--scenario", "pich"]) }
        #expect(scenario?.exit == .usage && scenario?.message == "There is no scenario pich. Did you mean pitch?")
        #expect(scenario?.advice == "The scenarios are general, interview, pitch, casual.")
        for tag in ["e", "en_GB", "english language", "42"] {
            let language = #expect(throws: Failure.self) { try read(command, words + ["--language", tag]) }
            #expect(language?.message == "--language must be a language tag such as en, de or pt-BR, not “\(tag)”.")
        }
    }
}

@Suite struct `Values of flags and operands` {
    private func read<T>(_ type: ValueType<T>, _ word: String) -> T? { try? type.read(word, as: "X") }

    @Test func `are moments as times or as how long ago`() throws {
        #expect(read(.moment, "2026-11-21T17:00:00Z") == Timestamp(rfc3339: "2026-11-21T17:00:00Z"))
        let moment = try #require(read(.moment, "15m"))
        let ago = Timestamp.now() - moment
        #expect(ago >= .seconds(900) && ago < .seconds(960))
        for word in ["soon", "15", "-15m", "2026-11-21"] { #expect(read(.moment, word) == nil, "\(word)") }
    }

    @Test func `are points of a history as numbers or moments`() {
        guard case .number(12)? = read(.point, "12"), case .moment? = read(.point, "2h") else {
            Issue.record("12 and 2h are points of a history.")
            return
        }
        #expect(read(.point, "-1") == nil && read(.point, "then") == nil)
    }

    @Test func `are addresses of servers and of people`() {
        #expect(read(.url, "https://coach.example.org") != nil && read(.url, "coach.example.org") == nil)
        #expect(read(.email, "ada@example.org") != nil)
        for word in ["ada", "@example.org", "ada@"] { #expect(read(.email, word) == nil, "\(word)") }
    }

    @Test func `are one of the known words, else the nearest one is suggested`() {
        #expect(read(.service, "quota") == .quota)
        let refusal = #expect(throws: Refusal.self) { try ValueType<ServiceName>.service.read("quoat", as: "SERVICE") }
        #expect(refusal?.message == "There is no service quoat. Did you mean quota?")
        #expect(refusal?.advice == "The services are identity, sessions, quota, analysis, reporting, notifications.")
    }

    @Test func `are read models by either name`() {
        #expect(read(.readModel, "session_list")?.description == "sessions/session_list")
        #expect(read(.readModel, "sessions/session_list")?.description == "sessions/session_list")
        #expect(read(.readModel, "quota/session_list") == nil)
    }

    @Test func `are places in histories`() {
        #expect(read(.place(), "sessions/session-1")?.description == "sessions/session-1")
        #expect(read(.place(), "session_list")?.description == "sessions/session_list")
        for word in ["quota", "nobody/session-1", "sessions"] { #expect(read(.place(), word) == nil, "\(word)") }
        #expect(read(.place(besides: ["quota"]), "quota")?.description == "quota")
    }

    @Test func `are parked messages`() {
        #expect(read(.parkedMessage, "quota/7")?.description == "quota/7")
        for word in ["quota", "quota/", "quota/x", "nobody/7", "quota/7/8"] {
            #expect(read(.parkedMessage, word) == nil, "\(word)")
        }
    }
}

@Suite struct Suggestions {
    private let known = ["status", "submit", "state", "up"]

    @Test(arguments: [("statsu", "status"), ("sbmit", "submit"), ("subm", "submit"), ("pu", nil), ("xxxxx", nil)])
    func `name the nearest known word, and none that is far`(word: String, nearest: String?) {
        #expect(Suggestion.nearest(to: word, among: known) == nearest)
    }

    @Test func `count inserted, removed and replaced letters`() {
        #expect(Suggestion.distance("kitten", "sitting") == 3 && Suggestion.distance("", "ab") == 2)
    }
}
