import Contracts

extension Flags {
    static let instances = Flag(
        "--instances", .number(in: 1...8), "copies of each service (default: as before, at first 1)")
    static let doRestart = Flag("--restart", "what dies is started anew (default: as before, at first so)")
    static let noRestart = Flag("--no-restart", "what dies stays dead, as for tests that kill")
    static let switchKafka = Flag(
        "--switch-kafka", "take another kind of Kafka than before; its topics are filled from the logs")
    static let erase = Flag("--erase", "also delete all data, secrets and reports of this stack")
    static let readyFile = Flag("--ready-file", .file, "where to write its process id and address once it is ready")
    static let email = Flag(
        "--email", .email, "the account to sign in with (default: one that this command made and remembers)")
    static let password = Flag(
        "--password", .text("TEXT"), "its password; better in MIRRORMATE_PASSWORD, which other users cannot see")
    static let newUser = Flag("--new-user", "make a new account, for instance because today's session is used up")
    static let resume = Flag("--continue", .session, "go on with this session instead of beginning one")
    static let replace = Flag("--replace", "in the place of a session that is open, which is cancelled")
    static let language = Flag(
        "--language", .languageTag,
        "the language that is spoken, such as en or pt-BR (default: English, the only one whose words are understood)")
    static let scenario = Flag(
        "--scenario", .choice("SCENARIO", noun: "scenario", SpeakingScenario.all.map(\.rawValue)),
        "what it is spoken for: \(SpeakingScenario.all.map(\.rawValue).joined(separator: ", ")) (default: general)")
    static let issuerPort = Flag("--port", .number(in: 1...65_535), preset: 8_099, "the port on 127.0.0.1")
    static let url = Flag("--url", .url, "the server (default: MIRRORMATE_URL, else the local stack)")
}

extension Flags {
    static let trace = Flag(
        "--trace", .text("TEXT"), "only lines with this text, such as the id of a session, a user or a trace")
    static let atLeast = Flag(
        "--level", .choice("LEVEL", noun: "level", LogLine.levels), "only lines of this level and worse ones")
    static let lines = Flag(
        "--lines", .number(in: 1...1_000_000), preset: 200, "at most so many of those that are there")
}

extension Operands {
    static let parts = Operand(
        many: .choice(
            "PART", noun: "part",
            Settings.services + ["gateway", "postgres", "kafka", "media", "pictures", "way-out", "supervisor", "setup"]),
        "a service, gateway, postgres, kafka, media, pictures, way-out, supervisor or setup (default: services and gateway)"
    )
    static let services = Operand(many: .service, "a service (default: all)")
    static let tokens = Operand(.file.named("FILE"), "a JSON object in each line")
    static let video = Operand(optional: .file.named("VIDEO"), "the video file: MP4, MOV or WebM")
    static let openPlace = Operand(
        optional: .choice("PLACE", noun: "place", OpenCommand.places.map(\.name)),
        "page, docs or openapi (default: all)")
    static let session = Operand(.session, "the session's id, or its first digits")
}

