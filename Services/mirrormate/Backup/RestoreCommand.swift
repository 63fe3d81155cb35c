import JSON
import Runtime

/// `mirrormate restore`: makes a local stack that of a backup, and says what came after it.
@Loop struct RestoreCommand {
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func run() async throws -> ExitCode {
        try BackupFolder.refuseInContainer()
        let stack = Stack(try Settings(arguments), console)
        let wanted = arguments[Operands.backupFolder]
        let backup = BackupFolder(path: Files.absolute(wanted) ?? wanted, log: stack.settings.state.log("operators"))
        try await backup.verify()
        try Confirmation.ask(
            "All data in \(stack.settings.state.path) will be replaced by the backup.", typing: "restore", arguments,
            console)
        let reports = try await stack.restore(backup)
        try await stack.up(instances: nil)
        if arguments[Flags.json] {
            let document: JSONValue = ["services": .array(reports)]
            console.answer(document)
        } else {
            for report in reports { console.print(Self.sentence(report)) }
        }
        return .success
    }

    /// What a service said of its restore, for people.
    static func sentence(_ report: JSONValue) -> String {
        let givenUp = report["givenUp"]?.intValue ?? 0
        return undone(report) + (givenUp == 0 ? "" : "; changes of address that waited, given up: \(givenUp)")
    }

    private static func undone(_ report: JSONValue) -> String {
        let service = report["service"]?.stringValue ?? ""
        if report["topicIsEmpty"]?.boolValue == true {
            return "\(service): no topic is left, so nobody can know what came after the backup"
        }
        let undone = (report["undone"]?.objectValue?.members ?? []).map { type, count in
            "\(count.intValue ?? 0) × \(type)"
        }
        if undone.isEmpty { return "\(service): nothing had come after the backup" }
        return "\(service): gone with the restore: \(undone.joined(separator: ", ")); "
            + "decided again: \(report["decidedAgain"]?.intValue ?? 0)"
    }
}
