import Glibc
import Testing
import TestingSupport

@testable import mirrormate

/// The commands that the documents name are those of the table, with flags that it has.
@Suite struct `Commands in documents` {
    private static let documents =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        + FolderListing.names("docs").filter { $0.hasSuffix(".md") }
        .map { "docs/\($0)" }
    private let table = CommandTable.mirrormate

    @Test(arguments: documents) func `are understood where they stand as lines`(document: String) throws {
        for line in try lines(document) {
            do {
                guard case .run(let entry, let arguments) = try table.request(CommandLineText.words(line), width: 80)
                else { continue }
                if entry.name == "help" { _ = arguments[Operands.helpWords] }
            } catch let failure {
                Issue.record("\(document): \(line): \(failure.message)")
            }
        }
    }

    @Test(arguments: documents) func `have the flags of the table where they stand in a sentence`(document: String)
        throws
    {
        for span in try spans(document) {
            var words = span.replacing("\\|", with: " ").replacing("|", with: " ")
                .filter { !"[]()".contains($0) }.split(separator: " ").map(String.init)[...]
            let isWhole = ["mirrormate", "./mirrormate"].contains(words.first)
            if isWhole { words = words.dropFirst() }
            guard let group = words.first, table.groups.contains(group) else {
                // `mirrormate COMMAND` stands for any of them.
                let isPlaceholder = words.first.map { $0 == $0.uppercased() || $0 == "--version" } ?? true
                #expect(!isWhole || isPlaceholder, "\(document): `\(span)`: there is no such command")
                continue
            }
            let entries = table.entries.filter { $0.group == group }
            for word in words where word.hasPrefix("--") && word != "--help" {
                let name = word.prefix { $0 != "=" }
                let isKnown = entries.contains { $0.flags.contains { $0.spelling.name == name } }
                #expect(isKnown, "\(document): `\(span)`: \(group) has no \(name)")
            }
        }
    }

    @Test func `begin in the changes with the version that the program says`() throws {
        let heading = try text("CHANGELOG.md").split(separator: "\n").first { $0.hasPrefix("## ") }
        let version = heading?.dropFirst(3).prefix { $0.isNumber || $0 == "." }
        #expect(version.map(String.init) == Release.version)
    }

    @Test func `begin in a README of three screens, which says where to read on`() throws {
        let readme = try text("README.md")
        // A screen has fifty lines.
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 3 * 50 + 1)
        for document in Self.documents where document != "README.md" {
            // Where the work of a machine is simulated only who changes it reads.
            let isFound = try readme.contains(document) || text("CONTRIBUTING.md").contains(document)
            #expect(isFound, "\(document) is not found from README.md")
        }
    }

    @Test func `are found`() throws {
        #expect(try lines("README.md").count >= 7 && lines("docs/debugging.md").count >= 5)
        #expect(try lines("docs/operations.md").contains { $0.contains("--accept-differences") })
        #expect(try spans("docs/debugging.md").count > 30)
    }

    private func text(_ document: String) throws -> String {
        // One that is not there yet has no commands.
        try Files.readText("\(Checkout.root)/\(document)") ?? ""
    }

    /// The command lines in fenced blocks, without prompts and comments; lines that go on are joined.
    private func lines(_ document: String) throws -> [String] {
        let blocks = try text(document).components(between: "```")
        return blocks.flatMap { block in
            block.replacing("\\\n", with: " ").split(separator: "\n").dropFirst(block.first == "\n" ? 0 : 1)
        }.compactMap { line -> String? in
            let command = line.replacing("docker compose run --rm tools ", with: "mirrormate ")
                .replacing(#/\s+#.*/#, with: "").replacing(#/^\$ /#, with: "").replacing(#/.*<\(|\).*/#, with: "")
            let words = command.split(separator: " ")
            guard let start = words.firstIndex(where: { ["mirrormate", "./mirrormate"].contains($0) }), start < 2 else {
                return nil
            }
            return words[start...].joined(separator: " ")
        }
    }

    /// What stands between backticks outside of fenced blocks.
    private func spans(_ document: String) throws -> [String] {
        let blocks = try text(document).components(between: "```")
        let prose = blocks.reduce(try text(document)) { $0.replacing("```\($1)```", with: "") }
        return prose.components(between: "`").map { $0.replacing("\n", with: " ") }
    }
}

extension String {
    /// The parts between the first and the second mark, the third and the fourth, and so on.
    fileprivate func components(between mark: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let start = rest.firstRange(of: mark), let end = rest[start.upperBound...].firstRange(of: mark) {
            parts.append(String(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return parts
    }
}

/// The names in a folder of the checkout.
private enum FolderListing {
    static func names(_ folder: String) -> [String] {
        guard let directory = opendir("\(Checkout.root)/\(folder)") else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }
}
