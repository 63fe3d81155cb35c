import ContractChecking
import HTTPServer
import Testing
import TestingSupport

@Suite struct `The lists of problems` {
    private static let sources = ["Shared", "Services"].flatMap { folder in
        FolderFiles.paths(in: "\(Checkout.root)/\(folder)").filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
    }

    private static func text(_ path: String) -> String {
        String(decoding: FolderFiles.read("\(Checkout.root)/\(path)"), as: UTF8.self)
    }

    @Test func `hold every code that a source file declares, once`() {
        let listed = problemLists.flatMap(\.codes).map(\.description)
        #expect(Set(listed).count == listed.count, "A code stands in two lists.")
        var declared: [String] = []
        for path in Self.sources {
            for match in Self.text(path).matches(of: #/= ProblemCode\(\s*"([^"]+)"/#) {
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

    /// A problem can be made of a declared code only, so it is enough that nobody writes the document by hand.
    @Test func `are the only place from which a source file can make a problem`() {
        let words = ["urn:mirrormate:problem", "application/problem+json"]
        let makers = Self.sources.filter { path in
            let text = Self.text(path)
            return words.contains { text.contains("\"\($0)") }
        }
        #expect(
            Set(makers) == [
                "Shared/Engines/HTTPServer/Problem.swift", "Shared/Engines/HTTPServer/Response.swift",
                "Services/mirrormate/Contracts/APIDescription/OpenAPIDocument.swift",
            ])
    }
}
