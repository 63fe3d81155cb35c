import Configuration
import Contracts
import Glibc
import ServiceKit
import Testing
import TestingSupport
import TestingTools

@testable import analysis
@testable import sessions

/// A row of the table that stands before settings: `| Variable | Type | Default | Meaning |`.
private struct Row {
    let file: String
    let name: String
    let type: String
    let standard: String
    let meaning: String
}

/// A place where a source file reads a variable.
private struct Reading {
    let file: String
    let name: String
    /// The function of `Environment` that is called, or `rate`.
    let reader: String
    /// The default as the source has it; nil when there is none.
    let standard: String?
}

@Suite struct `The settings of the services` {
    private static let files = Result {
        try Checkout.swiftFiles(in: ["Shared", "Services"]).filter {
            !$0.hasPrefix("Services/mirrormate/") && !$0.hasPrefix("Shared/Testing/")
        }
    }

    /// How tables call what each function of `Environment` reads.
    private static let types: [String: Set<String>] = [
        "string": ["text", "folder", "program", "address", "file"],
        "optional": ["text", "folder", "file", "address", "program"],
        "int": ["number"], "double": ["number"], "port": ["port"], "duration": ["duration"], "bool": ["true or false"],
        "choice": ["choice"], "webAddress": ["web address"], "secret": ["secret"], "optionalSecret": ["secret"],
        "file": ["file"], "settingsFile": ["file"], "rate": ["rate"],
    ]

    private static func rows() throws -> [Row] {
        var rows: [Row] = []
        for path in try files.get() {
            var isTable = false
            for line in try Checkout.text(of: path).split(separator: "\n") {
                let isHead = line.hasPrefix("/// | Variable |")
                if isHead { #expect(line == "/// | Variable | Type | Default | Meaning |", "\(path)") }
                isTable = isHead || isTable && line.hasPrefix("/// |")
                guard isTable, !isHead, !line.hasPrefix("/// |---") else { continue }
                let cells = line.dropFirst(6).dropLast(2).split(separator: " | ").map(String.init)
                guard cells.count == 4, let name = cells[0].wholeMatch(of: #/`([A-Z][A-Z0-9_]+)`/#) else {
                    Issue.record("\(path): a row has one variable, its type, its default and its meaning: \(line)")
                    continue
                }
                rows.append(
                    Row(file: path, name: String(name.1), type: cells[1], standard: cells[2], meaning: cells[3]))
            }
        }
        return rows
    }

    private static func readings() throws -> [Reading] {
        try files.get().flatMap { path in
            let text = try Checkout.text(of: path)
            let pattern = #/environment\.(\w+)\(\s*"([A-Z][A-Z0-9_]+)"(?:, default: ([^\n]*))?/#
            let plain = text.matches(of: pattern).filter { $0.1 != "refuse" }.map {
                Reading(
                    file: path, name: String($0.2), reader: String($0.1),
                    standard: $0.3.map(String.init))
            }
            let rates = text.matches(of: #/RateLimit\("([A-Z_]+)", environment, default: ([^\n]*)/#).map {
                Reading(file: path, name: "LIMIT_\($0.1)", reader: "rate", standard: String($0.2))
            }
            return plain + rates
        }
    }

    @Test func `let analysis measure as long a video as sessions lets clients promise, of each kind that it analyzes`()
        throws
    {
        // Nothing is set, so this is the default; what is missing does not matter here.
        let longest = AnalysisSettings(Environment([:])).maxVideoSeconds
        for kind in AnalyzedKinds.all {
            let promised = try #require(SessionKinds.builtIn.upload(of: kind)?.maxDurationSeconds, "\(kind)")
            #expect(promised <= longest, "\(kind)")
        }
    }

    @Test func `have a row in one table for each variable, and a variable for each row`() throws {
        let rows = try Self.rows()
        let names = rows.map(\.name)
        #expect(rows.count > 40)
        #expect(Set(names).count == names.count, "A variable has two rows.")
        let read = try Self.readings()
        // A secret may lie in the file that this one names.
        let secrets = read.filter { Self.types[$0.reader] == ["secret"] }.map { "\($0.name)_FILE" }
        for reading in read where !secrets.contains(reading.name) {
            #expect(names.contains(reading.name), "\(reading.file) reads \(reading.name), which no table has.")
        }
        for row in rows where !read.contains(where: { $0.name == row.name }) {
            // Read by a name that comes from elsewhere in the file.
            #expect(
                try Checkout.text(of: row.file).contains("\"\(row.name)\""), "\(row.file): nobody reads \(row.name).")
        }
    }