extension CommandTable {
    /// A stack on this machine: starting it, stopping it, using it.
    static let local: [CommandEntry] = [
        CommandEntry(
            name: "up", topic: .local, summary: "start whatever of the stack does not run",
            flags: [
                Flags.instances, Flags.doRestart, Flags.noRestart, Flags.switchKafka, Flags.bin, Flags.state,
                Flags.json,
            ],
            exclusive: [[Flags.doRestart, Flags.noRestart]],
            examples: [
                ("mirrormate up", "PostgreSQL, Kafka, services, gateway"),
                ("mirrormate up --instances 2", "two copies of each service"),
            ],
            notes: [
                """
                Kafka: KAFKA_BOOTSTRAP_SERVERS names a running one; else the Apache Kafka in KAFKA_HOME is started; else a
                development broker, which keeps nothing. A stack keeps the kind that it has; another one wants
                --switch-kafka. A part whose program or settings changed is restarted.
                """,
                """
                A supervisor starts anew what dies, with the variables of this command; `mirrormate logs supervisor` shows what it
                did. A part that dies five times within a minute is left alone.
                """,
                """
                With WAY_OUT=true, what services ask outside goes through a proxy (squid), which lets through the hosts that their
                settings name and no others; with https_proxy=URL through that one.
                """,
            ], run: StackCommands.up),
        CommandEntry(
            name: "down", topic: .local, summary: "stop everything that `up` started; data stays",
            flags: [Flags.erase, Flags.yes, Flags.state, Flags.json],
            examples: [
                ("mirrormate down", ""),
                ("mirrormate down --erase", "and delete all data of this stack, once you said so"),
            ],
            run: StackCommands.down),
        CommandEntry(
            name: "status", topic: .local, summary: "what runs, and where",
            flags: [Flags.bin, Flags.state, Flags.json],
            examples: [
                ("mirrormate status", "what runs"),
                ("mirrormate status --json", "data: {troubles, url, kafka, postgres, gateway, services}"),
            ],
            exitCodes: .standard.with(.success, "everything is ready").with(.unavailable, "something is not ready"),
            run: StackCommands.status),
        CommandEntry(
            name: "open", topic: .local, summary: "the addresses of the page and of the API's description",
            operands: [Operands.openPlace], flags: [Flags.state, Flags.json],
            examples: [
                ("mirrormate open", "all of them"),
                ("mirrormate open page", "one alone, as in: xdg-open $(mirrormate open page)"),
            ]
        ) { try await OpenCommand($0, $1).run() },
        CommandEntry(
            name: "logs", topic: .local, summary: "what services and gateway write, as one log",
            operands: [Operands.parts],
            flags: [
                Flags.follow, Flags.trace, Flags.atLeast, Flags.since, Flags.lines, Flags.state, Flags.json,
            ],
            examples: [
                ("mirrormate logs --follow", "all of it, as it comes"),
                ("mirrormate logs quota analysis --since 15m", "two services, the last quarter of an hour"),
                ("mirrormate logs --trace ID", "what has to do with a session, a user or a trace"),
                ("mirrormate logs postgres --level error", ""),
                ("mirrormate logs --json", "a document a line; data: {part, at, level, line}"),
            ],
            notes: ["With --json, `line` is the line as it stands in the file. Times are UTC."]
        ) { try await LogsCommand($0, $1).run() },
        CommandEntry(
            name: "restart", topic: .local, summary: "end services in order and start them anew",
            operands: [Operands.services], flags: [Flags.bin, Flags.state, Flags.json],
            examples: [("mirrormate restart", "all services"), ("mirrormate restart quota", "one of them")],
            notes: ["PostgreSQL, Kafka and the gateway go on."]
        ) { try await RestartCommand($0, $1).run() },
        CommandEntry(
            name: "demo", topic: .local,
            summary: "start everything and watch a video become a report",
            flags: [Flags.instances, Flags.language, Flags.scenario, Flags.bin, Flags.state, Flags.json],
            examples: [
                ("mirrormate demo", "a new user sends the demo video and gets its report"),
                ("mirrormate demo --json", "the report as JSON on standard output, as data"),
            ],
            notes: ["The report is also written to demo/report.json in the stack's folder."]
        ) { try await DemoCommand($0, $1).run() },
        CommandEntry(
            name: "submit", topic: .local, summary: "send a video, follow its analysis, show the report",
            operands: [Operands.video],
            flags: [
                Flags.language, Flags.scenario, Flags.output, Flags.resume, Flags.replace, Flags.email, Flags.password,
                Flags.newUser, Flags.url, Flags.state, Flags.json,
            ],
            exclusive: [[Flags.email, Flags.newUser], [Flags.resume, Flags.replace], [Flags.resume, Flags.newUser]],
            examples: [
                ("mirrormate submit talk.mp4", "send a video, follow it, show the report"),
                ("mirrormate submit talk.mp4 --output report.json", "and write the report as JSON"),
                ("mirrormate submit talk.mp4 --scenario pitch", "judged as a pitch: docs/scoring.md"),
                (
                    "MIRRORMATE_PASSWORD=… mirrormate submit talk.mp4 --email me@example.org",
                    "with an account of your own"
                ),
                ("mirrormate submit --continue SESSION", "after Ctrl-C: follow its analysis, show the report"),
            ],
            notes: ["Ctrl-C cancels a session whose video is not there yet; an analysis goes on by itself."]
        ) { try await SubmitCommand($0, $1).run() },
        CommandEntry(
            name: "sessions cancel", topic: .local, summary: "end a session, as the account that it belongs to",
            operands: [Operands.session],
            flags: [Flags.email, Flags.password, Flags.url, Flags.state, Flags.json],
            examples: [
                ("mirrormate sessions cancel SESSION", "one that `submit` began"),
                (
                    "MIRRORMATE_PASSWORD=… mirrormate sessions cancel SESSION --email me@example.org",
                    "of an account of yours"
                ),
            ],
            notes: ["What a late cancellation costs says docs/plans.md."]
        ) { try await SessionCancelCommand($0, $1).run() },
        CommandEntry(
            name: "issuer", topic: .local,
            summary: "stand in the place of Google and Apple, locally",
            flags: [Flags.issuerPort],
            examples: [
                ("mirrormate issuer", "prints the variables with which `mirrormate up` believes it, and serves")
            ],
            notes: [
                """
                POST {"subject": "1", "email": "ada@example.org"} to http://127.0.0.1:8099/google/sign, or apple/sign: the answer
                is an identity token for somebody invented.
                """,
                """
                Anybody on this machine can be anybody with it: it serves on 127.0.0.1 only, until it is ended, and a server
                whose PUBLIC_URL is of another machine neither starts with its addresses nor is it started beside one.
                """,
            ], run: IssuerCommand.run),
        CommandEntry(
            name: "doctor", topic: .local, summary: "what is wrong, and what to do about it",
            flags: [Flags.wait, Flags.bin, Flags.state, Flags.json],
            examples: [
                ("mirrormate doctor", ""),
                ("mirrormate doctor --wait", "after a start: looks when every service has caught up"),
                ("mirrormate doctor --json", "data: {findings: [{part, code, message, advice}]}"),
            ],
            notes: [
                """
                It looks at secrets, disk, database, migrations, topics, clocks, publishing and consuming, and changes
                nothing. For the stack of docker-compose.yml: docker compose run --rm tools doctor
                """
            ],
            exitCodes: .standard.with(.success, "nothing is wrong").with(.unavailable, "something is wrong")
        ) { try await DoctorCommand($0, $1).run() },
        CommandEntry(
            name: "judge-identity-tokens", topic: .hidden,
            summary: "whether identity tokens are accepted, line by line",
            operands: [Operands.tokens], run: IssuerCommand.judge),
        CommandEntry(
            name: "supervise", topic: .hidden, summary: "start anew what of a stack dies, until SIGTERM",
            flags: [Flags.bin, Flags.state], run: Supervisor.run),
        CommandEntry(
            name: "dev-broker", topic: .hidden, summary: "run the development broker until SIGTERM",
            flags: [Flags.readyFile], run: DevelopmentBroker.run),
    ]
}
