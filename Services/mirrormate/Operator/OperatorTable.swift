extension Flags {
    static let units = Flag("--units", .number(in: 1...1_000), preset: 1, "how many units, 1 to 1000")
    static let kind = Flag("--kind", .text("KIND"), "which kind of session (default: mirrormate)")
    static let identity = Flag("--identity", .url, "the admin port of identity (default: the stack's)")
    static let quota = Flag("--quota", .url, "the admin port of quota (default: the stack's)")
    static let analysis = Flag("--analysis", .url, "the admin port of analysis (default: the stack's)")
    static let reporting = Flag("--reporting", .url, "the admin port of reporting (default: the stack's)")
    static let keyFile = Flag("--key-file", .file, "the file of the operators' key (default: the stack's)")
    static let revoke = Flag("--revoke", "also refuse what earlier keys made, as after a theft")
    static let outcome = Flag(
        "--outcome",
        .choice("OUTCOME", noun: "outcome", ["waiting", "ignored", "unreadable", "applied", "stale"]),
        "only what became this: waiting, ignored, unreadable, applied or stale")
    static let opaque = Flag("--opaque", "in the newer form, sb_publishable_… and sb_secret_…")

    /// What commands take that speak to the admin ports of the services that ask providers.
    static let askingServices: [any CommandFlag] = [
        Flags.analysis, Flags.reporting, Flags.keyFile, Flags.state, Flags.json,
    ]

    /// What every other command takes that speaks to the services' admin ports.
    static let operatorServices: [any CommandFlag] = [
        Flags.identity, Flags.quota, Flags.keyFile, Flags.state, Flags.json,
    ]
}

extension Operands {
    static let account = Operand(.account, "the account's mail address, or its id")
    static let device = Operand(.text("DEVICE"), "the device's id, as users devices and the device itself say it")
    static let secret = Operand(
        .choice(
            "SECRET", noun: "secret",
            [
                "refresh-tokens", "mailed-codes", "known-devices", "sign-in-tickets", "sign-in-nonces",
                "erasure-receipts", "blind-hashes",
            ]),
        "what the keys make: refresh-tokens, mailed-codes, known-devices, sign-in-tickets, sign-in-nonces, erasure-receipts or blind-hashes"
    )
    static let apiKey = Operand(.text("KEY"), "the key's id, as keys api and keys make say it, or its first digits")
    static let level = Operand(
        .choice("LEVEL", noun: "level", ["debug", "info", "notice", "warning", "error"]),
        "debug, info, notice, warning or error: that and what is worse")
    static let oneService = Operand(optional: .service, "only this service (default: all)")
    static let provider = Operand(.text("NAME"), "the provider's name in PROVIDERS_FILE")
    static let notice = Operand(
        optional: .text("NOTICE"), "the notification's name, such as stripe/evt_1 (default: all that are kept)")
    static let plan = Operand(.text("PLAN", .words(["free", "premium"])), "the plan's name, such as free or premium")
}

