import HTTPServer
import Testing
import TestingSupport
import TestingTools

@Suite struct `The lists of problems` {
    private static let sources = Result { try Checkout.swiftFiles(in: ["Shared", "Services"]) }

    @Test func `hold every code that a source file declares, once`() throws {
        let listed = problemLists.flatMap(\.codes).map(\.description)
        #expect(Set(listed).count == listed.count, "A code stands in two lists.")
        var declared: [String] = []
        for path in try Self.sources.get() {
            for match in try Checkout.text(of: path).matches(of: #/= ProblemCode\(\s*"([^"]+)"/#) {
                declared.append(String(match.1))
            }
        }
        #expect(declared.sorted() == listed.sorted(), "A declared code is in no list, or is declared twice.")
    }

    @Test(arguments: problemLists.flatMap(\.codes))
    func `say of each a status, a title and what to do next`(code: ProblemCode) {
        #expect((400...599).contains(code.status))
        #expect(!code.title.isEmpty && !code.title.hasSuffix("."))
        #expect(code.advice.hasSuffix("."))
        #expect(
            code.description.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || $0 == 0x2D || (0x30...0x39).contains($0)
            })
    }

    /// A problem can be made from a declared code only, so it is enough that no code writes the document by hand.
    @Test func `are the only place from which a source file can make a problem`() throws {
        let words = ["urn:mirrormate:problem", "application/problem+json"]
        let makers = try Self.sources.get().filter { path in
            let text = try Checkout.text(of: path)
            return words.contains { text.contains("\"\($0)") }
        }
        #expect(
            Set(makers) == [
                "Shared/Engines/HTTPServer/Problem.swift", "Shared/Engines/HTTPServer/Response.swift",
                "Services/mirrormate/Contracts/APIDescription/OpenAPIDocument.swift",
            ])
    }
}
