/// The script that lets bash complete the commands of a table.
struct BashCompletion {
    private let table: CommandTable

    init(_ table: CommandTable) { self.table = table }

    var script: String {
        """
        # bash completion for mirrormate, made by `mirrormate completion bash`
        _mirrormate_offer() {
            local kind=$1 current=$2
            shift 2
            case $kind in
            words) mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current") ;;
            files) mapfile -t COMPREPLY < <(compgen -f -- "$current"); compopt -o filenames 2>/dev/null ;;
            folders) mapfile -t COMPREPLY < <(compgen -d -- "$current"); compopt -o filenames 2>/dev/null ;;
            esac
        }

        _mirrormate() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} word command
            local -a words=()
            local -i i
            COMPREPLY=()
            # bash makes three words of --flag=value.
            if [[ $current == "=" ]]; then
                current=
            elif [[ $previous == "=" ]]; then
                previous=${COMP_WORDS[COMP_CWORD - 2]}
            fi
            for ((i = 1; i < COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                case $word in
                \(table.valueFlags.joined(separator: "|")))
                    if [[ ${COMP_WORDS[i + 1]} == "=" ]]; then i+=1; fi
                    i+=1
                    ;;
                -* | "=") ;;
                *) words+=("$word") ;;
                esac
            done
            case $previous in
        \(cases(table.flags.filter { $0.placeholder != nil }.map { ($0.all.joined(separator: " | "), offer($0.completion)) }))
            esac
            if ((${#words[@]} == 0)) && [[ $current != -* ]]; then
                _mirrormate_offer words "$current" \(table.groups.joined(separator: " "))
                return
            fi
            command=${words[0]}
            case $command in
        \(cases(table.pairs.map(pair)))
            esac
            if [[ $current == -* ]]; then
                case $command in
        \(cases(table.shown.map { (quoted($0.name), "_mirrormate_offer words \"$current\" " + $0.offeredFlags.joined(separator: " ")) }, 8))
                esac
                return
            fi
            # How many operands stand before the one that is typed.
            i=${#words[@]}-1
            if [[ $command == *" "* ]]; then i=i-1; fi
            case "$command $i" in
        \(cases(operands))
            esac
        }

        complete -F _mirrormate mirrormate
        """
    }

    /// Joins the second word to the first; offers it when it is the one that is typed.
    private func pair(_ group: String) -> (String, String) {
        let members = table.members(of: group)
        let words = members.compactMap(\.member)
        let initial = members.first { $0.isDefault }.map {
            "command=\(quoted($0.name))\nwords=(\"${words[0]}\" - \"${words[@]:1}\")"
        }
        return (
            group,
            """
            if ((${#words[@]} == 1)) && [[ $current != -* ]]; then
                _mirrormate_offer words "$current" \(words.joined(separator: " "))
                return
            fi
            case ${words[1]} in
            \(words.joined(separator: " | "))) command="$command ${words[1]}" ;;
            *)
                \((initial ?? "return").split(separator: "\n").joined(separator: "\n    "))
                ;;
            esac
            """
        )
    }

    private var operands: [(String, String)] {
        table.shown.flatMap { entry in
            entry.operands.enumerated().map { number, operand in
                let pattern = operand.occurrence == .any ? "\"\(entry.name) \"*" : quoted("\(entry.name) \(number)")
                return (pattern, offer(operand.completion, isFlag: false))
            }
        }.filter { $0.1 != "" }
    }

    private func offer(_ completion: Completion, isFlag: Bool = true) -> String {
        let end = isFlag ? "\nreturn" : ""
        return switch completion {
        case .none: isFlag ? "return" : ""
        case .files: "_mirrormate_offer files \"$current\"" + end
        case .folders: "_mirrormate_offer folders \"$current\"" + end
        case .words(let words): "_mirrormate_offer words \"$current\" \(words.joined(separator: " "))" + end
        case .commands: "_mirrormate_offer words \"$current\" \(table.groups.joined(separator: " "))" + end
        }
    }

    private func quoted(_ text: String) -> String { text.contains(" ") ? "\"\(text)\"" : text }

    /// Branches of a `case`, indented.
    private func cases(_ branches: [(pattern: String, body: String)], _ indent: Int = 4) -> String {
        let blank = String(repeating: " ", count: indent)
        return branches.map { pattern, body in
            let lines = body.split(separator: "\n").map { "\(blank)    \($0)" }.joined(separator: "\n")
            return "\(blank)\(pattern))\n\(lines)\n\(blank)    ;;"
        }.joined(separator: "\n")
    }
}
