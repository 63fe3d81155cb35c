import FoundationEssentials
import Testing
import TestingSupport
import TestingTools

/// `docs/asvs.md` says of each requirement of OWASP ASVS 5.0 whether it is met, and names files and their words for it.
@Suite("The page about OWASP ASVS 5.0") struct StandardTests {
    /// The numbers of the requirements of levels 1 and 2, by section. Those that are missing are of level 3.
    private static let requirements = """
        1.1: 1-2; 1.2: 1-9; 1.3: 1-11; 1.4: 1-3; 1.5: 1-2; 2.1: 1-3; 2.2: 1-3; 2.3: 1-4; 2.4: 1; 3.2: 1-2;
        3.3: 1-4; 3.4: 1-6; 3.5: 1-5; 3.7: 1-2; 4.1: 1-3; 4.2: 1; 4.3: 1-2; 4.4: 1-4; 5.1: 1; 5.2: 1-3;
        5.3: 1-2; 5.4: 1-3; 6.1: 1-3; 6.2: 1-12; 6.3: 1-4; 6.4: 1-4; 6.5: 1-5; 6.6: 1-3; 6.8: 1-4; 7.1: 1-3;
        7.2: 1-4; 7.3: 1-2; 7.4: 1-5; 7.5: 1-2; 7.6: 1-2; 8.1: 1-2; 8.2: 1-3; 8.3: 1; 8.4: 1; 9.1: 1-3;
        9.2: 1-4; 10.1: 1-2; 10.2: 1-2; 10.3: 1-4; 10.4: 1-11; 10.5: 1-5; 10.6: 1-2; 10.7: 1-3; 11.1: 1-2;
        11.2: 1-3; 11.3: 1-3; 11.4: 1-4; 11.5: 1; 11.6: 1; 12.1: 1-3; 12.2: 1-2; 12.3: 1-4; 13.1: 1; 13.2: 1-5;
        13.3: 1-2; 13.4: 1-5; 14.1: 1-2; 14.2: 1-4; 14.3: 1-3; 15.1: 1-3; 15.2: 1-3; 15.3: 1-7; 16.1: 1;
        16.2: 1-5; 16.3: 1-4; 16.4: 1-3; 16.5: 1-3; 17.1: 1; 17.2: 1-4; 17.3: 1-2
        """

    /// A row: what is asked for is our own words, and the rest says where it is met, or why not.
    struct Row {
        let number: String
        let level: Int
        let verdict: String
        let text: String

        /// Nil for a line that is no row.
        init?(_ line: Substring) {
            let cells = line.split(separator: " | ", maxSplits: 4).map(String.init)
            guard cells.count == 5, cells[0].hasPrefix("| "), let level = Int(cells[1]), cells[4].hasSuffix(" |") else {
                return nil
            }
            (number, self.level, verdict) = (String(cells[0].dropFirst(2)), level, cells[3])
            text = String(cells[4].dropLast(2))
        }

        /// The files that it names by the end of their path, each with the words that are said to stand in it.
        var references: [(file: String, words: [String])] {
            text.matches(of: #/`([^` ]+)`(?:: ("[^"]+"(?:, "[^"]+")*))?/#).compactMap { match in
                let file = String(match.1)
                let words = match.2.map { $0.matches(of: #/"([^"]+)"/#).map { String($0.1) } } ?? []
                return words.isEmpty && !Self.isFile(file) ? nil : (file, words)
            }
        }

        private static func isFile(_ text: String) -> Bool {
            text.hasPrefix("infra/") || text == ".dockerignore"
                || text.contains(#/^[A-Za-z0-9_.+\/-]+\.(swift|py|js|md|yml|txt|template|json)$/#)
        }
    }

    private static func rows() throws -> [Row] {
        try Checkout.text(of: "docs/asvs.md").split(separator: "\n").compactMap(Row.init)
    }

    /// All files of the checkout that the page may name, from the root.
    private static func files() throws -> [String] {
        let manager = FileManager.default
        let folders = try ["Services", "Shared", "Tests", "docs", "infra"].flatMap { folder in
            try manager.subpathsOfDirectory(atPath: "\(Checkout.root)/\(folder)").map { "\(folder)/\($0)" }
        }
        return try folders + manager.contentsOfDirectory(atPath: Checkout.root)
    }

    @Test("has each requirement of levels 1 and 2, once, with a verdict") func complete() throws {
        let rows = try Self.rows()
        #expect(rows.map(\.number) == Self.numbers())
        #expect(rows.count == 253 && rows.count { $0.level == 1 } == 70)
        for row in rows {
            #expect(["met", "n/a", "**not met**"].contains(row.verdict) && !row.text.isEmpty, "\(row.number)")
        }
    }

    private static func numbers() -> [String] {
        requirements.split { $0 == ";" || $0 == "\n" }.flatMap { section -> [String] in
            let parts = section.split(separator: ": ")
            guard parts.count == 2 else { return [] }
            let ends = parts[1].split(separator: "-").compactMap { Int($0) }
            let name = parts[0].drop { $0 == " " }
            return (ends[0]...ends[ends.count - 1]).map { "\(name).\($0)" }
        }
    }

    @Test("counts them as they are") func counted() throws {
        let rows = try Self.rows()
        let text = try Checkout.text(of: "docs/asvs.md")
        func count(_ verdict: String) -> Int { rows.count { $0.verdict == verdict } }
        #expect(text.contains("Of 253, \(count("met")) are met, \(count("n/a"))\n"))
        #expect(text.contains("and \(count("**not met**")) are not met"))
    }

    @Test("names files that there are, and words that stand in them") func referencesHold() throws {
        let files = try Self.files()
        for row in try Self.rows() {
            for reference in row.references {
                let found = files.filter { $0 == reference.file || $0.hasSuffix("/" + reference.file) }
                guard found.count == 1 else {
                    Issue.record(
                        "\(row.number): \(reference.file) names \(found.count) files; say which, or what took its place."
                    )
                    continue
                }
                guard !reference.words.isEmpty else { continue }
                let text = try Checkout.text(of: found[0])
                for words in reference.words where !text.contains(words) {
                    Issue.record(
                        "\(row.number): \(found[0]) has nothing of the words \"\(words)\"; say what tests it now.")
                }
            }
        }
    }

    @Test("calls nothing met without words of a file that show it") func shown() throws {
        for row in try Self.rows() where row.verdict == "met" {
            #expect(row.references.contains { !$0.words.isEmpty }, "\(row.number)")
        }
    }

    // MARK: The reader itself, on made-up rows

    @Test("is read by its rows") func reading() throws {
        let line = "| 1.2.3 | 2 | x is y | met | in `A/B.swift`, not `c/d`; `E.py`: \"one\", \"two\" and `f.js` |"
        let row = try #require(Row(line[...]))
        #expect(row.number == "1.2.3" && row.level == 2 && row.verdict == "met")
        #expect(row.references.map(\.file) == ["A/B.swift", "E.py", "f.js"])
        #expect(row.references.map(\.words) == [[], ["one", "two"], []])
        #expect(Row("|---|---|---|---|---|") == nil && Row("| # | Level | What | | Where |") == nil)
    }
}
