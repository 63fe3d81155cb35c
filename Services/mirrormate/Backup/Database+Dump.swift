import Processes
import Runtime

extension Database {
    /// Writes the database as of an exported snapshot into a file, and reads it back to its end.
    func dump(snapshot: String, to file: String) async throws {
        try await tool(
            "pg_dump", ["-d", "mirrormate", "--snapshot=\(snapshot)", "--format=custom", "--compress=3", "-f", file])
        let reading = Command(
            "\(try tools())/pg_restore", ["--file=/dev/null", file], environment: settings.environment)
        try await run(reading, as: "Reading the dump back", log: log, within: .seconds(3600))
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
        try await run(command, as: "The program \(name)", log: log, within: .seconds(3600))
    }
}
