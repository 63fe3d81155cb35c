/// The texts of `--help` of the commands that look at history.
enum DebuggingHelp {
    static let codes = "Exit codes: 0 as expected, 1 difference or loss found, 2 wrong usage, 3 could not look."

    static func text(for command: String) -> String? {
        guard let text = texts[command] else { return nil }
        let folder =
            command == "timeline"
            ? "  --state-dir DIR   the stack's folder (default .mirrormate, or MIRRORMATE_STATE)"
            : "  --state DIR       the stack's folder (default .mirrormate, or MIRRORMATE_STATE)"
        return "\(text)\n\(folder)\n  --json            the same for programs\n\n\(codes)"
    }

    private static let texts = [
        "timeline": """
        mirrormate timeline ID             all that happened to a session, a user or an event's case, in causal order
        mirrormate timeline ID --state     with the state of each stream after each step
        mirrormate timeline ID --follow    and what is added, until Ctrl-C

          --data            with the data of each event
        """,
        "events": """
        mirrormate events sessions                        the last 50 events of a service's log
        mirrormate events sessions --type SessionFailed --since 2h
        mirrormate events quota --stream allowance-ID --data

          --stream S        of one stream
          --type T          of one type, without its version
          --from P          from a position on
          --since TIME      from a time on: 2026-11-21T17:00:00Z, or 15m, 2h
          --limit N         at most so many (default 50)
          --data            with their data
        """,
        "state": """
        mirrormate state sessions/session-ID                   an aggregate, folded from its stream
        mirrormate state sessions/session-ID --version 3       as it was at a version
        mirrormate state sessions/session_list ID --at 15m     a row of a read model, as it was then

          --version V, --at TIME, --position P
        """,
        "diff": """
        mirrormate diff sessions/session_list ID --from 15m --to 5m     what changed between two moments
        mirrormate diff sessions/session-ID --from 2 --to 5             and between two versions

          --from, --to      a time, how long ago, a position (of a row) or a version (of an aggregate)
        """,
        "explain": """
        mirrormate explain sessions/session_list ID                  the events behind a row
        mirrormate explain sessions/session_list ID --field status   and behind one field of it
        mirrormate explain quota OWNER                               an owner's quota decisions in words
        """,
        "ledger": """
        mirrormate ledger                  logs, relays, topics, consumers and read models beside each other
        mirrormate ledger --watch          again every two seconds

          --late SECONDS    from when on being late is a fault (default 25)
        Faults: lost, duplicate, reordered, zombie, foreign, topic-reset, database-went-back, offset-moved,
        chain-broken, parked, late, refused.
        """,
        "parked": """
        mirrormate parked                  what was set aside, and what waits behind it
        mirrormate parked show quota/1     one of them
        mirrormate parked release quota/1  let it and, in order, its successors be handled
        mirrormate parked drop quota/1     forget this one; its successors go on
        """,
        "check": """
        mirrormate check                                      every row of every read model against its log
        mirrormate check sessions/session_list --sample 100   one key of a hundred
        mirrormate check sessions/session_list --repair KEY   put one row right from its events
        """,
        "rebuild": """
        mirrormate rebuild sessions/session_list              a new table beside the live one, from the log
        mirrormate rebuild sessions/session_list --compare    and row by row against it
        mirrormate rebuild sessions/session_list --switch     and in its place, in one step
        mirrormate rebuild sessions/session_list --rollback   the table before again
        mirrormate rebuild sessions/session_list --drop-old   and no more tables but the live one

          --against DIR     the executables of the build that made the live rows: the first event at which the two part
                            is then found by running both folds
          --cost PERCENT    how much of the service's appends it may cost (default 5); 100 goes on without a rest
        With --compare and --switch it is switched only when nothing differs.
        """,
        "replay": """
        mirrormate replay ID                   a case's decisions again, by this build, in memory alone
        mirrormate replay ID --step            one after another, with the state after each
        mirrormate replay --from case.jsonl    of a captured case; needs no stack

          --until EVENT     an event's id, SERVICE/POSITION or type
        """,
        "capture": """
        mirrormate capture ID -o case.jsonl    one case with all that a replay needs; no personal content is in it

          --with-content    and the profiles and reports that belong to it: PERSONAL CONTENT, only where a replay without
                            it does not tell enough
        """,
    ]
}
