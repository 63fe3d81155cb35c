import Glibc
import Processes
import Runtime
import Testing

@testable import mirrormate

@Suite(.timeLimit(.minutes(10))) struct Completion {
    /// What bash offers for the last of the words on a command line; they are cut as bash cuts them.
    private func offers(_ words: String...) async throws -> Set<String> {
        let script = """
            source "$1"; shift
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
            [[ $(complete -p mirrormate) == "complete -F _mirrormate mirrormate" ]] || exit 9
            _mirrormate mirrormate "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let (exit, text) = try await Self.run(.bash, "/bin/bash", ["--norc", "-c", script, "bash"], words)
        #expect(exit.isSuccess, "\(text)")
        return Set(text.split(separator: "\n").map(String.init))
    }

    @Test func `in bash offers every command`() async throws {
        #expect(try await offers("mirrormate", "") == Set(CommandTable.mirrormate.groups))
        #expect(try await offers("mirrormate", "st") == ["status", "state"])
        #expect(try await offers("mirrormate", "dev") == [])
    }

    @Test func `in bash offers the second word of a command`() async throws {
        #expect(try await offers("mirrormate", "quota", "") == ["show", "grant"])
        #expect(try await offers("mirrormate", "parked", "re") == ["release"])
    }

    @Test(arguments: CommandTable.mirrormate.shown.map(\.name))
    func `in bash offers every flag of a command`(name: String) async throws {
        let entry = try #require(CommandTable.mirrormate.entries.first { $0.name == name })
        let words = ["mirrormate"] + name.split(separator: " ").map(String.init)
        let known = Set(entry.flags.map(\.spelling.name) + Manner.flags.map(\.name))
        let (exit, text) = try await Self.offersOfDash(words)
        #expect(exit.isSuccess)
        #expect(Set(text.split(separator: "\n").map(String.init)).filter { $0.hasPrefix("--") } == known)
    }

    @Test func `in bash offers the values that are known`() async throws {
        let services: Set = ["identity", "sessions", "quota", "analysis", "reporting", "notifications"]
        #expect(try await offers("mirrormate", "events", "") == services)
        #expect(try await offers("mirrormate", "events", "--limit", "3", "--data", "se") == ["sessions"])
        #expect(try await offers("mirrormate", "contracts", "check", "--service", "q") == ["quota"])
        #expect(try await offers("mirrormate", "contracts", "check", "--service", "=", "q") == ["quota"])
        #expect(try await offers("mirrormate", "contracts", "check", "--service", "=") == services)
        #expect(try await offers("mirrormate", "check", "session_list", "an") == ["analysis/job_queue"])
        #expect(try await offers("mirrormate", "plan", "set", "ada@example.org", "pre") == ["premium"])
        #expect(try await offers("mirrormate", "plan", "ada@example.org", "pre") == ["premium"])
        #expect(try await offers("mirrormate", "completion", "z") == ["zsh"])
        #expect(try await offers("mirrormate", "help", "dow") == ["down"])
        #expect(try await offers("mirrormate", "events", "sessions", "--limit", "") == [])
        #expect(try await offers("mirrormate", "events", "sessions", "") == [])
    }

    @Test func `in bash offers the flags of what a word does alone`() async throws {
        #expect(try await offers("mirrormate", "parked", "--js") == ["--json"])
        #expect(try await offers("mirrormate", "plan", "ada@example.org", "--key") == ["--key-file"])
    }

    @Test func `in bash offers files and folders`() async throws {
        #expect(try await offers("mirrormate", "submit", "/bin/bas").contains("/bin/bash"))
        #expect(try await offers("mirrormate", "status", "--state", "/us") == ["/usr"])
        #expect(try await offers("mirrormate", "status", "--state", "/bin/bas") == [])
        #expect(try await offers("mirrormate", "capture", "-o", "/bin/bas").contains("/bin/bash"))
    }

    @Test(arguments: [Shell.zsh, .fish]) func `in other shells is a script that they can read`(shell: Shell)
        async throws
    {
        guard let program = Self.program(of: shell) else { return }
        let (exit, text) = try await Self.run(shell, program, ["-n"], [])
        #expect(exit.isSuccess && text.isEmpty, "\(text)")
    }

    @Test(arguments: [
        ("mirrormate quota ", ["grant", "show"]), ("mirrormate quota grant --un", ["--units"]),
        ("mirrormate parked --js", ["--json"]), ("mirrormate events sessions --limit 3 ", []),
        ("mirrormate events --limit 3 q", ["quota"]), ("mirrormate contracts check --service q", ["quota"]),
        ("mirrormate plan set ada@example.org pre", ["premium"]), ("mirrormate status --state /us", ["/usr/"]),
        ("mirrormate check sessions/session_list an", ["analysis/job_queue"]), ("mirrormate sta", ["state", "status"]),
    ])
    func `in fish offers what fits`(line: String, offers: [String]) async throws {
        guard let program = Self.program(of: .fish) else { return }
        let (exit, text) = try await Self.run(
            .fish, program, ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]"], [line])
        // A tab stands between what is offered and its description.
        let found = text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(exit.isSuccess && found.sorted() == offers, "\(text)")
    }

    @Test(arguments: [
        ("mirrormate quota ", ["grant", "show"]), ("mirrormate quota grant --un", ["--units"]),
        ("mirrormate parked --js", ["--json"]), ("mirrormate events --limit 3 q", ["quota"]),
        ("mirrormate contracts check --service q", ["quota"]), ("mirrormate plan set ada@example.org pre", ["premium"]),
        ("mirrormate status --state /us", ["usr"]), ("mirrormate sta", ["state", "status"]),
        ("mirrormate check sessions/session_list an", ["analysis/job_queue"]),
    ])
    func `in zsh offers what fits`(line: String, offers: [String]) async throws {
        guard let program = Self.program(of: .zsh) else { return }
        let (exit, text) = try await Self.run(.zsh, program, ["-f", "-c", Self.zshOffers, "zsh"], [line])
        #expect(exit.isSuccess && text.split(separator: "\n").map(String.init) == offers, "\(text)")
    }

    /// Completion in zsh works in its line editor alone, so the line is typed into one on a terminal of its own, where each
    /// match that is added is noted down.
    private static let zshOffers = #"""
        notes=$(mktemp) set_up=$(mktemp)
        cat > $set_up <<END
        autoload -Uz compinit && compinit -D -u
        source $1
        compadd() {
            if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "\$@"; return; fi
            local -a matches
            builtin compadd -A matches "\$@"
            print -rl -- "match "\$^matches >> $notes
            builtin compadd "\$@"
        }
        finish() { zle complete-word; print end >> $notes; exit }
        zle -N finish
        bindkey '^I' finish
        END
        zmodload zsh/zpty
        zpty editor "zsh -f -i"
        zpty -w editor "source $set_up"
        zpty -w -n editor "$2"$'\t'
        until [[ $(<$notes) == *end ]]; do zpty -r -t editor output || sleep 0.02; done
        zpty -d editor
        sed -n 's/^match //p' $notes | sort -u
        rm -f $notes $set_up
        """#

    @Test func `names every command and flag in every shell's script`() {
        for shell in Shell.allCases {
            let script = shell.script(.mirrormate)
            for entry in CommandTable.mirrormate.shown {
                #expect(script.contains(entry.name), "\(entry.name) for \(shell)")
                for flag in entry.flags.map(\.spelling) {
                    let form = shell == .fish ? "-l \(flag.name.dropFirst(2))" : flag.name
                    #expect(script.contains(form), "\(flag.name) for \(shell)")
                }
            }
        }
    }

    private static func offersOfDash(_ words: [String]) async throws -> (Exit, String) {
        let script = """
            source "$1"; shift
            COMP_WORDS=("$@" -); COMP_CWORD=$#
            _mirrormate; printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try await run(.bash, "/bin/bash", ["--norc", "-c", script, "bash"], words)
    }

    /// Where a shell is; nil, with a note, when it is not installed.
    private static func program(of shell: Shell) -> String? {
        let places = (Variables["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(shell)" }
        if let place = places.first(where: Files.isExecutable) { return place }
        print("SKIPPED: \(shell) is not installed, so it did not try its completion.")
        return nil
    }

    /// Runs a shell with the file of its script and more words after the given ones.
    @Loop private static func run(
        _ shell: Shell, _ program: String, _ before: [String], _ after: [String]
    ) async throws -> (Exit, String) {
        let file = "/tmp/mirrormate-completion-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        try Files.write(shell.script(.mirrormate) + "\n", to: file)
        defer { unlink(file) }
        var command = Command(
            program, before + [file] + after, environment: Variables.inherited(["PATH", "LD_LIBRARY_PATH"]))
        command.output = .pipe
        command.errorOutput = .pipe
        let child = try ChildProcess.start(command)
        let output = try await child.output?.collect(limit: 1 << 20) ?? []
        let notes = try await child.errorOutput?.collect(limit: 1 << 20) ?? []
        return (try await child.wait(), String(decoding: output + notes, as: UTF8.self))
    }
}
