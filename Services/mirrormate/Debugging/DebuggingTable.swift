import Contracts
import Primitives

extension Flags {
    static let states = Flag("--states", "with the state of each stream after each step")
    static let follow = Flag("--follow", "go on and show what is added, until Ctrl-C")
    static let stream = Flag("--stream", .text("STREAM"), "of this stream only")
    static let type = Flag("--type", .text("TYPE"), "of this type only, without its version")
    static let since = Flag("--since", .moment, "from this time on: 2026-11-21T17:00:00Z, or how long ago: 15m, 2h")
    static let limit = Flag("--limit", .number(in: 1...1_000_000), preset: 50, "at most so many")
    static let version = Flag("--version", .count("VERSION"), "as it was at this version of the aggregate")
    static let position = Flag("--position", .count("POSITION"), "as it was at this position of the log")
    static let at = Flag("--at", .moment, "as it was at this time: 2026-11-21T17:00:00Z, or how long ago: 15m, 2h")
    static let to = Flag("--to", .point, "end there: at a position, a version or a time")
    static let field = Flag("--field", .text("FIELD"), "only what has to do with this field")
    static let step = Flag("--step", "one decision after another, with the state after each")
    static let until = Flag("--until", .text("EVENT"), "end there: at an event's id, SERVICE/POSITION or type")
    static let caseFile = Flag("--file", .file, "a case that `mirrormate capture` wrote; needs no stack")
    static let withContent = Flag(
        "--with-content",
        "also the profiles and reports that belong to it: PERSONAL CONTENT, only where a replay without it does not tell enough"
    )
    static let watch = Flag("--watch", "again every two seconds, until Ctrl-C")
    static let history = Flag(
        "--history",
        "when services did not run within the last day, how they had ended, what was restored or rebuilt, and who published"
    )
    static let late = Flag(
        "--late", .number("SECONDS", in: 0...86_400), preset: 30, "from when on being late is a fault")
    static let sample = Flag("--sample", .number(in: 1...1_000_000), preset: 1, "only one key in so many")
    static let repair = Flag("--repair", .text("KEY"), "put this row right from its events")
    static let status = Flag(
        "--status",
        .choice(
            "STATUS", noun: "state",
            ["queued", "awaitingUpload", "processing", "complete", "error", "cancelled", "expired", "refused"]),
        "only those with this status")
    static let compare = Flag("--compare", "compare the rebuilt table with the live one, row by row")
    static let switchOver = Flag(
        "--switch",
        "put the rebuilt table in the live one's place, in one step; with --compare only when nothing differs")
    static let differing = Flag(
        "--accept-differences",
        "switch although the tables differ, because the live one is wrong; with --compare --switch")
    static let rollback = Flag("--rollback", "make the table before live again")
    static let dropOld = Flag("--drop-old", "remove all its tables but the live one")
    static let liveBin = Flag(
        "--live-bin", .folder,
        "the executables of the build that made the live rows: the first event at which the two part is then found by running both folds"
    )
    static let cost = Flag(
        "--cost", .number("PERCENT", in: 1...100), preset: 5,
        "how much of the service's appends it may cost; with 100 it never rests")
}

extension Operands {
    static let subject = Operand(
        .subject(), "a session, a user or an event: its id or the first digits, or a mail address")
    static let optionalSubject = Operand(
        optional: .subject(), "a session, a user or an event: its id or the first digits, or a mail address")
    static let optionalOwner = Operand(
        optional: .subject("USER"), "their owner: an id or a mail address (default: everybody's)")
    static let service = Operand(.service, "the service")
    static let place = Operand(
        .place(), "an aggregate, as SERVICE/STREAM, or with a key a read model, as SERVICE/READMODEL")
    static let explained = Operand(
        .place(besides: ["quota", "streak", "progress", "goal", "webhooks"]),
        "an aggregate, as SERVICE/STREAM, or with a key a read model, as SERVICE/READMODEL; or the word quota, streak, progress, goal or webhooks"
    )
    static let key = Operand(optional: .text("KEY"), "the key of the row")
    static let keyOrOwner = Operand(
        optional: .text("KEY"),
        "the key of the row; behind quota, streak, progress and webhooks the owner's id or mail address, behind goal its id"
    )
    static let measure = Operand(optional: .text("MEASURE"), "behind progress: the measure, such as confidenceScore")
    static let readModel = Operand(.readModel, "the read model, as SERVICE/READMODEL")
    static let readModels = Operand(many: .readModel, "the read models, as SERVICE/READMODEL (default: all)")
    static let relayPosition = Operand(
        .count("POSITION"), "the position before the first message that is missing; 0 is the start")
    static let parkedMessage = Operand(.parkedMessage, "the message, as SERVICE/NUMBER")
}

extension CommandTable {
    private static let common: [any CommandFlag] = [Flags.state, Flags.json]
    private static let parkedCodes = ExitCodes.looking.with(
        .failure, "something is parked, or the message is not, or is not the first of its key")

