import Contracts
import JSON
import Primitives
import Testing

@testable import mirrormate

@Suite struct `The table of commands` {
    private static let table = CommandTable.mirrormate
    private static let names = table.entries.map(\.name)
    private let table = Self.table

    private func entry(_ name: String) throws -> CommandEntry {
        try #require(table.entries.first { $0.name == name })
    }

    private func request(_ words: [String]) throws(Failure) -> CommandTable.Request {
        try table.request(words, width: 80)
    }

    private func help(_ words: [String]) throws -> String {
        guard case .help(let text, isAsked: true) = try request(words) else {
            Issue.record("\(words) should show help.")
            return ""
        }
        return text
    }

    @Test func `has every name once, and no command that is also the first word of others`() {
        #expect(Set(Self.names).count == Self.names.count)
        for entry in table.entries where entry.member == nil { #expect(table.members(of: entry.name).isEmpty) }
        for group in table.groups { #expect(table.members(of: group).count { $0.isDefault } <= 1) }
    }

    @Test(arguments: names) func `explains every command`(name: String) throws {
        let entry = try entry(name)
        #expect(!entry.summary.isEmpty && entry.summary.count <= 56 && entry.summary.last != ".")
        let text = try help(name.split(separator: " ").map(String.init) + ["--help"])
        #expect(text.hasPrefix("mirrormate \(name): \(entry.summary)\n") && text.contains("Usage: mirrormate \(name)"))
        #expect(text.contains("Exit codes: 0 "))
        for flag in entry.flags { #expect(text.contains("  \(flag.spelling.name)") || flag.spelling.short != nil) }
        for operand in entry.operands { #expect(text.contains("  \(operand.name) ") && !operand.help.isEmpty) }
        #expect(text.split(separator: "\n").allSatisfy { $0.last != " " })
        if entry.topic != .hidden {
            #expect(!entry.examples.isEmpty, "A help begins with an example.")
            #expect(try help(["--help"]).contains("  \(name) "))
            #expect(try help(["-h"]).contains("\(entry.summary)\n"))
        }
    }

    @Test func `explains all commands with the same first word together`() throws {
        let text = try help(["parked", "--help"])
        #expect(
            text.hasPrefix("mirrormate parked: list, show, release, drop\n")
                && text.contains("Exit codes: 0 as expected"))
        #expect(try help(["quota", "-h"]).contains("quota grant"))
    }

    @Test(arguments: names) func `understands its own examples`(name: String) throws {
        for (line, _) in try entry(name).examples {
            let words = CommandLineText.words(line)
            guard case .run(let found, _) = try request(words) else {
                Issue.record("\(line) shows help.")
                continue
            }
            #expect(found.name == name, "\(line)")
        }
    }

    @Test(arguments: names) func `takes every flag of a command, in every spelling`(name: String) throws {
        let entry = try entry(name)
        let start = name.split(separator: " ").map(String.init) + entry.operands.compactMap(Self.sample)
        for flag in entry.flags.map(\.spelling) {
            for spelling in flag.all {
                guard let placeholder = flag.placeholder else {
                    _ = try request(start + [spelling])
                    continue
                }
                let value = try #require(Self.samples[placeholder], "Give \(placeholder) a sample in this test.")
                _ = try request(start + [spelling, value])
                _ = try request([start, ["\(spelling)=\(value)"]].flatMap(\.self))
                #expect(throws: Failure.self) { try request(start + [spelling]) }
            }
        }
    }

    @Test(arguments: names) func `refuses other flags with the exit code 2 and the nearest one`(name: String) throws {
        let entry = try entry(name)
        for flag in entry.flags.map(\.spelling.name) + ["--help"] {
            let failure = #expect(throws: Failure.self) {
                try request(name.split(separator: " ").map(String.init) + [flag + "q"])
            }
            #expect(failure?.exit == .usage)
            #expect(failure?.message.hasPrefix("There is no option \(flag)q. Did you mean --") == true, "\(flag)")
        }
    }

    private static let subject =
        "an id or its first digits (4 or more), an account's mail address, or an event as SERVICE/POSITION"

    @Test(arguments: [
        (["dwon"], "There is no command dwon. Did you mean down?"),
        (["time"], "There is no command time. Did you mean timeline?"),
        (["xyzzy"], "There is no command xyzzy."),
        (["quota", "gratn"], "There is no command quota gratn. Did you mean quota grant?"),
        (["parked", "sohw", "quota/1"], "There is no command parked sohw. Did you mean parked show?"),
        (["parked", "nonsense"], "There is no command parked nonsense."),
        (["quota"], "“quota” needs another word."),
        (["--json", "status"], "--json stands before the command."),
        (["help", "statsu"], "There is no command statsu. Did you mean status?"),
        (["statsu", "--help"], "There is no command statsu. Did you mean status?"),
        (["events", "sesions"], "There is no service sesions. Did you mean sessions?"),
        (["check", "session_lst"], "There is no read model session_lst."),
        (["completion", "fis"], "There is no shell fis. Did you mean fish?"),
        (
            ["timeline", "nonsense"],
            "ID must be \(subject), not “nonsense”."
        ),
        (["timeline", "sessions/0"], "ID must be \(subject), not “sessions/0”."),
        (["timeline", "abc"], "ID must be \(subject), not “abc”."),
        (["quota", "show", "ada"], "EMAIL must be an account's mail address or id, not “ada”."),
        (
            ["sessions", "cancel", "nonsense"],
            "SESSION must be an id or its first digits (4 or more), as `mirrormate sessions list` shows them, not “nonsense”."
        ),
        (["keys", "change", "nope"], "There is no secret nope."),
        (["log-level", "loud"], "There is no level loud."),
        (["open", "dosc"], "There is no place dosc. Did you mean docs?"),
        (
            ["submit", "a.mp4", "--continue", CommandLineText.id, "--replace"],
            "--continue and --replace cannot be given together."
        ),
        (["ledger", "--late", "-1"], "--late must be a number from 0 to 86400, not “-1”."),
        (["up", "--instances", "9"], "--instances must be a number from 1 to 8, not “9”."),
        (["events", "sessions", "--limit", "0"], "--limit must be a number from 1 to 1000000, not “0”."),
        (
            ["events", "sessions", "--since", "yesterday"],
            "--since must be a time such as 2026-11-21T17:00:00Z, or how long ago, such as 15m, not “yesterday”."
        ),
        (["parked", "show", "quota"], "MESSAGE must be of the form SERVICE/NUMBER, such as quota/1, not “quota”."),
        (["relay", "rewind", "quota", "-3"], "There is no option -3."),
        (
            ["check", "sessions/session_list", "--sample", "2", "--repair", "x"],
            "--sample and --repair cannot be given together."
        ),
        (["up", "two"], "“two” was not expected."),
        (
            ["timeline", CommandLineText.id, "--state"],
            "--state needs a value: --state DIR, \(Flags.state.spelling.help). Did you mean --states?"
        ),
        (
            ["rebuild", "session_list", "--rollback", "--drop-old"],
            "--rollback and --drop-old cannot be given together."
        ),
    ])
    func `refuses what it does not know with the exit code 2`(words: [String], message: String) {
        let failure = #expect(throws: Failure.self) {
            guard case .run(let entry, let arguments) = try request(words) else { return }
            // `help` finds its command when it runs; the others are refused before.
            #expect(entry.name == "help")
            _ = try table.text(HelpText(table: table, width: 80), about: arguments[Operands.helpWords])
        }
        #expect(failure?.exit == .usage && failure?.message == message)
        #expect(failure?.advice.isEmpty == false)
    }

    @Test(arguments: [
        ("parked", "parked list"), ("parked --json", "parked list"), ("parked list", "parked list"),
        ("plan ada@example.org premium", "plan set"), ("plan set ada@example.org premium", "plan set"),
    ])
    func `knows what the first word does alone`(line: String, name: String) throws {
        guard case .run(let entry, _) = try request(line.split(separator: " ").map(String.init)) else {
            Issue.record("\(line) shows help.")
            return
        }
        #expect(entry.name == name)
    }

    @Test func `says which version it is`() throws {
        #expect(try help(["--version"]) == "mirrormate \(Release.version)")
        guard case .run(let entry, let arguments) = try request(["state", "sessions/session-x", "--version", "3"])
        else {
            Issue.record("A version of an aggregate is no question about the program.")
            return
        }
        #expect(entry.name == "state" && arguments[Flags.version] == 3)
    }

    @Test func `takes how it is to speak from anywhere in the words`() {
        var words = ["up", "--quiet", "--json", "--no-color", "--", "--quiet"]
        #expect(Manner(takenFrom: &words) == Manner(isQuiet: true, isPlain: true))
        #expect(words == ["up", "--json", "--", "--quiet"])
        #expect(Manner(takenFrom: &words) == Manner())
    }

    @Test(arguments: [
        (CommandLineText.id, SubjectName.id(UUID(CommandLineText.id)!)),
        ("session-\(CommandLineText.id)", .id(UUID(CommandLineText.id)!)),
        ("sessions/session-\(CommandLineText.id)", .id(UUID(CommandLineText.id)!)),
        ("sessions/12", .place(.sessions, 12)), ("ada@example.org", .email("ada@example.org")),
        ("0B98", .start("0b98")), ("0b98cea9-cf", .start("0b98cea9-cf")), ("0b98cea9-cf…", .start("0b98cea9-cf")),
    ])
    func `takes an id in any form in which one is shown`(word: String, name: SubjectName) {
        #expect(SubjectName(word) == name)
    }

    @Test func `takes a session of one's own by its id or the first digits, when they are of one alone`() throws {
        #expect(SessionName("session-\(CommandLineText.id)") == .id(UUID(CommandLineText.id)!))
        #expect(SessionName("0b98cea9-cf…") == .start("0b98cea9-cf"))
        #expect(SessionName("ada@example.org") == nil && SessionName("sessions/12") == nil && SessionName("0b9") == nil)
        let ids = ["0b98cea9-cf81", "0b98cea9-0000", "5d0c0000-0000"]
        #expect(try SessionName.only("5d0c", of: ids) == "5d0c0000-0000")
        let several = #expect(throws: Failure.self) { try SessionName.only("0b98", of: ids) }
        #expect(several?.exit == .usage && several?.advice == "Type more of it: 0b98cea9-cf81, 0b98cea9-0000.")
        let none = #expect(throws: Failure.self) { try SessionName.only("ffff", of: ids) }
        #expect(none?.message == "This account has no session whose id begins with ffff.")
    }

    @Test(arguments: [
        ("session-0b98cea9-cf", "session-", "0b98cea9-cf"), ("session-0B98…", "session-", "0b98"),
        ("session-\(CommandLineText.id)", nil, nil), ("plan-premium", nil, nil), ("session-0b9", nil, nil),
        ("keyring", nil, nil),
    ])
    func `sees where a stream is named by the first digits of its id`(name: String, category: String?, digits: String?)
    {
        let beginning = ServiceLogs.beginning(name)
        #expect(beginning?.category == category && beginning?.digits == digits)
    }

    @Test func `takes an API key by its id or the first digits, and says which there are`() throws {
        func list(_ ids: [String]) -> JSONObject {
            ["apiKeys": .array(ids.map { ["id": .string($0)] })]
        }
        let made = list(["019a9c60-0000-7000", "019a9c60-0000-7111"])
        #expect(try APIKeysCommand.key("019A9C60-0000-71", of: made) == "019a9c60-0000-7111")
        let several = #expect(throws: Failure.self) { try APIKeysCommand.key("019a9c60", of: made) }
        #expect(several?.message == "019a9c60 is the beginning of several ids.")
        for word in ["nope", "019"] {
            let none = #expect(throws: Failure.self) { try APIKeysCommand.key(word, of: made) }
            #expect(none?.exit == .usage && none?.message.hasPrefix("There is no API key \(word).") == true)
            #expect(none?.advice == "There is: 019a9c60-0000-7000, 019a9c60-0000-7111.")
        }
        let without = #expect(throws: Failure.self) { try APIKeysCommand.key("nope", of: list([])) }
        #expect(without?.advice == "There is none.")
    }

    @Test func `shows what there is when nothing was asked for`() throws {
        guard case .help(_, isAsked: false) = try request([]) else {
            Issue.record("Without a word there is nothing to do but help.")
            return
        }
    }

    @Test func `answers programs everywhere but where a shell reads the answer, or nothing ends`() {
        let silent = table.shown.filter { entry in !entry.flags.contains { $0.spelling == Flags.json.spelling } }
        #expect(silent.map(\.name).sorted() == ["completion", "help", "issuer"])
    }

    @Test func `gives a flag one meaning everywhere`() {
        var meanings: [String: FlagSpelling] = [:]
        for entry in table.entries {
            for flag in entry.flags.map(\.spelling) {
                for spelling in flag.all {
                    #expect(
                        meanings[spelling, default: flag] == flag, "\(spelling) of \(entry.name) means something else")
                    meanings[spelling] = flag
                }
            }
            let spellings = entry.flags.flatMap(\.spelling.all)
            #expect(Set(spellings).count == spellings.count, "\(entry.name) has a flag twice")
            #expect(!spellings.contains("--help") && !spellings.contains("-h"))
        }
    }

