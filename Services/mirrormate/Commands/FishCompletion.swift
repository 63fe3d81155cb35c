/// The script that lets fish complete the commands of a table.
struct FishCompletion {
    private let table: CommandTable

    init(_ table: CommandTable) { self.table = table }

    var script: String {
        let lines = table.groups.map(first) + table.pairs.flatMap(second) + table.shown.flatMap(rest)
        return """
            # fish completion for mirrormate, made by `mirrormate completion fish`
            function __mirrormate_words
                set -l skip 0
                for word in (commandline -opc)[2..-1]
                    if test $skip -eq 1
                        set skip 0
                        continue
                    end
                    switch $word
                        case \(table.valueFlags.joined(separator: " "))
                            set skip 1
                        case '-*'
                        case '*'
                            echo $word
                    end
                end
            end

            # Whether exactly these words stand before what is typed.
            function __mirrormate_are
                set -l words (__mirrormate_words)
                test "$words" = "$argv"
            end

            # Whether these words begin what stands before what is typed.
            function __mirrormate_begin
                set -l number (count $argv)
                set -l words (__mirrormate_words)
                test (count $words) -ge $number; and test "$words[1..$number]" = "$argv"
            end

            # The same, with so many words in all.
            function __mirrormate_at
                test (count (__mirrormate_words)) -eq $argv[1]; and __mirrormate_begin $argv[2..-1]
            end

            complete -c mirrormate -f
            \(lines.joined(separator: "\n"))
            """
    }

    private func first(_ group: String) -> String {
        let members = table.members(of: group)
        let summary =
            members.isEmpty
            ? table.shown.first { $0.name == group }?.summary ?? ""
            : members.compactMap(\.member).joined(separator: ", ")
        return "complete -c mirrormate -n '__mirrormate_are' -a \(group) -d \(quoted(summary))"
    }

    private func second(_ group: String) -> [String] {
        table.members(of: group).map { member in
            "complete -c mirrormate -n '__mirrormate_are \(group)' -a \(member.member ?? "") -d \(quoted(member.summary))"
        }
    }

    private func rest(_ entry: CommandEntry) -> [String] {
        let initial = entry.isDefault ? "; or __mirrormate_are \(entry.group)" : ""
        let flags = (entry.flags.map(\.spelling) + Manner.flags).map { flag in
            let short = flag.short.map { " -s \($0.dropFirst())" } ?? ""
            let value = flag.placeholder == nil ? "" : " " + value(flag.completion)
            return "complete -c mirrormate -n '__mirrormate_begin \(entry.name)\(initial)' -l \(flag.name.dropFirst(2))"
                + "\(short)\(value) -d \(quoted(flag.help))"
        }
        let before = entry.member == nil ? 1 : 2
        let operands = entry.operands.enumerated().filter { $1.completion != .none }.map { number, operand in
            let place = operand.occurrence == .any ? "begin" : "at \(before + number)"
            return "complete -c mirrormate -n '__mirrormate_\(place) \(entry.name)' \(self.operand(operand.completion))"
        }
        return flags + operands
    }

    private func value(_ completion: Completion) -> String {
        switch completion {
        case .none: "-x"
        case .files: "-r -F"
        case .folders, .words, .commands: "-x \(operand(completion))"
        }
    }

    private func operand(_ completion: Completion) -> String {
        switch completion {
        case .none: ""
        case .files: "-F"
        case .folders: "-a '(__fish_complete_directories)'"
        case .words(let words): "-a \(quoted(words.joined(separator: " ")))"
        case .commands: "-a \(quoted(table.groups.joined(separator: " ")))"
        }
    }

    private func quoted(_ text: String) -> String {
        "'" + text.reduce(into: "") { $0 += "'\\".contains($1) ? "\\\($1)" : String($1) } + "'"
    }
}
