import Testing
import TestingSupport
import TestingTools

@testable import mirrormate

/// What programs tell people to type is in the table: the command, and flags that it has.
@Suite struct `Commands that are advised` {
    private let table = CommandTable.mirrormate

    @Test func `are in the table, with flags of their own`() throws {
        var count = 0
        for file in try Checkout.swiftFiles(in: ["Services", "Shared"]) {
            for words in Self.commands(in: try Checkout.text(of: file)) {
                count += 1
                guard let trouble = trouble(with: words) else { continue }
                Issue.record("\(file): `mirrormate \(words.joined(separator: " "))`: \(trouble)")
            }
        }
        #expect(count > 80)
    }

    @Test func `are noticed where they are none`() {
        let source = """
            advice: "`mirrormate dwon` or `mirrormate restore \\(folder(1)) --switch-kafka` or `mirrormate sessions "
                + "cancel \\(id)\\(server.again)`; `mirrormate users …`, `mirrormate \\(name) --help`"
            """
        let found = Self.commands(in: source)
        #expect(found.count == 5 && found[2] == ["sessions", "cancel", "X", "X"])
        #expect(
            found.map(trouble) == [
                "There is no command dwon. Did you mean down?", "restore has no --switch-kafka.", nil, nil, nil,
            ])
    }

    @Test func `are for the stack that was spoken of`() {
        let text = """
            `mirrormate up` starts it; `mirrormate logs quota` shows its last words; `docker compose ps` is another's, \
            `mirrormate submit VIDEO --continue X --state there` knows its place, `mirrormate help` needs none, \
            and `mirrormate users …` is none.
            """
        #expect(Advice.placed(text, at: nil) == text)
        let placed = Advice.placed(text, at: "/srv/a b's")
        #expect(
            placed
                == text.replacing("`mirrormate up`", with: #"`mirrormate up --state '/srv/a b'\''s'`"#)
                .replacing("`mirrormate logs quota`", with: #"`mirrormate logs quota --state '/srv/a b'\''s'`"#))
        #expect(Advice.placed("`mirrormate up`", at: "/srv/mm-1.2") == "`mirrormate up --state /srv/mm-1.2`")
    }

    @Test(arguments: ["", " --state elsewhere"])
    func `come last in the demo, about the session that it made and the stack that it used`(place: String) throws {
        let text = DemoCommand.next(
            url: "http://127.0.0.1:8080", report: "report.json", session: CommandLineText.id, place: place,
            style: Style(isColoured: false))
        var names: [String] = []
        for line in text.split(separator: "\n") where line.hasPrefix("  ./mirrormate ") {
            let command = try #require(line.split(separator: "  ").first)
            guard
                case .run(let entry, let arguments) = try table.request(
                    CommandLineText.words(String(command)), width: 80)
            else { continue }
            names.append(entry.name)
            #expect(arguments[Flags.state] == (place.isEmpty ? nil : "elsewhere"), "\(line)")
            if entry.name == "timeline" {
                #expect(CommandLineText.id.hasPrefix(words(of: arguments[Operands.subject])))
            }
        }
        #expect(names == ["timeline", "submit", "status"] + (place.isEmpty ? [] : ["down"]))
        #expect(text.contains("\n  make down") == place.isEmpty)
    }

    private func words(of name: SubjectName) -> String {
        if case .start(let digits) = name { digits } else { "another form" }
    }

    /// Why words are no command of the table; nil when they are one, or stand for any.
    private func trouble(with words: [String]) -> String? {
        guard let first = words.first, !["X", "COMMAND", "--version"].contains(first) else { return nil }
        // `mirrormate users …` stands for all that begin so.
        let named = words.last == "…" ? Array(words.dropLast()) : words
        if named.count == 1, table.groups.contains(first) { return nil }
        do throws(Failure) {
            let (entry, rest) = try table.find(named)
            let known = (entry.flags.map(\.spelling) + Manner.flags).flatMap(\.all)
            let strange = rest.first { $0.hasPrefix("-") && !known.contains(String($0.prefix { $0 != "=" })) }
            return strange.map { "\(entry.name) has no \($0)." }
        } catch {
            return error.message
        }
    }

    /// The words behind `mirrormate` wherever a source has them between backticks; X stands for what only a run knows.
    private static func commands(in source: String) -> [[String]] {
        source.split(separator: "`").filter { $0.hasPrefix("mirrormate ") || $0.hasPrefix("./mirrormate ") }.map {
            let text = $0.replacing(#/"\s*\n\s*\+ "/#, with: "")
            return withoutInterpolations(text).split(whereSeparator: \.isWhitespace).map(String.init)
                .dropFirst().filter { $0 != "///" }
        }
    }

    private static func withoutInterpolations(_ text: some StringProtocol) -> String {
        var (plain, depth) = ("", 0)
        for character in text {
            if depth > 0 {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                if depth == 0 { plain += " X " }
            } else if character == "(", plain.last == "\\" {
                plain.removeLast()
                depth = 1
            } else {
                plain.append(character)
            }
        }
        return plain
    }
}
