import Glibc
import JSON
import Postgres
import Primitives
import Processes
import Runtime

/// `mirrormate backup`: all that a running local stack holds, as of one moment, verified.
@Loop struct BackupCommand {
    private let arguments: Arguments
    private let console: Console
    private let stack: Stack

    init(_ arguments: Arguments, _ console: Console) throws(Failure) {
        try BackupFolder.refuseInContainer()
        self.arguments = arguments
        self.console = console
        stack = Stack(try Settings(arguments), console)
    }

    private var state: StateFolder { stack.settings.state }

    func run() async throws -> ExitCode {
        var wanted = arguments[Operands.newFolder]
        while wanted.count > 1, wanted.last == "/" { wanted.removeLast() }
        guard !Files.exists(wanted) else {
            throw Failure(.usage, "backup-exists", "\(wanted) is there already.", advice: "Name a new folder.")
        }
        guard !(Variables["OBJECT_STORE"] ?? "").hasPrefix("s3:") else {
            throw Failure(
                .usage, "backup-objects", "The objects are on an S3 server.",
                advice: "Back it up with its own means, together with the database.")
        }
        let lock = try state.lock(console)
        defer { close(lock) }
        try StackRecord.load(state).requireWhole()
        let unfinished = "\(wanted).unfinished"
        try Files.makeFolder(unfinished, mode: 0o700)
        // Beside the objects wherever they lie, because links do not reach over to another disk.
        let links = "\(Files.absolute("\(state.path)/objects") ?? "\(state.path)/objects")-of-backup"
        do {
            try await write(BackupFolder(path: Files.absolute(unfinished) ?? unfinished, log: log), links)
        } catch {
            try? await remove([unfinished, links])
            throw error
        }
        try await remove([links])
        guard rename(unfinished, wanted) == 0 else {
            throw Failure(.failure, "backup-name", "\(unfinished) cannot be renamed.", advice: "Rename it yourself.")
        }
        if arguments[Flags.json] {
            console.answer(["folder": .string(Files.absolute(wanted) ?? wanted)])
        } else {
            console.done("\(wanted) holds everything, verified")
        }
        return .success
    }

    private func write(_ folder: BackupFolder, _ links: String) async throws {
        let database = try await stack.runningDatabase()
        // Objects never change under their key, so links are as good as copies and take no time. Before the dump: what
        // it refers to and is removed meanwhile is here already. After it: what came meanwhile.
        try await remove([links])
        try link(to: links)
        console.progress("writing the database")
        let needed = try await dump(database, into: folder)
        try link(to: links)
        let missing = needed.count { !Files.exists("\(links)/\($0)") }
        guard missing == 0 else {
            throw Failure(
                .failure, "backup-incomplete",
                "\(missing) of \(needed.count) objects that the database needs are not in \(state.path)/objects.",
                advice: "Was the stack started with another OBJECT_STORE? `mirrormate doctor` looks at the rest.")
        }
        console.progress("writing \(needed.count) objects")
        try await folder.pack(links, into: "objects.tar")
        try await folder.pack(state.path, ["secrets"], into: "configuration.tar")
        try await folder.seal()
    }

    /// Writes the dump and what is to be known about it.
    ///
    /// - Returns: the objects that the database of the dump needs.
    private func dump(_ database: Database, into folder: BackupFolder) async throws -> [String] {
        let access = try DeploymentAccess(arguments).role("postgres", secret: "db-admin")
        let connection = try await PostgresConnection.open(access)
        defer { connection.close() }
        // The dump and what is asked here see the same moment, as long as this transaction is open.
        try await connection.script("begin isolation level repeatable read, read only")
        let snapshot = try await connection.query("select pg_export_snapshot()").rows[0].text(0)
        try await database.dump(snapshot: snapshot, to: folder.dump)
        var facts = "kind local\ntaken \(Timestamp.now().rfc3339)\n"
        var keys: [String] = []
        for service in Settings.services {
            let head = try await connection.query(
                "select incarnation::text, (select coalesce(max(position), 0) from \(service).events) from \(service).head"
            ).rows[0]
            facts += "incarnation \(service) \(head.text(0)) \(head.int(1))\n"
            // Exports are gone within a day: a backup keeps none for longer.
            keys += try await connection.query(
                """
                select object_key from \(service).object_intents
                where deadline is null and not unwanted and object_key not like 'export-%'
                """
            ).rows.map { $0.text(0) }
        }
        try Files.write(facts, to: folder.facts, mode: 0o600)
        try Files.write(keys.sorted().map { $0 + "\n" }.joined(), to: folder.objectList, mode: 0o600)
        return keys
    }

    /// Links all objects that are not there yet; whether any is missed that is needed is seen afterwards.
    private func link(to links: String) throws(Failure) {
        let objects = "\(state.path)/objects"
        try ObjectLinks.make(of: Files.absolute(objects) ?? objects, in: links)
    }

    private var log: String { state.log("operators") }

    private func remove(_ paths: [String]) async throws {
        try await runToEnd(Command("/bin/rm", ["-rf", "--"] + paths), as: "Removing \(paths)", log: log)
    }
}
