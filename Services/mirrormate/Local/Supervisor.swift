import Glibc
import JSON
import Primitives
import Processes
import Runtime

/// The hidden command `supervise`: starts anew what of a stack died, and says so in its log. `up` starts it, `down` ends it first.
///
/// It does what `up` does, with the variables that `up` had: with others every part would be started anew.
@Loop struct Supervisor {
    /// How long after a start that failed the next one is tried.
    private static let pause = Duration.seconds(10)

    private let settings: Settings

    static func part(_ state: StateFolder) -> StackPart { StackPart(name: "supervisor", state: state) }

    /// Starts it anew where the stack wants one, and else ends it.
    static func settle(_ settings: Settings, _ console: Console) async throws {
        guard let own = Files.program() else { throw part(settings.state).failed("cannot find its program") }
        let lock = try settings.state.supervisorLock(console)
        defer { close(lock) }
        // One that has given a part up, or knows earlier variables, begins anew.
        _ = try await part(settings.state).stop(patience: .seconds(20))
        // As it is now: another command may have chosen meanwhile.
        let record = StackRecord.load(settings.state)
        guard record.restarts, !record.isRestoring else { return }
        var command = Command(
            own, ["supervise", "--state", settings.state.path, "--bin", settings.programs], environment: Variables.all)
        // Paths of the environment may be relative.
        command.folder = Files.absolute(".")
        _ = try await part(settings.state).ensure(command)
    }

    /// Ends it.
    static func stop(_ state: StateFolder, _ console: Console) async throws {
        let lock = try state.supervisorLock(console)
        defer { close(lock) }
        _ = try await part(state).stop(patience: .seconds(10))
    }

    /// Watches until SIGTERM or SIGINT.
    static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let supervisor = Supervisor(settings: try Settings(arguments))
        do {
            try await Interrupt.cancelling { try await supervisor.watch(console) }
        } catch is CancellationError {}
        return .success
    }

    /// Waits until no other one watches over the same stack, such as one that is ending: two would start the same parts.
    ///
    /// - Returns: what is held until it is closed or this process ends.
    private func alone() async throws -> Int32 {
        let folder = open(settings.state.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            guard isNoted() else { throw CancellationError() }
            try await Loop.sleep(for: .milliseconds(200))
        }
        return folder
    }

    /// Whether this process is the stack's supervisor; another one may have been started instead.
    private func isNoted() -> Bool { Self.part(settings.state).id == getpid() }

    private func watch(_ console: Console) async throws {
        // Whoever starts it notes it right afterwards.
        for _ in 0..<50 where !isNoted() { try await Loop.sleep(for: .milliseconds(100)) }
        let held = try await alone()
        defer { close(held) }
        var patience = RestartPatience()
        // What was gone at the look before: that is no other death.
        var before: Set<String> = []
        var nextTry = Timestamp.epoch
        while true {
            try await Loop.sleep(for: .seconds(1))
            // Somebody has deleted all of it by hand.
            guard Files.exists(settings.state.run("stack.json")), isNoted() else { return }
            let stack = Stack(settings, Console(Manner(isQuiet: true)))
            // Whoever restores starts what is missing in the end.
            if stack.record.isRestoring { continue }
            stack.isSupervised = false
            let gone = stack.troubles.filter { $0.kind == .gone }
            let died = gone.filter { !before.contains($0.part) }
            before = Set(gone.map(\.part))
            for trouble in died { patience.died(trouble.part, at: .now()) }
            let wanted = gone.filter { !patience.isGivenUp($0.part) }
            for trouble in gone where patience.isGivenUpNow(trouble.part) {
                say(
                    "error", "\(trouble.part) died \(RestartPatience.most) times within a minute and is left alone",
                    console)
            }
            guard !wanted.isEmpty, !died.isEmpty || .now() >= nextTry else { continue }
            for trouble in wanted { say("warning", "\(trouble.sentence); it is started anew", console) }
            do {
                try await stack.up(instances: nil)
                say("info", "\(wanted.map(\.part).joined(separator: ", ")): started anew", console)
                before = []
            } catch is CancellationError {
                throw CancellationError()
            } catch let failure as Failure {
                say("error", "\(failure.message) \(failure.advice)", console)
            } catch {
                // Whatever it was, nobody else would start anything.
                say("error", "Starting anew failed: \(error)", console)
            }
            nextTry = .now() + Self.pause
        }
    }

    private func say(_ level: String, _ message: String, _ console: Console) {
        let line: JSONValue = [
            "ts": .time(.now()), "level": .string(level), "service": "supervisor", "message": .string(message),
        ]
        console.print(line.text)
    }
}

/// How often a part is started anew before it is left alone: one that dies again and again is not helped by that.
struct RestartPatience {
    /// So many times within a minute.
    static let most = 5

    private var deaths: [String: [Timestamp]] = [:]
    private var givenUp: Set<String> = []
    private var told: Set<String> = []

    /// Takes that a part which ran is gone; after so many times it is given up.
    mutating func died(_ part: String, at now: Timestamp) {
        if givenUp.contains(part) { return }
        let recent = (deaths[part] ?? []).filter { $0 > now - .seconds(60) }
        if recent.count < Self.most { deaths[part] = recent + [now] } else { givenUp.insert(part) }
    }

    /// Whether a part is left alone.
    func isGivenUp(_ part: String) -> Bool { givenUp.contains(part) }

    /// Whether a part was given up and that was not said yet; says it once.
    mutating func isGivenUpNow(_ part: String) -> Bool { givenUp.contains(part) && told.insert(part).inserted }
}