    @Test(arguments: names) func `has operands that can be told apart`(name: String) throws {
        let operands = try entry(name).operands
        #expect(Set(operands.map(\.name)).count == operands.count)
        // Optional operands follow required ones, and a repeated one is last.
        for operand in operands.dropLast() { #expect(operand.occurrence != .any) }
        let needed = operands.map { $0.occurrence == .once }
        #expect(needed == needed.sorted { $0 && !$1 })
        for flags in try entry(name).exclusive {
            let taken = try entry(name).flags.map(\.spelling)
            #expect(flags.allSatisfy { taken.contains($0.spelling) })
        }
    }

    /// A value for a required operand.
    private static func sample(_ operand: any CommandOperand) -> String? {
        operand.occurrence == .once ? samples[operand.name] ?? "word" : nil
    }

    /// A value for each kind of flag and operand.
    private static let samples = [
        "DIR": "folder", "FILE": "file", "N": "1", "SECONDS": "10", "PERCENT": "50", "TIME": "15m", "POINT": "3",
        "URL": "http://127.0.0.1:1", "EMAIL": "ada@example.org", "TEXT": "text", "SERVICE": "quota", "REF": "main",
        "KEY": "key", "EVENT": "SessionCreated", "FIELD": "status", "STREAM": "session-1", "TYPE": "SessionCreated",
        "VERSION": "3", "KIND": "mirrormate", "POSITION": "7", "ID": CommandLineText.id, "READMODEL": "session_list",
        "PLACE": "sessions/session_list", "MESSAGE": "quota/1", "SHELL": "bash", "LANGUAGE": "pt-BR",
        "SESSION": CommandLineText.id, "DEVICE": CommandLineText.id, "SECRET": "refresh-tokens", "SCENARIO": "pitch",
        "PART": "quota", "LEVEL": "error", "STATUS": "error", "USER": CommandLineText.id,
        "OUTCOME": "waiting", "NOTICE": "stripe/evt_1",
    ]
}

/// Command lines as documents write them.
enum CommandLineText {
    static let id = "0b98cea9-cf81-58e3-8812-52c9a329a19b"

    /// The words after `mirrormate`, with an id in the place of each name that stands for one.
    static func words(_ line: String) -> [String] {
        // What is around a command in a shell, as in `source <(mirrormate completion bash)` and `mirrormate … > FILE`.
        let command = line.replacing(#/.*<\(|\).*| >.*/#, with: "")
        let words = command.split(separator: " ").map(String.init)
        let start = words.firstIndex { $0 == "mirrormate" || $0.hasSuffix("/mirrormate") } ?? -1
        return words[(start + 1)...].map { word in
            ["ID", "SESSION", "USER", "OWNER"].contains(word) ? id : word
        }
    }
}
