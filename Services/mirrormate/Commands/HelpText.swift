/// The texts of `--help`, made from the table: examples first.
struct HelpText {
    let table: CommandTable
    /// The width of a line in characters.
    let width: Int

    /// What there is.
    var main: String {
        let names = table.shown.map(\.name.count).max() ?? 0
        let topics = CommandTopic.allCases.compactMap { topic -> String? in
            let entries = table.shown.filter { $0.topic == topic }
            if entries.isEmpty { return nil }
            return ([topic.rawValue + ":"] + entries.map { row($0.name, $0.summary, names + 2) })
                .joined(separator: "\n")
        }
        return """
            mirrormate: a speaking video goes in, a coaching report comes out

              mirrormate demo                  start everything and watch a video become a report
              mirrormate submit talk.mp4       the same for your own video
              mirrormate status --json         what runs, and where

            \(topics.joined(separator: "\n\n"))

            `mirrormate COMMAND --help` says more about each. Almost everywhere:
            \([Flags.state.spelling, Flags.json.spelling].map(line).joined(separator: "\n"))

            Everywhere:
            \(Manner.flags.map(line).joined(separator: "\n"))
            `mirrormate --version` says which one this is. Answers to --json have one form: {version, kind, data}, and
            {version, kind, problem} when it failed.

            \(paragraph(ExitCodes.standard.text))
            Colours: none when NO_COLOR is set or the output is no terminal.
            """
    }

    /// One command.
    func text(for entry: CommandEntry) -> String {
        var parts = ["mirrormate \(entry.name): \(entry.summary)"]
        if !entry.examples.isEmpty { parts.append(examples(entry.examples)) }
        parts.append("Usage: \(usage(entry))")
        if !entry.operands.isEmpty {
            parts.append(entry.operands.map { row($0.name, $0.help, 22) }.joined(separator: "\n"))
        }
        parts.append((entry.flags.map(\.spelling) + [Flags.help]).map(line).joined(separator: "\n"))
        parts += entry.notes.map(paragraph)
        parts.append(paragraph(entry.exitCodes.text))
        return parts.joined(separator: "\n\n")
    }

    /// All commands with the same first word.
    func text(of group: String) -> String {
        let members = table.members(of: group)
        let lines = members.map { member in
            row(member.name, member.summary + (member.isDefault ? " (also without “\(member.member ?? "")”)" : ""), 22)
        }
        let common = members[0].flags.filter { flag in
            members.allSatisfy { $0.flags.contains { $0.spelling == flag.spelling } }
        }
        var parts = ["mirrormate \(group): \(members.compactMap(\.member).joined(separator: ", "))"]
        parts.append(lines.joined(separator: "\n"))
        parts.append(members.map { "Usage: \(usage($0))" }.joined(separator: "\n"))
        parts.append((common.map(\.spelling) + [Flags.help]).map(line).joined(separator: "\n"))
        parts.append("`mirrormate \(group) WORD --help` says more about each.")
        let codes = members.map(\.exitCodes)
        if codes.allSatisfy({ $0 == codes[0] }) { parts.append(paragraph(codes[0].text)) }
        return parts.joined(separator: "\n\n")
    }

    /// The form of a command line.
    func usage(_ entry: CommandEntry) -> String {
        let operands = entry.operands.map { operand in
            switch operand.occurrence {
            case .once: operand.name
            case .optional: "[\(operand.name)]"
            case .any: "[\(operand.name)…]"
            }
        }
        return (["mirrormate", entry.name] + operands + ["[options]"]).joined(separator: " ")
    }

    private func examples(_ examples: [(line: String, purpose: String)]) -> String {
        let column = min((examples.map(\.line.count).max() ?? 0) + 2, 46)
        return examples.map { line, purpose in
            // Beside a long line there is too little room.
            line.count + 2 > column && !purpose.isEmpty
                ? row(line, "", column) + "\n" + row("", purpose, 4) : row(line, purpose, column)
        }.joined(separator: "\n")
    }

    private func line(_ flag: FlagSpelling) -> String {
        let name = (flag.short.map { [$0] } ?? []) + [flag.name]
        let form = name.joined(separator: ", ") + (flag.placeholder.map { " \($0)" } ?? "")
        return row(form, flag.help + (flag.preset.map { " (default \($0))" } ?? ""), 22)
    }

    /// Two columns; a left side that is too long has a line of its own.
    private func row(_ left: String, _ right: String, _ column: Int) -> String {
        let text = Chart.wrap(right, width: max(width, 72), indent: column + 2)
        if right.isEmpty { return "  \(left)" }
        if left.count + 2 > column {
            return "  \(left)\n\(String(repeating: " ", count: column + 2))\(text)"
        }
        return "  \(left)\(String(repeating: " ", count: column - left.count))\(text)"
    }

    private func paragraph(_ text: String) -> String { Chart.wrap(text, width: max(width, 72), indent: 0) }
}
