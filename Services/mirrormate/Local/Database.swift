import Glibc
import Processes
import Runtime

/// The stack's private PostgreSQL: made on first use, durable, reachable through its socket folder and on 127.0.0.1,
/// with passwords only.
@Loop struct Database {
    let settings: Settings
    let home: DatabaseHome
    let port: UInt16

    private var part: StackPart { StackPart(name: "postgres", state: settings.state) }

    /// Starts the server if needed and waits until it answers.
    ///
    /// - Returns: whether it was started.
    func start() async throws -> Bool {
        let tools = try tools()
        if !Files.exists("\(home.data)/PG_VERSION") { try await create(tools) }
        let command = command(tools)
        var isNew = try await part.ensure(command)
        // After an unclean end the last backends may hold the old memory for a moment; a new server then refuses.
        let deadline = ContinuousClock.now + .seconds(60)
        var restarts = 0
        while true {
            if try await answers(tools) { return isNew }
            if part.id == nil {
                guard restarts < 20 else { throw part.failed("ended while starting") }
                restarts += 1
                try await Loop.sleep(for: .milliseconds(500))
                try await part.start(command)
                isNew = true
            }
            guard ContinuousClock.now < deadline else { throw part.failed("does not answer after a minute") }
            try await Loop.sleep(for: .milliseconds(50))
        }
    }

    /// Makes the database, the roles and the schemas; nothing changes when they are there.
    func makeRoles() async throws {
        for service in Settings.services + ["reader"] { _ = try settings.state.secret("db-\(service)") }
        let arguments = [
            "-X", "-q", "-v", "ON_ERROR_STOP=1", "-v", "secrets=\(settings.state.path)/secrets", "-h", home.socket,
            "-p", "\(port)", "-U", "postgres", "-d", "postgres", "-f", try settings.infra("postgres/roles.sql"),
        ]
        var command = Command("\(try tools())/psql", arguments, environment: settings.environment)
        command.environment["PGPASSFILE"] = try passwordFile()
        try await runToEnd(command, as: "Making the database roles", log: settings.state.log("setup"))
    }

    /// Stops a server cleanly: no new work, open transactions rolled back, everything on disk.
    static func stop(_ state: StateFolder) async throws -> Bool {
        try await StackPart(name: "postgres", state: state).stop(with: SIGINT, patience: .seconds(30))
    }

    /// The folder of the server's programs: of the version that made the data, else of the newest that is installed.
    private func tools() throws(Failure) -> String {
        var versions = (15...25).reversed().map(String.init)
        if let made = Files.readText("\(home.data)/PG_VERSION", of: home.user?.user ?? geteuid()) {
            versions = [String(made.prefix { $0.isNumber })]
        }
        for version in versions {
            let folder = "/usr/lib/postgresql/\(version)/bin"
            if Files.isExecutable("\(folder)/postgres") { return folder }
        }
        throw Failure(
            .configuration, "no-postgres", "PostgreSQL \(versions.last ?? "") is not installed.",
            advice: "Run infra/setup, which installs it.")
    }

    private func create(_ tools: String) async throws {
        let fresh = "\(home.folder)/new"
        let log = settings.state.log("setup")
        let password = "\(home.folder)/password"
        // The folder is the server's, who may put a link in the place of whatever has a name there.
        try Files.write(
            Array(try settings.state.secretText("db-admin").utf8), to: password, mode: 0o600, owner: home.user?.user)
        defer { unlink(password) }
        // Made under another name first, so that an interrupted start leaves no half database behind.
        try await runToEnd(Command("/bin/rm", ["-rf", fresh]), as: "Removing an unfinished database", log: log)
        var command = Command(
            "\(tools)/initdb",
            ["-D", fresh, "-U", "postgres", "-A", "scram-sha-256", "--pwfile", password, "-E", "UTF8", "--locale=C"],
            environment: settings.environment)
        command.user = home.user
        command.folder = "/"
        try await runToEnd(command, as: "Making the database", log: log)
        guard rename(fresh, home.data) == 0 else {
            throw Failure(
                .configuration, "database-folder", "\(home.data) cannot be made.", advice: "Check the folder's owner.")
        }
    }

    private func command(_ tools: String) -> Command {
        let options = [
            "listen_addresses=127.0.0.1", "port=\(port)", "unix_socket_directories=\(home.socket)",
            "max_connections=200", "shared_buffers=128MB", "max_wal_size=2GB", "jit=off", "fsync=on",
            "autovacuum=on", "password_encryption=scram-sha-256", "log_line_prefix=%m [%p] ", "log_statement=none",
        ]
        var command = Command(
            "\(tools)/postgres", ["-D", home.data] + options.flatMap { ["-c", $0] }, environment: settings.environment)
        command.user = home.user
        command.folder = "/"
        return command
    }

    private func answers(_ tools: String) async throws -> Bool {
        let command = Command(
            "\(tools)/pg_isready", ["-q", "-h", home.socket, "-p", "\(port)"], environment: settings.environment)
        return try await ChildProcess.start(command).wait().isSuccess
    }

    /// A password file of libpq for the administrator.
    private func passwordFile() throws(Failure) -> String {
        let path = "\(settings.state.path)/secrets/pgpass"
        let line = "*:*:*:postgres:\(try settings.state.secretText("db-admin"))\n"
        if try Files.readText(path) != line { try Files.write(line, to: path, mode: 0o600) }
        return path
    }

    /// Writes the database as of an exported snapshot into a file, and reads it back to its end.
    func dump(snapshot: String, to file: String) async throws {
        try await tool(
            "pg_dump", ["-d", "mirrormate", "--snapshot=\(snapshot)", "--format=custom", "--compress=3", "-f", file])
        let reading = Command(
            "\(try tools())/pg_restore", ["--file=/dev/null", file], environment: settings.environment)
        try await runToEnd(reading, as: "Reading the dump back", log: log, within: .seconds(3600))
    }

    /// Makes the database that of a dump; nothing else may be connected for long.
    func replace(with file: String) async throws {
        try await tool("psql", ["-X", "-q", "-d", "postgres", "-c", "drop database if exists mirrormate with (force)"])
        try await makeRoles()
        try await tool(
            "pg_restore",
            ["-d", "mirrormate", "--clean", "--if-exists", "--exit-on-error", "--single-transaction", file])
    }

    private var log: String { settings.state.log("operators") }

    private func tool(_ name: String, _ arguments: [String]) async throws {
        let place = ["-h", home.socket, "-p", "\(port)", "-U", "postgres"]
        var command = Command("\(try tools())/\(name)", place + arguments, environment: settings.environment)
        command.environment["PGPASSFILE"] = try passwordFile()
        try await runToEnd(command, as: "The program \(name)", log: log, within: .seconds(3600))
    }
}
