/// The script that lets zsh complete the commands of a table.
struct ZshCompletion {
    private let table: CommandTable

    init(_ table: CommandTable) { self.table = table }

    var script: String {
        """
        #compdef mirrormate
        # zsh completion for mirrormate, made by `mirrormate completion zsh`
        _mirrormate() {
            local command
            local -a commands
            if (( CURRENT == 2 )); then
                commands=(
        \(table.groups.map { "            " + quoted("\($0):\(summary($0))") }.joined(separator: "\n"))
                )
                _describe command commands
                return
            fi
            command=$words[2]
            case $command in
        \(table.pairs.map(pair).joined(separator: "\n"))
            (*)
                shift words
                (( CURRENT -= 1 ))
                ;;
            esac
            case $command in
        \(table.shown.map(branch).joined(separator: "\n"))
            esac
        }

        # Read from a folder of fpath this file is the function itself; sourced, it only declares it.
        if [[ $funcstack[1] == _mirrormate ]]; then
            _mirrormate "$@"
        else
            compdef _mirrormate mirrormate
        fi
        """
    }

    private func summary(_ group: String) -> String {
        let members = table.members(of: group)
        if members.isEmpty { return table.shown.first { $0.name == group }?.summary ?? "" }
        return members.compactMap(\.member).joined(separator: ", ")
    }

    private func pair(_ group: String) -> String {
        let members = table.members(of: group)
        let words = members.compactMap(\.member)
        let initial = members.first { $0.isDefault }.map {
            "command=\(quoted($0.name)); shift words; (( CURRENT -= 1 ))"
        }
        return """
                (\(group))
                    if (( CURRENT == 3 )) && [[ $words[3] != -* ]]; then
                        commands=(
            \(members.map { "                " + quoted("\($0.member ?? ""):\($0.summary)") }.joined(separator: "\n"))
                        )
                        _describe command commands
                        return
                    fi
                    case $words[3] in
                    (\(words.joined(separator: "|"))) command="$command $words[3]"; shift 2 words; (( CURRENT -= 2 )) ;;
                    (*) \(initial ?? "return") ;;
                    esac
                    ;;
            """
    }

    private func branch(_ entry: CommandEntry) -> String {
        let specifications =
            entry.flags.map { flag($0.spelling) } + Manner.flags.map(flag) + entry.operands.map(operand)
        return """
                (\(quoted(entry.name)))
                    _arguments -s : \\
            \(specifications.map { "            " + quoted($0) }.joined(separator: " \\\n"))
                    ;;
            """
    }

    private func flag(_ flag: FlagSpelling) -> String {
        let all = [flag.name] + (flag.short.map { [$0] } ?? [])
        let value = flag.placeholder.map { ":\($0):\(action(flag.completion))" } ?? ""
        let names = all.map { name in
            flag.placeholder == nil ? name : name.hasPrefix("--") ? "\(name)=" : "\(name)+"
        }
        // The shell joins what stands inside braces with the rest; here each name gets its own specification.
        let texts = names.map { "(\(all.joined(separator: " ")))\($0)[\(escaped(flag.help))]\(value)" }
        return texts.joined(separator: "' '")
    }

    private func operand(_ operand: any CommandOperand) -> String {
        let start =
            switch operand.occurrence {
            case .once: ":"
            case .optional: "::"
            case .any: "*:"
            }
        return "\(start)\(operand.name):\(action(operand.completion))"
    }

    private func action(_ completion: Completion) -> String {
        switch completion {
        // A blank stands for nothing to offer.
        case .none: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .commands: "(\(table.groups.joined(separator: " ")))"
        }
    }

    private func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += "[]:\\".contains($1) ? "\\\($1)" : String($1) }
    }

    /// In single quotes; those that ``flag(_:)`` set between two specifications stay.
    private func quoted(_ text: String) -> String {
        let parts = text.split(separator: "' '", omittingEmptySubsequences: false)
        return parts.map { part in
            "'" + part.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
        }.joined(separator: " ")
    }
}
