/// The texts of `--help`, examples first.
enum Help {
    static let commands =
        ["up", "down", "status", "demo", "submit", "doctor", "backup", "restore", "quota", "plan", "keys", "contracts"]
        + DebuggingCommands.names

    static let main = """
        mirrormate: a speaking video goes in, a coaching report comes out

          mirrormate demo                  start everything and watch a video become a report
          mirrormate submit talk.mp4       the same for your own video
          mirrormate status --json         what runs, and where

        Commands: up, down, status, demo, submit, doctor; for operators backup, restore, quota, plan, keys;
        for developers contracts.
        Looking into what happened: timeline, events, state, diff, explain, replay, capture.
        Proving that nothing is lost: ledger, check, rebuild, parked.
        Each has --help.

        Everywhere:
          --state DIR     the folder that keeps everything (default .mirrormate, or MIRRORMATE_STATE)
          --json          the result as JSON on standard output; everything else goes to standard error
          --help          this text

        Exit codes: 0 done, 1 failure, 2 not understood, 3 something is missing or set wrongly here,
        4 something that must run does not answer, 5 refused by the server's rules.
        Colours: none when NO_COLOR is set or the output is no terminal.
        """

    static func text(for command: String) -> String {
        switch command {
        case "up":
            """
            mirrormate up                      start whatever does not run: PostgreSQL, Kafka, services, gateway
            mirrormate up --instances 2        two copies of each service

              --instances N   copies of each service, 1 to 8 (default: as before, at first 1)
              --bin DIR       the folder of the services' executables (default: beside mirrormate)
              --state DIR, --json

            Kafka: KAFKA_BOOTSTRAP_SERVERS names a running one; else the Apache Kafka in KAFKA_HOME is started;
            else a development broker, which keeps nothing. A part whose program or settings changed is restarted.
            """
        case "down":
            """
            mirrormate down                    stop everything that `up` started; data stays
            mirrormate down --erase            and delete all data, secrets and reports of this stack

              --erase, --state DIR, --json
            """
        case "status":
            """
            mirrormate status                  what runs
            mirrormate status --json           {url, kafka, postgres, gateway, services}

              --state DIR, --json
            Exit code 0 when everything is ready, else 4.
            """
        case "demo":
            """
            mirrormate demo                    start the stack, sign up a new user, send the demo video, show the report
            mirrormate demo --json             the report as JSON on standard output

              --instances N, --bin DIR, --state DIR, --json
            The report is also written to .mirrormate/demo/report.json.
            """
        case "submit":
            """
            mirrormate submit talk.mp4                         send a video, follow it, show the report
            mirrormate submit talk.mp4 --output report.json    and write the report as JSON
            MIRRORMATE_PASSWORD=… mirrormate submit talk.mp4 --email me@example.org

              --email ADDRESS     the account (default: one that this command made and remembers)
              --password TEXT     its password; better in MIRRORMATE_PASSWORD, which other users cannot see
              --new-user          make a fresh account, for instance because today's session is used up
              --url URL           the server (default: MIRRORMATE_URL, else the local stack)
              --output FILE       write the report as JSON
              --state DIR, --json
            """
        case "contracts":
            """
            mirrormate contracts check                         what services promise each other, from these sources
            mirrormate contracts check --against v1.2          can these sources be deployed beside that revision?
            mirrormate contracts check --service quota --against main
            mirrormate contracts unused                        messages, fields and headers on which nobody relies
            mirrormate contracts documents                     write docs/events.md, docs/asyncapi.json, docs/schemas

              --against REF   another git revision: what is deployed
              --service NAME  only what this service promises or relies on: can it be deployed alone?
              --root DIR      the folder of the sources (default: the current one)
            """
        case "keys":
            """
            mirrormate keys rotate             a new key for signing access tokens; tokens of the old one stay valid
            mirrormate keys rotate --revoke    after a theft: whatever earlier keys signed is refused, everybody refreshes

              --revoke, --bin DIR, --state DIR, --json
            """
        case "doctor":
            """
            mirrormate doctor                  what is wrong, and what to do about it
            mirrormate doctor --json           {findings: [{part, code, message, advice}]}

              --bin DIR, --state DIR, --json
            It looks at secrets, disk, database, migrations, topics, clocks, publishing and consuming, and changes nothing.
            For the stack of docker-compose.yml: docker compose run --rm tools doctor
            Exit code 0 when nothing is wrong, else 4.
            """
        case "backup":
            """
            mirrormate backup ../2026-11-21    database, objects and secrets, as of one moment, into a new folder

              --bin DIR, --state DIR
            The stack goes on running. The folder holds all secrets: keep it closed. Kafka is not in it, because its topics
            are published again from the database. For the stack of docker-compose.yml: infra/backup DIR
            """
        case "restore":
            """
            mirrormate restore ../2026-11-21   makes this stack that of the backup

              --yes           do not ask
              --bin DIR, --state DIR, --json
            Each service then begins a new incarnation of its store and reads from its topic what came after the backup:
            that is printed; erasures, deletions and retired keys are decided again. For the stack of docker-compose.yml:
            infra/restore DIR
            """
        case "quota", "plan":
            """
            mirrormate quota show ada@example.org               what the account may still do
            mirrormate quota grant ada@example.org --units 3    gives units beyond the plan, kept until they are used
            mirrormate plan ada@example.org premium             puts another plan in force: free or premium
            mirrormate plan list                                what each plan allows, since when and from where

              --units N        how many units, 1 to 1000 (default 1)
              --kind KIND      of which kind of session (default mirrormate)
              --identity URL, --quota URL
                               the services' admin ports (default: those of the local stack)
              --key-file FILE  the file of OPERATOR_KEY (default: the local stack's)
              --state DIR, --json
            Both are events in quota's log, as everything that it decides.
            """
        case "dev-broker":
            """
            mirrormate dev-broker              run the development broker until SIGTERM

              --ready-file FILE   where to write its process id and address once it is ready
            """
        default: DebuggingHelp.text(for: command) ?? main
        }
    }
}
