import Testing
import TestingSupport
import TestingTools

/// A service's README says in which order to read it, so it has to know each file.
@Suite("The reading orders") struct ReadingOrderTests {
    @Test("of the services name each of their source files, or the room that it is in") func thisCheckout() throws {
        let files = try Checkout.swiftFiles(in: ["Services"])
        let services = Set(files.compactMap { $0.split(separator: "/").dropFirst().first.map(String.init) })
        #expect(services.count > 5)
        for service in services.sorted() {
            let readme = "Services/\(service)/README.md"
            let own = files.filter { $0.hasPrefix("Services/\(service)/") }
            for file in Self.unnamed(own, in: try Checkout.text(of: readme)) {
                Issue.record("\(readme) does not name \(file): add it to the reading order.")
            }
        }
    }

    /// The files that a README does not name.
    ///
    /// - Parameter files: of the service, from the root.
    private static func unnamed(_ files: [String], in readme: String) -> [String] {
        // In code: `Name`, `Folder/Name`, `Folder/`, or `…Ending` of several names.
        let words = readme.matches(of: #/`([^`\n]+)`/#).flatMap {
            $0.1.split { !$0.isLetter && !$0.isNumber && !"+_…".contains($0) }.map(String.init)
        }
        let named = Set(words)
        let endings = words.filter { $0.hasPrefix("…") }.map { String($0.dropFirst()) }
        return files.filter { path in
            let parts = path.split(separator: "/").dropFirst(2)
            // The program of a service says nothing but which service it starts.
            if parts.count > 1, parts.first == "Program" { return false }
            let name = parts.last!.dropLast(".swift".count)
            // Another aspect of a type stands with the type.
            let type = name.prefix { $0 != "+" }
            return !endings.contains { name.hasSuffix($0) }
                && !([name, type] + parts.dropLast()).contains { named.contains(String($0)) }
        }
    }

    // MARK: The judge itself, on made-up files

    @Test("count as naming a file by its name, its type's or its folder's, and nothing else") func judge() {
        let files = ["Badge", "Badge+JSON", "BadgeRow", "Shelf/Board", "Wall/Hook", "Program/Main"].map {
            "Services/badges/\($0).swift"
        }
        let readme = "Read `Badge`, then the room `Shelf`; BadgeRow and `BadgeRows` are no names."
        #expect(
            Self.unnamed(files, in: readme)
                == ["Services/badges/BadgeRow.swift", "Services/badges/Wall/Hook.swift"])
        #expect(Self.unnamed(files, in: readme + " See `Wall/`, `…Row`.").isEmpty)
    }
}
