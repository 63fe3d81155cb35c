import Glibc
import Primitives
import Processes
import Runtime

/// One long-running process of the stack, which outlives the command that started it.
///
/// Its file `run/NAME.pid` names the process so that another one with the same number is never taken for it, carries a
/// fingerprint of program and settings, so that a changed one is started anew, and says which folder it was written to: in a
/// copy of a state folder it counts for nothing, because the process is the original's.
@Loop struct StackPart {
    /// The name of its pid file and log.
    let name: String
    let state: StateFolder

    private var file: String { state.run("\(name).pid") }
    var log: String { state.log(name) }

    /// The running process, or nil.
    var running: ProcessReference? { known.flatMap { ProcessReference($0.identity) } }

    /// The number of the running process, or nil.
    var id: Int32? { known.flatMap { $0.identity.isRunning ? $0.identity.id : nil } }

    /// The process that was started last, whether it runs or not; nil when none was, or when it was ended in order.
    var noted: ProcessIdentity? { known?.identity }

    /// Starts the process unless it runs already with the same program and settings.
    ///
    /// - Parameter starting: how to start it when it is not simply the command itself; gives the process's number.
    /// - Returns: whether it was started.
    func ensure(_ command: Command, starting: (@Loop () async throws -> Int32?)? = nil) async throws -> Bool {
        let print = Self.fingerprint(command)
        if let known, known.identity.isRunning {
            if known.fingerprint == print {
                if !known.isPlaced { try note(known.identity, command) }
                return false
            }
            _ = try await stop(with: SIGTERM, patience: .seconds(20))
        }
        try await endLeftovers(of: command.executable)
        if let starting {
            let identity = try await starting().flatMap(ProcessIdentity.init(of:))
            // Whoever named it could have named any process, and root ends what is noted.
            guard (identity?.users ?? []).isSubset(of: [command.user?.user ?? geteuid()]) else {
                throw failed("named process \(identity?.id ?? 0) as its own, which runs as another user")
            }
            try note(identity, command)
        } else {
            try await start(command)
        }
        return true
    }

    /// Ends what a killed process left behind of its own program, such as the workers of nginx, which hold its port.
    func endLeftovers(of executable: String) async throws {
        guard let known, !known.identity.isRunning else { return }
        for member in known.identity.sessionMembers where Files.program(of: "\(member.id)") == executable {
            if let process = ProcessReference(member) { _ = try await process.stop(patience: .seconds(10)) }
        }
    }

    /// Starts the process, detached, with its output in its log, and notes it in its file.
    func start(_ command: Command) async throws {
        var command = command
        command.bond = .detached
        command.output = .file(log)
        command.errorOutput = .file(log)
        try note(ProcessIdentity(of: try ChildProcess.start(command).id), command)
    }

    private func note(_ identity: ProcessIdentity?, _ command: Command) throws(Failure) {
        // It may end at once; then there is nothing to note, and whoever waits for it finds its last words in the log.
        guard let identity else { return }
        let place = Files.identity(ofFolder: Files.folder(of: file)) ?? ""
        try Files.write("\(identity.line) \(Self.fingerprint(command)) \(place)\n", to: file)
    }

    /// Ends the process and forgets it.
    ///
    /// - Returns: whether it ran.
    func stop(
        with signal: Int32 = SIGTERM, patience: Duration, leftoversOf executable: String? = nil
    ) async throws -> Bool {
        let ran = running
        if ran == nil, let executable { try await endLeftovers(of: executable) }
        if let ran { _ = try await ran.stop(with: signal, patience: patience) }
        unlink(file)
        return ran != nil
    }

    /// The failure of a process that ended or did not become ready.
    func failed(_ what: String, logAfter offset: Int64 = 0) -> Failure {
        let words = Files.tail(log, lines: 8, after: offset).map { "    \($0)" }.joined(separator: "\n")
        return Failure(
            .unavailable, "not-started", "\(name) \(what).\(words.isEmpty ? "" : " Its last words:\n\(words)")",
            advice: "Read \(log), mend the cause, then run `mirrormate up` again.")
    }

    private var known: Note? {
        (try? state.text("run/\(name).pid")).flatMap { Note($0, in: Files.folder(of: file)) }
    }

    /// What a pid file says.
    struct Note {
        let identity: ProcessIdentity
        let fingerprint: String
        /// Whether it says where it was written; older versions did not.
        let isPlaced: Bool

        /// What a text says that lies in a folder; nil when it was written to another one, or is none of these.
        init?(_ text: String, in folder: String) {
            let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)
            guard words.count == 4 || words.count == 5, let identity = ProcessIdentity(line: text) else { return nil }
            if words.count == 5, words[4] != Files.identity(ofFolder: folder) { return nil }
            self.identity = identity
            fingerprint = words[3]
            isPlaced = words.count == 5
        }
    }

    private static func fingerprint(_ command: Command) -> String {
        let variables = command.environment.sorted { $0.key < $1.key }
            .filter { !["PATH", "HOME", "LANG"].contains($0.key) }.map { "\($0.key)=\($0.value)" }
        var all = [command.executable, Files.stamp(command.executable) ?? ""] + command.arguments + variables
        if let user = command.user { all.append("user \(user.user)") }
        return String(StableHash.fnv1a64(all.joined(separator: "\0")), radix: 16)
    }
}
