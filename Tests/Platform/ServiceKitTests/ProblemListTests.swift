import Crypto
import HTTPServer
import Testing
import TestingSupport
import TestingTools

@Suite struct `The list of problems` {
    /// A problem can be made of a code of the list only, so it is enough that nobody writes the document by hand.
    @Test func `is the only place from which a source file can make a problem`() throws {
        let words = ["urn:mirrormate:problem", "application/problem+json"]
        let makers = try Checkout.swiftFiles(in: ["Shared", "Services"]).filter { path in
            let text = try Checkout.text(of: path)
            return words.contains { text.contains("\"\($0)") }
        }
        #expect(
            Set(makers) == [
                "Shared/Engines/HTTPServer/Problem.swift", "Shared/Engines/HTTPServer/Response.swift",
                "Services/mirrormate/Contracts/APIDescription/OpenAPIDocument.swift",
            ])
    }

    @Test(arguments: ProblemCode.allCases)
    func `says of each a status, a title and what to do next`(code: ProblemCode) {
        let entry = code.entry
        #expect((400...599).contains(entry.status))
        #expect(!entry.title.isEmpty && !entry.title.hasSuffix("."))
        #expect(entry.advice.hasSuffix("."))
        #expect(
            code.rawValue.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D || (0x30...0x39).contains($0) })
    }

    @Test(arguments: [
        TokenError.malformed, .unknownKey, .badSignature, .expired, .notYetValid, .wrongIssuer, .wrongAudience,
    ])
    func `has a line for everything that can be wrong with a token`(error: TokenError) {
        #expect(ProblemCode(rawValue: "token-\(error.code)")?.entry.status == 401)
    }
}
