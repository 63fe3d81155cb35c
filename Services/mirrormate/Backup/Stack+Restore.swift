import Glibc
import JSON
import Processes
import Runtime

extension Stack {
    /// Makes database, objects and secrets those of a backup, and lets every service's store begin a new incarnation.
    ///
    /// Kafka's topics stay: from them the services learn what came after the backup. The services are not running
    /// afterwards. A restore that was interrupted can be repeated; until then nothing is started.
    ///
    /// - Returns: what each service says came after the backup, in the order of the messages.
    func restore(_ backup: BackupFolder) async throws -> [JSONValue] {
        // Before the lock, which it holds while it starts what is ended here.
        try await Supervisor.stop(settings.state, console)
        let lock = try settings.state.lock(console)
        defer { close(lock) }
        record = StackRecord.load(settings.state)
        // Whoever must be asked is asked before anything is replaced.
        _ = try Broker.kind(wanted: Broker.wantedKind, before: record, isSwitching: false)
        _ = try await stopServices()
        record.isRestoring = true
        try record.save(settings.state)
        try await restoreSecrets(backup)
        let (database, environment) = try await startEngines()
        console.progress("putting the database back")
        try await database.replace(with: backup.dump)
        console.progress("putting the objects back")
        let objects = "\(environment.homes?.folder ?? settings.state.path)/objects"
        try await runToEnd(
            Command("/bin/rm", ["-rf", "--", objects]), as: "Removing the objects", log: backup.log,
            within: .seconds(3600))
        try Files.makeFolder(objects, mode: 0o700)
        try await backup.unpack("objects.tar", into: objects)
        try await environment.homes?.giveObjects(whole: true)
        try await prepare(database, environment)
        // Who is erased is known before anybody acts for them.
        var reports: [JSONValue] = []
        for service in Settings.services {
            console.progress("\(service) looks at what came after the backup")
            let command = try environment.operate(service, ["confirm-restore"])
            let text = try await runToEnd(command, as: "Confirming the restore of \(service)", log: backup.log)
            let last = text.split(separator: "\n").last.map { Array($0.utf8) } ?? []
            reports.append(.object(try JSONObject.parse(last)))
        }
        record.isRestoring = false
        try record.save(settings.state)
        console.done("database and objects are those of the backup")
        return reports
    }

    /// Keys and secrets belong to the data. A database server that is there already keeps the passwords it has.
    private func restoreSecrets(_ backup: BackupFolder) async throws {
        let hasServer = Files.exists("\(settings.state.path)/postgres/data/PG_VERSION")
        try await backup.unpack(
            "configuration.tar", into: settings.state.path,
            except: hasServer ? ["secrets/db-*", "secrets/pgpass"] : [])
    }
}
