import Testing
import TestingSupport
import TestingTools

/// `docs/third-party.md` is the inventory of what others wrote and our images are made of.
@Suite("The inventory of what others wrote") struct InventoryTests {
    @Test("has every package and image that ours are made of, and no Swift package is one of them")
    func complete() throws {
        let dockerfile = try Checkout.text(of: "infra/Dockerfile")
        let used =
            Self.packages(of: dockerfile) + Self.images(of: dockerfile)
            + Self.images(ofCompose: try Checkout.text(of: "docker-compose.yml"))
        #expect(used.count > 30)
        let named = Self.names(in: try Checkout.text(of: "docs/third-party.md"))
        for name in Set(used).subtracting(named).sorted() {
            Issue.record("docs/third-party.md does not name \(name): say what it is for and where it comes from.")
        }
        #expect(try !Checkout.text(of: "Package.swift").contains(".package("))
    }

    @Test("has nothing that is not used any more") func current() throws {
        let sources = try ["infra/Dockerfile", "docker-compose.yml", "infra/fetch-models"].map(Checkout.text(of:))
        let rows = try Checkout.text(of: "docs/third-party.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count > 15)
        for name in rows.flatMap({ Self.names(in: String($0.split(separator: "|")[0])) })
        where !sources.contains(where: { $0.contains(name) }) {
            Issue.record("docs/third-party.md names \(name), which nothing uses: take it out.")
        }
    }

    /// What stands in code.
    private static func names(in text: String) -> Set<String> {
        Set(text.matches(of: #/`([^`\n]+)`/#).map { String($0.1) })
    }

    /// Debian's packages that a Dockerfile installs.
    private static func packages(of dockerfile: String) -> [String] {
        dockerfile.split(separator: "--no-install-recommends").dropFirst().flatMap { rest in
            rest.prefix { $0 != "&" }.split { $0.isWhitespace || $0 == "\\" }.map(String.init)
        }
    }

    /// The images that a Dockerfile begins with or copies from, but its own stages.
    private static func images(of dockerfile: String) -> [String] {
        let words = dockerfile.matches(of: #/(?m)^(?:FROM |COPY --from=)(\S+)(?: AS (\S+))?/#)
        let stages = Set(words.compactMap { $0.2.map(String.init) })
        return words.map { String($0.1) }.filter { !stages.contains($0) }
    }

    /// The images of others that a Compose file starts.
    private static func images(ofCompose file: String) -> [String] {
        file.matches(of: #/(?m)^ +image: (\S+)/#).map { String($0.1) }.filter { !$0.hasPrefix("mirrormate/") }
    }

    // MARK: The reader itself, on made-up files

    @Test("is read from what installs, copies and starts") func reading() {
        let dockerfile = """
            FROM swift:1 AS build
            RUN apt-get install -y --no-install-recommends \\
                    g++ zlib1g-dev \\
                && rm -rf /var/lib
            FROM build AS last
            COPY --from=build /out /out
            COPY --from=other:2 /a /b
            """
        #expect(Self.packages(of: dockerfile) == ["g++", "zlib1g-dev"])
        #expect(Self.images(of: dockerfile) == ["swift:1", "other:2"])
        let compose = """
              image: mirrormate/quota:dev
                image: postgres:1
            """
        #expect(Self.images(ofCompose: compose) == ["postgres:1"])
        #expect(Self.names(in: "| `a`, `b:1` |") == ["a", "b:1"])
    }
}
