import Testing

@testable import mirrormate

@Suite("Arguments of a command") struct ArgumentsTests {
    private func parse(_ words: String...) throws -> Arguments {
        try Arguments(words, flags: ["--json"], values: ["--state", "--instances"])
    }

    @Test("sort into flags, values and operands, in any order")
    func sorting() throws {
        let arguments = try parse("a.mp4", "--state", "x", "--json", "--instances=3")
        #expect(arguments.operands == ["a.mp4"])
        #expect(arguments.flags == ["--json"])
        #expect(arguments.values == ["--state": "x", "--instances": "3"])
        #expect(try arguments.number("--instances", in: 1...8) == 3)
    }

    @Test("after two dashes are operands whatever they look like")
    func afterDashes() throws {
        let arguments = try parse("--", "--json")
        #expect(arguments.flags.isEmpty)
        #expect(try arguments.operand("file") == "--json")
    }

    @Test(
        "that are wrong are usage failures that help",
        arguments: [
            (["--stat", "x"], "Did you mean --state?"), (["--state"], "--state needs a value."),
            (["--zzzzzzzz"], "no option"),
            (["--json=1"], "no option"),
        ])
    func wrong(words: [String], message: String) {
        let failure = #expect(throws: Failure.self) { try Arguments(words, flags: ["--json"], values: ["--state"]) }
        #expect(failure?.exit == .usage)
        #expect(failure?.message.contains(message) == true)
    }

    @Test("with numbers outside their bounds are refused", arguments: ["0", "9", "two", "", "-1"])
    func bounds(text: String) throws {
        let arguments = try parse("--instances=\(text)")
        #expect(throws: Failure.self) { try arguments.number("--instances", in: 1...8) }
    }

    @Test("are missing or too many operands")
    func operandCount() throws {
        #expect(throws: Failure.self) { try parse().operand("file") }
        #expect(throws: Failure.self) { try parse("a", "b").operand("file") }
        #expect(throws: Failure.self) { try parse("a").noOperands() }
    }
}