    /// What happened.
    static let history: [CommandEntry] = [
        CommandEntry(
            looking: "sessions list", .history, "which sessions there are, the newest first",
            operands: [Operands.optionalOwner], flags: [Flags.status, Flags.since, Flags.limit] + common,
            examples: [
                ("mirrormate sessions list", "the last 50"),
                ("mirrormate sessions list --status error --since 2h", "those that failed in the last two hours"),
                ("mirrormate sessions list ada@example.org", "one user's"),
            ],
            isDefault: true
        ) { try await SessionListCommand($0, $1, $2).run() },
        CommandEntry(
            looking: "sessions show", .history, "one session, as it is now", operands: [Operands.subject],
            flags: common,
            examples: [("mirrormate sessions show ID", "the first digits of the id are enough")],
            exitCodes: .looking.with(.failure, "there is no such session")
        ) { try await SessionShowCommand($0, $1, $2).run() },
        CommandEntry(
            looking: "timeline", .history,
            "all that happened to a session, a user, an event's case",
            operands: [Operands.subject], flags: [Flags.states, Flags.data, Flags.follow] + common,
            examples: [
                ("mirrormate timeline ID", "across services, causes before effects; the first digits are enough"),
                ("mirrormate timeline ID --states", "with the state of each stream after each step"),
                ("mirrormate timeline ID --follow", "and what is added, until Ctrl-C"),
            ],
            exitCodes: .looking.with(.failure, "a link is missing")
        ) { try await TimelineCommand($0, $1, $2).run() },
        CommandEntry(
            looking: "events", .history, "the log of a service", operands: [Operands.service],
            flags: [Flags.stream, Flags.type, Flags.from, Flags.since, Flags.limit, Flags.data] + common,
            exclusive: [[Flags.from, Flags.since]],
            examples: [
                ("mirrormate events sessions", "the last 50 events"),
                ("mirrormate events sessions --type ServiceStarted --since 2h", "of one type, of the last two hours"),
                ("mirrormate events quota --stream allowance-ID --data", "of one stream, with data"),
            ]
        ) { try await EventsCommand($0, $1, $2).run() },
        CommandEntry(
            looking: "state", .history, "an aggregate or a row of a read model, as it is or was",
            operands: [Operands.place, Operands.key], flags: [Flags.version, Flags.position, Flags.at] + common,
            examples: [
                ("mirrormate state sessions/session-ID", "an aggregate, folded from its stream"),
                ("mirrormate state sessions/session-ID --version 3", "as it was at a version"),
                ("mirrormate state sessions/session_list ID --at 15m", "a row of a read model, as it was then"),
            ],
            exitCodes: .looking.with(.failure, "it does not exist there and then")
        ) { try await StateCommand($0, $1, $2).run() },
        CommandEntry(
            looking: "diff", .history, "what changed between two moments, field by field",
            operands: [Operands.place, Operands.key], flags: [Flags.from, Flags.to] + common,
            examples: [
                ("mirrormate diff sessions/session_list ID --from 15m --to 5m", "between two moments"),
                ("mirrormate diff sessions/session-ID --from 2 --to 5", "between two versions"),
            ],
            exitCodes: .looking.with(.failure, "something changed")
        ) { try await DiffCommand($0, $1, $2).diff() },
        CommandEntry(
            looking: "explain", .history, "the events behind a row, a quota, a streak, a trend",
            operands: [Operands.explained, Operands.keyOrOwner, Operands.measure], flags: [Flags.field] + common,
            examples: [
                ("mirrormate explain sessions/session_list ID", "the events behind a row"),
                ("mirrormate explain sessions/session_list ID --field status", "and behind one field of it"),
                ("mirrormate explain quota ada@example.org", "an owner's quota decisions in words"),
                ("mirrormate explain streak OWNER", "the sessions and rules behind each day of an owner's streaks"),
                ("mirrormate explain progress OWNER confidenceScore", "the reports and the rule behind a trend"),
                ("mirrormate explain goal ID", "the reports that count towards a goal, and the rule that ended it"),
                ("mirrormate explain webhooks OWNER", "where an owner is told something, and what came of it"),
            ],
            exitCodes: .looking.with(.failure, "no event has to do with it")
        ) { try await DiffCommand($0, $1, $2).explain() },
        CommandEntry(
            name: "replay", topic: .history, summary: "a case's decisions again, by this build, in memory alone",
            operands: [Operands.optionalSubject], flags: [Flags.caseFile, Flags.step, Flags.until] + common,
            examples: [
                ("mirrormate replay ID", "all decisions of a case"),
                ("mirrormate replay ID --step", "one after another, with the state after each"),
                ("mirrormate replay --file case.jsonl", "of a captured case; needs no stack"),
            ],
            exitCodes: .looking.with(.failure, "this build decides otherwise"), isPolite: true,
            run: ReplayCommand.run),
        CommandEntry(
            looking: "capture", .history,
            "one case as a file, with all that a replay needs",
            operands: [Operands.subject], flags: [Flags.output, Flags.withContent] + common,
            examples: [("mirrormate capture ID -o case.jsonl", "no personal content is in it")]
        ) { try await CaptureCommand($0, $2).run($1) },
    ]

