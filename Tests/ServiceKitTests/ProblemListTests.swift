import Crypto
import Glibc
import HTTPServer
import Primitives
import ServiceKit
import Testing

@Suite struct `The list of problems` {
    @Test func `names every code that a source file makes a problem of`() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        var found = 0
        for folder in ["HTTPServer", "Access", "ServiceKit"].map({ "Shared/\($0)" })
            + ServiceNames.all.map({ "Services/\($0)" })
        {
            for file in swiftFiles("\(root)/\(folder)") {
                for (code, status) in literals(try #require(text(file))) {
                    found += 1
                    let entry = ProblemCode(rawValue: code)?.entry
                    #expect(entry != nil, "\(code) of \(file) is not in ProblemCode; add it there.")
                    #expect(status == nil || entry?.status == status, "\(code) of \(file) has another status.")
                }
            }
        }
        #expect(found > 20)
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

    /// The codes that stand as literals beside a status, or in a refusal of the Access module.
    private func literals(_ text: String) -> [(String, Int?)] {
        var found: [(String, Int?)] = []
        for match in text.matches(of: #/status: (\d+), code: "([a-z0-9-]+)"/#) {
            found.append((String(match.2), Int(match.1)))
        }
        for match in text.matches(of: #/[.]unacceptable\(\s*"([a-z0-9-]+)"/#) { found.append((String(match.1), 422)) }
        return found
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

private enum ServiceNames {
    static let all = ["identity", "sessions", "quota", "analysis", "reporting"]
}
