import FoundationEssentials
import Testing
import TestingSupport
import TestingTools

/// Whoever follows a document to a file finds one.
@Suite("The files that documents name") struct NamedPlacesTests {
    private static let folders = ["Services", "Shared", "Tests", "infra", "docs", "Benchmarks", "Examples"]

    @Test("are there, and so is what they link to") func thisCheckout() throws {
        let paths: [String] = try Self.folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: "\(Checkout.root)/\(folder)").map { "\(folder)/\($0)" }
        }.filter { !$0.contains("/.") }
        let known = Self.known(paths)
        // What has changed names files that are gone since.
        let documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] + paths.filter { $0.hasSuffix(".md") }
        #expect(documents.count > 40)
        var named = 0
        for document in documents {
            let text = try Checkout.text(of: document)
            let places = Self.places(in: text)
            named += places.count
            for place in places where !known.contains(place) {
                Issue.record("\(document) names \(place), and no path ends so: name the file that it has become.")
            }
            let folder = document.split(separator: "/").dropLast().joined(separator: "/")
            for link in Self.links(in: text)
            where !FileManager.default.fileExists(atPath: "\(Checkout.root)/\(folder)/\(link)") {
                Issue.record("\(document) links to \(link), which is not there.")
            }
        }
        #expect(named > 300)
    }

    /// All names of paths: whole ones, and what remains when folders are left out at the beginning.
    private static func known(_ paths: [String]) -> Set<String> {
        Set(
            paths.flatMap { path in
                let parts = path.split(separator: "/")
                return parts.indices.map { parts[$0...].joined(separator: "/") }
            } + folders)
    }

    /// Sources by their endings, and paths from the root; what has a placeholder is none.
    private static func places(in text: String) -> Set<String> {
        let endings = [".swift", ".sql", ".cpp", ".hpp", ".py", ".js", ".template"]
        return Set(
            text.matches(of: #/`([A-Za-z0-9_.+/-]+)`/#).map { String($0.1) }.filter { span in
                let parts = span.split(separator: "/")
                let isPlace =
                    (endings.contains(where: span.hasSuffix) && !span.hasPrefix("."))
                    || (parts.count > 1 && folders.contains(String(parts[0])))
                return isPlace && !parts.contains { $0.allSatisfy { $0.isUppercase } }
            }.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
    }

    /// The files, from the document's folder, to which links lead that stay in the tree.
    private static func links(in text: String) -> Set<String> {
        Set(
            text.matches(of: #/\]\(([^)\s#]+)(?:#[^)]*)?\)/#).map { String($0.1) }
                .filter { !$0.contains(":") && !$0.hasPrefix("/") })
    }

    // MARK: The judge itself, on made-up words

    @Test("are known from code in which nothing stands for something else") func judge() {
        let text = """
            See `Services/badges/Badge.swift`, `Schema/badges.sql`, `Tests/system`, `infra/way-out/`, and Badge.swift; not
            `Services/<name>/Badge.swift`, `…Routes.swift`, `Releases/N/rows.sql`, `make t`, `.sql`, `badge.json`, `Badge`.
            """
        #expect(
            Self.places(in: text)
                == ["Services/badges/Badge.swift", "Schema/badges.sql", "Tests/system", "infra/way-out"])
        #expect(
            Self.known(["Services/badges/Badge.swift"]).isSuperset(of: ["Badge.swift", "badges/Badge.swift", "docs"]))
        #expect(!Self.known(["Services/badges/Badge.swift"]).contains("adge.swift"))
        #expect(
            Self.links(in: "[a](docs/a.md#b), ![c](c.png), [d](#d), [e](https://example.org/e), [f](/f)")
                == ["docs/a.md", "c.png"])
    }
}
