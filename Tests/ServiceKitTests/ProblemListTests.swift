import Crypto
import Glibc
import HTTPServer
import Primitives
import ServiceKit
import Testing

@Suite struct `The list of problems` {
    private let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    @Test func `names every code that the HTTP server, which does not know the list, makes a problem of`() throws {
        var found = 0
        for file in swiftFiles("\(root)/Shared/HTTPServer") {
            for (code, status) in literals(try #require(text(file))) {
                found += 1
                let entry = ProblemCode(rawValue: code)?.entry
                #expect(entry != nil, "\(code) of \(file) is not in ProblemCode; add it there.")
                #expect(entry?.status == status, "\(code) of \(file) has another status.")
            }
        }
        #expect(found > 10)
    }

    @Test func `is the only place from which everybody else takes problems`() throws {
        let folders =
            ["Access", "SigningKeys", "ServiceKit", "Uploads"].map { "Shared/\($0)" }
            + ["identity", "sessions", "quota", "analysis", "reporting"].map { "Services/\($0)" }
        for folder in folders {
            let files = swiftFiles("\(root)/\(folder)")
            #expect(!files.isEmpty)
            for file in files { #expect(literals(try #require(text(file))).isEmpty, "\(file)") }
        }
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

    /// The codes that stand as literals beside a status.
    private func literals(_ text: String) -> [(code: String, status: Int?)] {
        text.matches(of: #/status: (\d+), code: "([a-z0-9-]+)"/#).map { (String($0.2), Int($0.1)) }
    }

    private func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func swiftFiles(_ folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var files: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".swift") { files.append("\(folder)/\(name)") }
        }
        return files.sorted()
    }
}
