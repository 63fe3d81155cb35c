extension Operands {
    static let newFolder = Operand(.folder.named("NEW_DIR"), "a folder that does not exist yet")
    static let backupFolder = Operand(.folder.named("BACKUP_DIR"), "the folder of a backup")
}

extension CommandTable {
    /// Taking backups of a local stack and putting them back.
    static let backup: [CommandEntry] = [
        CommandEntry(
            name: "backup", topic: .backup,
            summary: "all that the stack holds, as of one moment",
            operands: [Operands.newFolder], flags: [Flags.bin, Flags.state, Flags.json],
            examples: [("mirrormate backup ../2026-11-21", "database, objects and secrets, into a new folder")],
            notes: [
                """
                The stack goes on running. The folder holds all secrets: let nobody else read it. Kafka is not in it, because
                its topics are published again from the database. For the stack of docker-compose.yml: infra/backup DIR
                """
            ]
        ) { try await BackupCommand($0, $1).run() },
        CommandEntry(
            name: "restore", topic: .backup, summary: "make this stack that of a backup",
            operands: [Operands.backupFolder], flags: [Flags.yes, Flags.bin, Flags.state, Flags.json],
            examples: [("mirrormate restore ../2026-11-21", "and say what came after the backup")],
            notes: [
                """
                Each service then begins a new incarnation of its store and reads from its topic what came after the backup:
                that is printed; erasures, deletions and retired keys are decided again. For the stack of
                docker-compose.yml: infra/restore DIR
                """
            ]
        ) { try await RestoreCommand($0, $1).run() },
    ]
}
