extension Flags {
    static let units = Flag("--units", .number(in: 1...1_000), preset: 1, "how many units, 1 to 1000")
    static let kind = Flag("--kind", .text("KIND"), "which kind of session (default: mirrormate)")
    static let identity = Flag("--identity", .url, "the admin port of identity (default: the local stack's)")
    static let quota = Flag("--quota", .url, "the admin port of quota (default: the local stack's)")
    static let keyFile = Flag("--key-file", .file, "the file of OPERATOR_KEY (default: the local stack's)")
    static let revoke = Flag("--revoke", "also refuse whatever earlier keys signed, so that everybody has to refresh")

    /// What every command takes that speaks to the services' admin ports.
    static let operatorServices: [any CommandFlag] = [
        Flags.identity, Flags.quota, Flags.keyFile, Flags.state, Flags.json,
    ]
}

extension Operands {
    static let account = Operand(.email, "the account's mail address")
    static let plan = Operand(.text("PLAN", .words(["free", "premium"])), "the plan's name, such as free or premium")
}

extension CommandTable {
    /// What operators decide.
    static let operators: [CommandEntry] = [
        CommandEntry(
            name: "quota show", topic: .operators, summary: "what an account may still do",
            operands: [Operands.account],
            flags: [Flags.kind] + Flags.operatorServices, examples: [("mirrormate quota show ada@example.org", "")],
            run: AllowanceCommands.show),
        CommandEntry(
            name: "quota grant", topic: .operators, summary: "give units beyond the plan, kept until they are used",
            operands: [Operands.account], flags: [Flags.units, Flags.kind] + Flags.operatorServices,
            examples: [("mirrormate quota grant ada@example.org --units 3", "")],
            notes: ["A grant is an event in quota's log, as everything that quota decides."],
            run: AllowanceCommands.grant),
        CommandEntry(
            name: "plan set", topic: .operators, summary: "put another plan in force for an account",
            operands: [Operands.account, Operands.plan], flags: Flags.operatorServices,
            examples: [("mirrormate plan set ada@example.org premium", "")],
            notes: ["A change of plan is an event in quota's log, as everything that quota decides."], isDefault: true,
            run: AllowanceCommands.setPlan),
        CommandEntry(
            name: "plan list", topic: .operators, summary: "what each plan allows, since when and from where",
            flags: Flags.operatorServices, examples: [("mirrormate plan list", "")]
        ) { try await PlanListCommand($0, $1).run() },
        CommandEntry(
            name: "keys rotate", topic: .operators,
            summary: "a new key for signing access tokens",
            flags: [Flags.revoke, Flags.bin, Flags.state, Flags.json],
            examples: [
                ("mirrormate keys rotate", "a new key now; tokens of the old one stay valid"),
                ("mirrormate keys rotate --revoke", "after a theft: whatever earlier keys signed is refused"),
            ]
        ) { try await KeysCommand($0, $1).rotate() },
    ]
}
