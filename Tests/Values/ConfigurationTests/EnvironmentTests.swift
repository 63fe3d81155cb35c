import Glibc
import Testing

@testable import Configuration

@Suite("The environment")
struct EnvironmentTests {
    private enum Mode: String, CaseIterable { case fast, safe }

    @Test("Settings are parsed as their types, or use their defaults")
    func values() throws {
        let environment = Environment([
            "NAME": "a", "COUNT": "7", "WAIT": "15m", "ON": "true", "RATE": "0.5", "MODE": "safe", "PORT": "8080",
            "EMPTY": "",
        ])
        #expect(environment.string("NAME") == "a")
        #expect(environment.string("EMPTY", default: "x") == "x")
        #expect(environment.int("COUNT", in: 1...9) == 7)
        #expect(environment.int("OTHER", default: 3) == 3)
        #expect(environment.duration("WAIT") == .seconds(900))
        #expect(environment.bool("ON"))
        #expect(environment.double("RATE") == 0.5)
        #expect(environment.choice("MODE", default: Mode.fast) == .safe)
        #expect(environment.port("PORT") == 8_080)
        #expect(environment.optional("EMPTY") == nil)
        try environment.finish()
    }

    @Test("Every problem is listed, with what to do")
    func problems() {
        let environment = Environment(["COUNT": "x", "WAIT": "15", "ON": "yes", "MODE": "slow", "PORT": "65536"])
        _ = environment.string("NAME")
        _ = environment.int("COUNT")
        _ = environment.duration("WAIT")
        _ = environment.bool("ON")
        _ = environment.choice("MODE", default: Mode.fast)
        _ = environment.port("PORT")
        _ = environment.secret("KEY")
        environment.refuse("A", "and B contradict each other; unset one of them.")
        #expect(
            throws: ConfigurationError(problems: [
                "NAME is missing; set it.", "COUNT must be a whole number of at least 0.",
                "WAIT must be a span of time such as 250ms, 2s or 15m.", "ON must be true or false.",
                "MODE must be one of fast, safe.", "PORT must be a whole number from 0 to 65535.",
                "KEY is missing; set it, or name a file that holds it in KEY_FILE.",
                "A and B contradict each other; unset one of them.",
            ])
        ) { try environment.finish() }
    }

    @Test(
        "Placeholders and short secrets are refused without being shown",
        arguments: [
            "change-me", "secret", "password", "Change-Me-Change-Me", "secretsecretsecret", "my-password-2026",
            "0123456789abcde",
            "replace-me-please-now",
        ])
    func weakSecrets(_ text: String) {
        let environment = Environment(["KEY": text])
        #expect(environment.secret("KEY").reveal() == "")
        do {
            try environment.finish()
            Issue.record("A weak secret was accepted.")
        } catch {
            #expect(error.problems.count == 1)
            #expect(!error.description.contains(text) || text == "secret" || text == "password")
        }
    }

    @Test("A secret comes from its variable or its file, not from both, and stays hidden")
    func secrets() throws {
        var template = Array("/tmp/mirrormate-secret-XXXXXX\0".utf8CString.dropLast())
        let descriptor = mkstemp(&template)
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { unlink(path) }
        let value = "k7Jq2vXw9LmN4pRs8TzB"
        #expect(write(descriptor, value + "\n", value.utf8.count + 1) == value.utf8.count + 1)
        close(descriptor)

        let fromFile = Environment(["KEY_FILE": path])
        let secret = fromFile.secret("KEY")
        #expect(secret.reveal() == value)
        try fromFile.finish()
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped, "\([secret])"] { #expect(!text.contains(value)) }

        let both = Environment(["KEY": value, "KEY_FILE": path])
        _ = both.secret("KEY")
        #expect(throws: ConfigurationError.self) { try both.finish() }
        let missing = Environment(["KEY_FILE": path + ".none"])
        _ = missing.secret("KEY")
        #expect(throws: ConfigurationError.self) { try missing.finish() }
        let none = Environment([:])
        #expect(none.optionalSecret("KEY") == nil)
        try none.finish()
    }
}
