/// The commands about the commands.
extension CommandTable {
    static let shell: [CommandEntry] = [
        CommandEntry(
            name: "help", topic: .development, summary: "what the commands do",
            operands: [Operands.helpWords], examples: [("mirrormate help quota grant", "the same as --help behind it")]
        ) { arguments, console in
            let table = CommandTable.mirrormate
            let help = HelpText(table: table, width: console.width)
            console.print(try table.text(help, about: arguments[Operands.helpWords]))
            return .success
        },
        CommandEntry(
            name: "completion", topic: .development, summary: "a script that lets a shell complete commands and flags",
            operands: [Operands.shell],
            examples: [
                ("source <(mirrormate completion bash)", "for this shell; better in ~/.bashrc"),
                ("mirrormate completion zsh > ~/.zfunc/_mirrormate", "a folder of fpath, before compinit"),
                ("mirrormate completion fish > ~/.config/fish/completions/mirrormate.fish", "read by fish itself"),
            ]
        ) { arguments, console in
            console.print(arguments[Operands.shell].script(CommandTable.mirrormate))
            return .success
        },
    ]
}

/// Operands that entries of the table and their commands share.
enum Operands {
    static let helpWords = Operand(many: .text("COMMAND", .commands), "the command, in one or two words")
    static let shell = Operand<Shell>(
        ValueType("SHELL", noun: "shell", Shell.allCases.map(\.rawValue)) { Shell(rawValue: $0) },
        "bash, zsh or fish")
}
