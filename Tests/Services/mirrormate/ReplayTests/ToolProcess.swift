import Contracts
import Glibc
import JSON
import Postgres
import Primitives
import Processes
import Runtime

/// `mirrormate` as a process that reads all schemas, whose database must have the name it has in a stack.
@Loop struct ToolProcess {
    /// The database's name in every stack.
    static let database = "mirrormate"

    private let state: String

    init(_ schemas: AllSchemas) throws {
        state = "/tmp/mirrormate-tool-\(UUID.v4())"
        let record: JSONValue = [
            "version": 1, "ports": ["postgres": .int(Int64(schemas.administrator.port))],
            "kafka": ["kind": "development", "bootstrap": "127.0.0.1:1"],
            "postgres": ["data": "", "socket": .string(schemas.administrator.host)],
        ]
        for folder in [state, "\(state)/run", "\(state)/secrets"] { mkdir(folder, 0o700) }
        try Self.write(record.text, to: "\(state)/run/stack.json")
        // Commands that only look make none, and this database asks for none.
        for role in ServiceName.allCases.map(\.rawValue) + ["reader"] {
            try Self.write("not-asked-for\n", to: "\(state)/secrets/db-\(role)")
        }
    }

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw TextFiles.Missing(path: path) }
        fputs(text, file)
        fclose(file)
    }

    /// Starts a command.
    func start(_ words: [String]) throws -> ChildProcess {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(decoding: buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = own.split(separator: "/").dropLast().joined(separator: "/")
        var command = Command("/\(folder)/mirrormate", words + ["--state", state])
        command.output = .pipe
        command.errorOutput = .pipe
        return try ChildProcess.start(command)
    }

    /// Waits for a command to end; returns its exit, standard output and standard error.
    func end(_ child: ChildProcess) async throws -> (exit: Exit, output: String, notes: String) {
        let output = try await child.output?.collect(limit: 1 << 20) ?? []
        let notes = try await child.errorOutput?.collect(limit: 1 << 20) ?? []
        return (
            try await child.wait(), String(decoding: output, as: UTF8.self), String(decoding: notes, as: UTF8.self)
        )
    }

    /// Runs a command to its end.
    func run(_ words: [String]) async throws -> (exit: Exit, output: String, notes: String) {
        try await end(try start(words))
    }

    /// Removes its state folder.
    func remove() { ScratchSpace.removeAll(state) }
}