extension CommandTable {
    /// What operators decide.
    static let operators: [CommandEntry] = [
        CommandEntry(
            name: "bucket", topic: .operators,
            summary: "the S3 bucket, with the rights that services declare",
            flags: [Flags.json], examples: [("mirrormate bucket", "with OBJECT_STORE and S3_… of the bucket's owner")],
            notes: [
                """
                For an S3 server that has a user of each service's name, such as that of docker-compose.yml. Whatever others
                could do before is withdrawn.
                """
            ], run: BucketCommand.run),
        CommandEntry(
            name: "users find", topic: .operators, summary: "the id of an account, for commands that take one",
            operands: [Operands.account], flags: Flags.operatorServices,
            examples: [("mirrormate users find ada@example.org", "")], run: UserCommand.find),
        CommandEntry(
            name: "users remove-factor", topic: .operators,
            summary: "for an owner who lost app and recovery codes",
            operands: [Operands.account], flags: [Flags.yes] + Flags.operatorServices,
            examples: [("mirrormate users remove-factor ada@example.org", "")],
            notes: [
                "Be sure who asks: the password alone lets in from then on. The owner is told by mail."
            ],
            run: UserCommand.removeSecondFactor),
        CommandEntry(
            name: "users sign-out", topic: .operators, summary: "end all login sessions of an account",
            operands: [Operands.account], flags: Flags.operatorServices,
            examples: [("mirrormate users sign-out ada@example.org", "")],
            notes: ["Who knows the password can sign in again: see that its owner chooses another one."],
            run: UserCommand.signOut),
        CommandEntry(
            name: "users devices", topic: .operators,
            summary: "the anonymous devices whose practice came to an account",
            operands: [Operands.account], flags: Flags.operatorServices,
            examples: [("mirrormate users devices ada@example.org", "")], run: UserCommand.devices),
        CommandEntry(
            name: "users revoke-device", topic: .operators,
            summary: "end the secret of an anonymous device that is lost",
            operands: [Operands.device], flags: [Flags.yes] + Flags.operatorServices,
            examples: [("mirrormate users revoke-device 019a9c60-0000-7000-8000-000000000001", "")],
            notes: [
                "Nothing gives the device its secret back: what is on it alone, and in no account, nobody opens again."
            ],
            run: UserCommand.revokeDevice),
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
            name: "purchases list", topic: .operators, summary: "what shops told last, and what became of it",
            flags: [Flags.outcome] + Flags.operatorServices,
            examples: [
                ("mirrormate purchases", "the newest 200"),
                ("mirrormate purchases list --outcome waiting", "for which no account is known yet"),
            ], isDefault: true
        ) { try await PurchaseCommands($0, $1).list() },
        CommandEntry(
            name: "purchases show", topic: .operators, summary: "what an account has bought, and what it gives",
            operands: [Operands.account], flags: Flags.operatorServices,
            examples: [("mirrormate purchases show ada@example.org", "")]
        ) { try await PurchaseCommands($0, $1).show() },
        CommandEntry(
            name: "purchases replay", topic: .operators, summary: "apply again what shops told and is kept",
            operands: [Operands.notice], flags: Flags.operatorServices,
            examples: [
                ("mirrormate purchases replay", "under other prices or another grace than before"),
                ("mirrormate purchases replay stripe/evt_1", "one notification"),
            ],
            notes: ["Nothing is decided twice, so it can be repeated."]
        ) { try await PurchaseCommands($0, $1).replay() },
        CommandEntry(
            name: "providers list", topic: .operators,
            summary: "engines outside: circuit, calls, cost, last failure",
            flags: Flags.askingServices, examples: [("mirrormate providers", "")],
            notes: ["Each instance of analysis and of reporting says what it has seen since it began."], isDefault: true
        ) { try await ProviderCommands($0, $1).list() },
        CommandEntry(
            name: "providers try", topic: .operators,
            summary: "send a provider one small call, with nothing of anybody",
            operands: [Operands.provider], flags: Flags.askingServices,
            examples: [("mirrormate providers try openai", "")],
            notes: [
                "A second of silence is sent, a small question, a gray square, or two words; no voice is made. It may cost as much as any other call so small."
            ]
        ) { try await ProviderCommands($0, $1).attempt() },
        CommandEntry(
            name: "log-level", topic: .operators, summary: "how much running services write into their logs",
            operands: [Operands.level, Operands.oneService], flags: [Flags.state, Flags.json],
            examples: [
                ("mirrormate log-level debug", "every service, until its next start"),
                ("mirrormate log-level info quota", "one service"),
            ],
            notes: ["At each start LOG_LEVEL applies again."]
        ) { try await LogLevelCommand($0, $1).run() },
        CommandEntry(
            name: "keys make", topic: .operators,
            summary: "API keys for clients of the compatible surface",
            flags: [Flags.opaque, Flags.bin, Flags.state, Flags.json],
            examples: [
                ("mirrormate keys", "an anon key and a service key"),
                ("mirrormate keys make --opaque --json", "for programs, in the newer form"),
            ],
            notes: [
                """
                The anon key stands in every copy of an app and opens what anybody may do. Whoever has the service key may read
                and erase every user: it belongs on your own server alone.
                """,
                "Earlier keys count on, so that clients can be moved; keys revoke ends one.",
            ], isDefault: true
        ) { try await APIKeysCommand($0, $1).make() },
        CommandEntry(
            name: "keys api", topic: .operators, summary: "which API keys there are, never their texts",
            flags: [Flags.bin, Flags.state, Flags.json], examples: [("mirrormate keys api", "")]
        ) { try await APIKeysCommand($0, $1).list() },
        CommandEntry(
            name: "keys revoke", topic: .operators, summary: "end an API key, in every service within a second",
            operands: [Operands.apiKey], flags: [Flags.yes, Flags.bin, Flags.state, Flags.json],
            examples: [("mirrormate keys revoke 019a9c60-0000-7000-8000-000000000001", "")],
            notes: ["Nothing gives it back; make another one first, and move the clients."]
        ) { try await APIKeysCommand($0, $1).revoke() },
        CommandEntry(
            looking: "keys list", .operators, "the keys that sign access tokens, and which one does now",
            flags: [Flags.state, Flags.json], examples: [("mirrormate keys list", "never what is secret of them")]
        ) { try await KeyListCommand($0, $1, $2).run() },
        CommandEntry(
            name: "keys rotate", topic: .operators,
            summary: "a new key for signing access tokens",
            flags: [Flags.revoke, Flags.yes, Flags.bin, Flags.state, Flags.json],
            examples: [
                ("mirrormate keys rotate", "a new key now; tokens of the old one stay valid"),
                ("mirrormate keys rotate --revoke", "after a theft: whatever earlier keys signed is refused"),
            ]
        ) { try await KeysCommand($0, $1).rotate() },
        CommandEntry(
            name: "keys change", topic: .operators,
            summary: "another key for refresh tokens, mailed codes or others",
            operands: [Operands.secret], flags: [Flags.revoke, Flags.yes, Flags.bin, Flags.state, Flags.json],
            examples: [
                ("mirrormate keys change refresh-tokens", "nobody notices"),
                ("mirrormate keys change refresh-tokens --revoke", "after a theft: everybody signs in again"),
            ],
            notes: ["A restore of an older backup brings earlier keys back: repeat what was revoked since."]
        ) { try await KeysCommand($0, $1).change() },
        CommandEntry(
            name: "keys reseal", topic: .operators,
            summary: "seals secrets with the first of identity's keys",
            flags: [Flags.bin, Flags.state, Flags.json],
            examples: [("mirrormate keys reseal", "after another line was put first in key-encryption-key")],
            notes: ["Running instances do so by themselves; this says when the other keys can be taken away."]
        ) { try await KeysCommand($0, $1).reseal() },
    ]
}