    /// Whether anything is lost or wrong.
    static let proof: [CommandEntry] = [
        CommandEntry(
            looking: "ledger", .proof, "logs, relays, topics, consumers, read models compared",
            flags: [Flags.watch, Flags.late, Flags.history] + common,
            examples: [
                ("mirrormate ledger", "is anything lost?"), ("mirrormate ledger --watch", "again and again"),
                ("mirrormate ledger --history", "what did not run in the last day, what was restored or rebuilt?"),
            ],
            notes: [
                """
                Faults: down, lost, duplicate, reordered, zombie, foreign, forged, topic-reset, database-went-back,
                offset-moved, chain-broken, parked, late, refused.
                """
            ],
            exitCodes: .looking.with(.failure, "a fault was found"), isPolite: false
        ) { try await LedgerCommand($0, $1, $2).run() },
        CommandEntry(
            looking: "parked list", .proof, "messages that were set aside, and what waits behind",
            flags: common,
            examples: [("mirrormate parked", "")], exitCodes: parkedCodes, isDefault: true
        ) { try await ParkedCommand($0, $1, $2).list() },
        CommandEntry(
            looking: "parked show", .proof, "one of them", operands: [Operands.parkedMessage], flags: common,
            examples: [("mirrormate parked show quota/1", "")], exitCodes: parkedCodes
        ) { try await ParkedCommand($0, $1, $2).show() },
        CommandEntry(
            looking: "parked release", .proof, "let one be handled and, in order, what waits behind it",
            operands: [Operands.parkedMessage], flags: common, examples: [("mirrormate parked release quota/1", "")],
            exitCodes: parkedCodes
        ) { try await ParkedCommand($0, $1, $2).free(dropping: false) },
        CommandEntry(
            looking: "parked drop", .proof, "forget one; what waits behind it goes on",
            operands: [Operands.parkedMessage],
            flags: [Flags.yes] + common,
            examples: [
                ("mirrormate parked drop quota/1", "asks first"), ("mirrormate parked drop quota/1 --yes", "does not"),
            ], exitCodes: parkedCodes
        ) { try await ParkedCommand($0, $1, $2).free(dropping: true) },
        CommandEntry(
            looking: "relay rewind", .proof, "a service publishes again what lies behind a position",
            operands: [Operands.service, Operands.relayPosition], flags: common,
            examples: [
                ("mirrormate relay rewind identity 120", "all behind position 120"),
                ("mirrormate relay rewind identity 0", "all"),
            ],
            notes: ["Consumers drop what they have seen, so too much costs time and nothing else."],
            exitCodes: .looking.with(.failure, "nothing has been published behind the position")
        ) { try await RelayCommand($0, $1, $2).rewind() },
        CommandEntry(
            looking: "check", .proof, "every row of the read models against its log", operands: [Operands.readModels],
            flags: [Flags.sample, Flags.repair] + common, exclusive: [[Flags.sample, Flags.repair]],
            examples: [
                ("mirrormate check", "every row of every read model"),
                ("mirrormate check sessions/session_list --sample 100", "one key of a hundred"),
                ("mirrormate check sessions/session_list --repair KEY", "put one row right from its events"),
            ],
            exitCodes: .looking.with(.failure, "a row differs")
        ) { try await CheckCommand($0, $1, $2).run() },
        CommandEntry(
            looking: "rebuild", .proof,
            "a read model anew from the log, beside the live one",
            operands: [Operands.readModel],
            flags: [
                Flags.compare, Flags.switchOver, Flags.differing, Flags.rollback, Flags.dropOld, Flags.liveBin,
                Flags.cost,
            ] + common,
            exclusive: [
                [Flags.compare, Flags.rollback, Flags.dropOld], [Flags.switchOver, Flags.rollback, Flags.dropOld],
                [Flags.differing, Flags.rollback, Flags.dropOld],
            ],
            examples: [
                ("mirrormate rebuild sessions/session_list", "a new table beside the live one, from the log"),
                ("mirrormate rebuild sessions/session_list --compare", "and row by row against it"),
                ("mirrormate rebuild sessions/session_list --switch", "and in its place, in one step"),
                (
                    "mirrormate rebuild sessions/session_list --compare --switch --accept-differences",
                    "for a live table that is wrong: what differs is shown"
                ),
                ("mirrormate rebuild sessions/session_list --rollback", "the table before again"),
                ("mirrormate rebuild sessions/session_list --drop-old", "and no more tables but the live one"),
            ],
            exitCodes: .looking.with(.failure, "the tables differ")
        ) { try await RebuildCommand($0, $1, $2).run() },
    ]
}