    @Test func `have in their tables the types and defaults of the code, and a meaning`() throws {
        let rows = Dictionary(try Self.rows().map { ($0.name, $0) }) { first, _ in first }
        for row in rows.values { #expect(!row.meaning.isEmpty && !row.standard.isEmpty, "\(row.file): \(row.name)") }
        for reading in try Self.readings() {
            guard let row = rows[reading.name] else { continue }
            let types = try #require(Self.types[reading.reader], "\(reading.file): \(reading.reader) of \(row.name)")
            #expect(types.contains(row.type), "\(row.file): \(row.name) is no \(row.type).")
            let isNeeded =
                reading.standard == nil
                && !["optional", "optionalSecret", "file", "settingsFile"].contains(reading.reader)
            #expect((row.standard == "required") == isNeeded, "\(row.file): \(row.name) is required, or not.")
            if let value = reading.standard.flatMap(Self.value) {
                #expect(Self.normal(row.standard) == value, "\(row.file): the default of \(row.name) is \(value).")
            }
        }
    }

    @Test func `stand in docs/configuration.md, which is made of the tables`() throws {
        let document = try Self.document()
        let path = "docs/configuration.md"
        if getenv("WRITE_DOCUMENTS") != nil {
            let file = try #require(fopen("\(Checkout.root)/\(path)", "w"))
            fputs(document, file)
            fclose(file)
        }
        let isFresh = try Checkout.text(of: path) == document
        #expect(isFresh, "\(path) is stale: run `make documents` and commit what it changes.")
    }

    /// What `docs/configuration.md` says: a table for whoever reads a variable.
    private static func document() throws -> String {
        let rows = try Self.rows()
        let everybody = "Every service"
        func owner(_ row: Row) -> String {
            row.file.hasPrefix("Services/") ? String(row.file.split(separator: "/")[1]) : everybody
        }
        let sections = ([everybody] + ServiceName.allCases.map(\.rawValue)).compactMap { reader -> String? in
            let lines = rows.filter { owner($0) == reader }.map {
                "| `\($0.name)` | \($0.type) | \($0.standard) | \($0.meaning) |"
            }
            if lines.isEmpty { return nil }
            return (["## \(reader)", "", "| Variable | Type | Default | Meaning |", "|---|---|---|---|"] + lines)
                .joined(separator: "\n")
        }
        return """
            # Settings

            Generated from the tables in the sources, as `make documents` says. Each service reads its settings from the environment and refuses to
            start with a list of all that is wrong. `mirrormate up` hands them on from its own environment to a local stack, `docker-compose.yml` from `.env` to a deployment. Both
            decide some themselves: where everything is served, the database, the brokers, the programs that open files, and the secrets that they make
            (`Tests/Services/DeclarationTests/HandedOnTests.swift` names them). In Compose those are changed in `docker-compose.override.yml`, as is what a file needs to be seen in a container.

            A secret is the variable itself or a file: with `_FILE` behind its name it names the file that holds it. A duration is a number with `ms`, `s`,
            `m`, `h` or `d`, a rate a number with the span in which so many are let through: `100/1h`. `LOG_LEVEL` (debug, info, notice, warning,
            error) is read before all others. In Compose a secret is always a file.

            \(sections.joined(separator: "\n\n"))

            """
    }

    /// A default as a table has it; nil for one that is no plain value.
    private static func value(_ source: String) -> String? {
        if let text = source.firstMatch(of: #/^"([^"]*)"/#) { return String(text.1) }
        if let number = source.firstMatch(of: #/^([0-9_]+)[,)]/#) { return number.1.filter { $0 != "_" } }
        guard let time = source.firstMatch(of: #/^\.(seconds|milliseconds)\(([0-9_ *]+)\)/#) else { return nil }
        let factors = time.2.split(separator: "*").map { Int($0.filter(\.isNumber)) ?? 0 }
        return "\(factors.reduce(1, *) * (time.1 == "seconds" ? 1_000 : 1)) ms"
    }

    /// A default of a table as ``value(_:)`` has it: spans of time in milliseconds.
    private static func normal(_ cell: String) -> String {
        let text = cell.filter { $0 != "`" }
        guard let time = text.wholeMatch(of: #/([0-9]+)(ms|s|m|h|d)/#) else { return text }
        let unit = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000][String(time.2)] ?? 0
        return "\((Int(time.1) ?? 0) * unit) ms"
    }
}
