import Crypto
import Testing

struct PasswordHashTests {
    /// From the test file of the Argon2 reference implementation: 256 KiB, two passes, one lane.
    @Test func `the published Argon2id hash is of the published password`() throws {
        let text = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
        let hash = try PasswordHash(encoded: text)
        #expect(try hash.matches(password: "password"))
        #expect(try !hash.matches(password: "Password"))
        #expect(hash.encoded == text)
        #expect(hash.needsRehash)
    }

    @Test func `a new hash is salted, has the current cost, and comes back from its text`() throws {
        let hash = try PasswordHash.make(password: "correct horse 🐎 battery")
        #expect(hash.encoded.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(!hash.needsRehash)
        let stored = try PasswordHash(encoded: hash.encoded)
        #expect(stored == hash)
        #expect(try stored.matches(password: "correct horse 🐎 battery"))
        #expect(try !stored.matches(password: "correct horse 🐎 batter"))
        #expect(try PasswordHash.make(password: "correct horse 🐎 battery") != hash)
    }

    @Test func `a password is not cut, whatever its length, and may contain a zero`() throws {
        let cheap = PasswordHash.Parameters(memory: 64, passes: 1, lanes: 1)
        let long = String(repeating: "a", count: 500)
        let hash = try PasswordHash.make(password: long + "\0x", parameters: cheap)
        #expect(try hash.matches(password: long + "\0x"))
        #expect(try !hash.matches(password: long + "\0y"))
        #expect(try !hash.matches(password: long))
        #expect(hash.needsRehash)
    }

    @Test func `the decoy costs what a real hash costs and no password matches it`() throws {
        #expect(PasswordHash.decoy.parameters == .current)
        #expect(!PasswordHash.decoy.needsRehash)
        #expect(try !PasswordHash.decoy.matches(password: ""))
        #expect(try PasswordHash(encoded: PasswordHash.decoy.encoded) == .decoy)
    }

    @Test(arguments: [
        "", "password", "$2b$12$abcdefghijklmnopqrstuv",
        "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=16$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=4000,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=2,p=0$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=2,p=1$c29t$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65",
        "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ=$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4$",
    ])
    func `a stored text of another kind is refused`(text: String) {
        #expect(throws: CryptoError.malformedHash) { try PasswordHash(encoded: text) }
    }
}
