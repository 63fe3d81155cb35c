import Access
import Configuration
import Crypto
import Glibc
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

/// A file of hashes as Have I Been Pwned orders them.
@Loop private struct HashFile {
    let folder = TemporaryFolder()
    var path: String { "\(folder.path)/hashes.txt" }

    init(_ text: String) throws {
        let file = try #require(fopen("\(folder.path)/hashes.txt", "w"))
        fputs(text, file)
        fclose(file)
    }

    /// Of these passwords, each with how often it was seen.
    init(of passwords: [String], end: String = "\r\n") throws {
        let lines = passwords.map { Hex.encode(SHA1.digest(Array($0.utf8))).uppercased() }.sorted()
        try self.init(lines.enumerated().map { "\($1):\($0 * 977 + 1)\(end)" }.joined())
    }

    var list: (passwords: BreachedPasswords?, problems: Bool) {
        let environment = Environment(["BREACHED_PASSWORDS_FILE": path])
        let list = BreachedPasswords(environment)
        do { try environment.finish() } catch { return (list, true) }
        return (list, false)
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `A password of a leak` {
    @Test(arguments: ["\r\n", "\n"]) func `is found among many, wherever it stands`(end: String) async throws {
        for count in [1, 2, 3, 500] {
            let leaked = (0..<count).map { "leaked \($0)" }
            let file = try HashFile(of: leaked, end: end)
            let list = try #require(file.list.passwords)
            for password in leaked { #expect(try await list.contains(password), "\(password) of \(count)") }
            for number in 0..<200 { #expect(try await !list.contains("fresh \(number)")) }
        }
    }

    @Test func `is found without counts, and without an end of the last line`() async throws {
        let hashes = ["a horse", "b horse", "c horse"].map { Hex.encode(SHA1.digest(Array($0.utf8))).uppercased() }
        let file = try HashFile(hashes.sorted().joined(separator: "\n"))
        let list = try #require(file.list.passwords)
        for password in ["a horse", "b horse", "c horse"] { #expect(try await list.contains(password)) }
        #expect(try await !list.contains("d horse"))
    }

    @Test func `is found by the first digits of its hash, where the file has no more`() async throws {
        let leaked = (0..<300).map { "leaked \($0)" }
        let hashes = leaked.map { Hex.encode(SHA1.digest(Array($0.utf8))).uppercased() }.sorted()
        let file = try HashFile(hashes.map { "\($0.prefix(16)):3\n" }.joined())
        let list = try #require(file.list.passwords)
        for password in leaked { #expect(try await list.contains(password)) }
        for number in 0..<200 { #expect(try await !list.contains("fresh \(number)")) }
        let short = try HashFile(hashes.map { "\($0.prefix(15))\n" }.joined())
        #expect(short.list.problems && short.list.passwords == nil)
    }

    @Test(arguments: [
        "", "not a hash\n", String(repeating: "a", count: 40) + ":1\n", String(repeating: "A", count: 100),
        String(repeating: "B", count: 40) + ":1\n" + String(repeating: "A", count: 40) + ":1\n",
    ])
    func `is looked for in a proper file only`(text: String) throws {
        let file = try HashFile(text)
        #expect(file.list.problems && file.list.passwords == nil)
    }

    @Test func `is never taken for good when the file cannot be read any more`() async throws {
        let file = try HashFile(of: (0..<50).map { "leaked \($0)" })
        let list = try #require(file.list.passwords)
        truncate(file.path, 0)
        await #expect(throws: BreachedPasswords.Unreadable.self) { try await list.contains("leaked 1") }
    }

    @Test func `is refused wherever one is chosen`() async throws {
        let file = try HashFile(of: ["correct horse battery", "tr0ub4dor&3"])
        try await withIdentity(["BREACHED_PASSWORDS_FILE": file.path]) { fixture in
            let body: JSONValue = ["email": "anna@example.org", "password": "tr0ub4dor&3"]
            let refused = try await fixture.post("/v1/auth/sign-up", body)
            #expect(refused.status == 422 && code(refused) == "password-too-common")
            #expect(refused.json["detail"]?.stringValue?.contains("leak") == true)
            let anna = try await fixture.signUp("anna@example.org")
            let change: JSONValue = ["currentPassword": "correct horse", "newPassword": "correct horse battery"]
            #expect(
                code(try await fixture.post("/v1/auth/password", change, token: anna.access)) == "password-too-common")
        }
    }

    @Test func `is told at the start when its file is missing`() throws {
        let environment = Environment(["BREACHED_PASSWORDS_FILE": "/nowhere/hashes.txt"])
        #expect(BreachedPasswords(environment) == nil)
        #expect(throws: ConfigurationError.self) { try environment.finish() }
    }
}
