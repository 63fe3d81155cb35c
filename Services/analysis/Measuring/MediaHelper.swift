package import Contracts
import Glibc
package import JSON
package import Processes
package import Runtime

/// The program that measures videos, run once per attempt. It parses untrusted files with native code, so whatever goes
/// wrong there is a failed attempt, never a crashed service.
@Loop package struct MediaHelper {
    /// The outcome of an attempt.
    package enum Finding: Sendable, Equatable {
        /// The helper's document.
        case measured(JSONObject)
        /// No result, and whether a retry may succeed.
        case failed(FailureCode, retryable: Bool)
    }

    /// What the helper has reported by the time it exits.
    struct Said: Sendable {
        var result: JSONObject?
        var failure: (code: String, retryable: Bool)?
        var isGarbled = false
        var lines = 0
    }

    /// How many lines are read of a helper: more than one has to say. Who says more has been taken over and would keep the
    /// service busy.
    private static let mostLines = 64

    /// The longest line with a sound, or with pictures, in bytes: the helper takes 4 MiB at most out of a recording, and Base64 makes a third
    /// more of them.
    private static let longestPart = 8 << 20

    /// How many times as long as on a machine of its own a measurement may take by the clock. The helper itself ends earlier
    /// when it has used that much of the processors.
    package static let patience = 4

    private let program: String
    private let models: String
    private let sphinxModels: String?
    private let socket: String?

    /// - Parameters:
    ///   - program: the executable `mirrormate-media`, or `mirrormate-media-client`, which takes the same words.
    ///   - models: the folder of the speech recognizer's models; may be empty.
    ///   - sphinxModels: the folder of pocketsphinx's models; nil for the system's.
    ///   - socket: where the client finds `mirrormate-media serve`; nil when the program measures itself.
    package init(program: String, models: String, sphinxModels: String? = nil, socket: String? = nil) {
        self.program = program
        self.models = models
        self.sphinxModels = sphinxModels
        self.socket = socket
    }

    /// Starts measuring a file; the lines of the child's output report its progress.
    ///
    /// - Parameter words: a file with the words, where somebody else has written them down (``HeardWords``).
    /// - Throws: `ProcessError` when the helper cannot be started.
    package func start(
        input: String, scratch: String, maxSeconds: Int64, words: String? = nil
    ) throws(ProcessError) -> ChildProcess {
        try start(
            ["analyze", "--models", models] + (words.map { ["--words", $0] } ?? []), input, scratch, maxSeconds)
    }

    /// Starts taking the sound out of a file.
    ///
    /// - Throws: `ProcessError` when the helper cannot be started.
    package func startSound(
        input: String, scratch: String, maxSeconds: Int64
    ) throws(ProcessError) -> ChildProcess {
        try startPart("sound", input, scratch, maxSeconds)
    }

    /// Starts taking some pictures out of a file.
    ///
    /// - Throws: `ProcessError` when the helper cannot be started.
    package func startPictures(
        input: String, scratch: String, maxSeconds: Int64
    ) throws(ProcessError) -> ChildProcess {
        try startPart("frames", input, scratch, maxSeconds)
    }

    private func startPart(
        _ part: String, _ input: String, _ scratch: String, _ maxSeconds: Int64
    ) throws(ProcessError) -> ChildProcess {
        let child = try start([part], input, scratch, maxSeconds)
        child.output?.longestLine = Self.longestPart
        return child
    }

    private func start(
        _ words: [String], _ input: String, _ scratch: String, _ maxSeconds: Int64
    ) throws(ProcessError) -> ChildProcess {
        var command = Command(
            program,
            words + [
                "--input", input, "--scratch", scratch, "--max-seconds", "\(maxSeconds)", "--parent", "\(getpid())",
            ] + server, environment: environment)
        command.output = .pipe
        // The helper limits itself further; these limits hold even if it does not get that far.
        command.limits = Command.Limits(
            cpuSeconds: 900, addressSpaceBytes: 4 << 30, fileBytes: 2 << 30, openFiles: 256)
        return try ChildProcess.start(command)
    }

    /// Reads a child's lines to the end and waits for its exit.
    ///
    /// - Parameter stage: called with each finished stage.
    package func follow(_ child: ChildProcess, stage: @escaping @Loop (String) -> Void) async -> Finding {
        let reading = Loop.task { try await Self.read(child, stage) }
        let exit = try? await child.wait()
        // A stray descendant may hold the pipe open, but not for longer than this.
        let timer = EventLoop.shared.schedule(after: .seconds(2)) { reading.cancel() }
        defer { EventLoop.shared.cancel(timer) }
        let said = try? await reading.value
        return Self.finding(said ?? Said(), exit ?? .code(-1))
    }

    /// Waits for the sound that a child takes out of a file.
    ///
    /// - Returns: nil when there is none, or the child has failed.
    package func sound(of child: ChildProcess) async -> RecordingSound? {
        guard case .measured(let said) = await follow(child, stage: { _ in }) else { return nil }
        return RecordingSound(said)
    }

    /// Waits for the pictures that a child takes out of a file.
    ///
    /// - Returns: nil when there is none, or the child has failed.
    package func pictures(of child: ChildProcess) async -> [RecordingPicture]? {
        guard case .measured(let said) = await follow(child, stage: { _ in }) else { return nil }
        return RecordingPicture.all(said)
    }

    /// The engines that the helper would use, by task; nil if it does not answer.
    package func engines() async -> JSONObject? {
        var command = Command(program, ["version", "--models", models] + server, environment: environment)
        command.output = .pipe
        guard let child = try? ChildProcess.start(command) else { return nil }
        let timer = EventLoop.shared.schedule(after: .seconds(20)) { child.killGroup(SIGKILL) }
        defer { EventLoop.shared.cancel(timer) }
        let reading = Loop.task { try await child.output?.collect(limit: 65_536) ?? [] }
        guard let exit = try? await child.wait(), exit.isSuccess, let bytes = try? await reading.value else {
            return nil
        }
        return try? JSONObject.parse(bytes)
    }

    private var server: [String] { socket.map { ["--socket", $0] } ?? [] }

    private var environment: [String: String] {
        var variables = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]
        variables["MIRRORMATE_SPHINX_MODELS"] = sphinxModels
        return variables
    }

    private static func read(_ child: ChildProcess, _ stage: @Loop (String) -> Void) async throws -> Said {
        var said = Said()
        while let line = try await child.output?.next() {
            said.lines += 1
            guard said.lines <= mostLines else {
                said.isGarbled = true
                child.killGroup(SIGKILL)
                break
            }
            guard let object = try? JSONObject.parse(line.utf8) else {
                said.isGarbled = true
                continue
            }
            if let name = object["stage"]?.stringValue {
                stage(name)
            } else if let result = object["result"]?.objectValue {
                said.result = result
            } else if let error = object["error"]?.objectValue, let code = error["code"]?.stringValue {
                said.failure = (code, error["retryable"]?.boolValue ?? true)
            } else {
                said.isGarbled = true
            }
        }
        return said
    }

    /// The outcome by the helper's report and exit; a result counts only if the helper succeeded.
    nonisolated static func finding(_ said: Said, _ exit: Exit) -> Finding {
        switch exit {
        case .code(0):
            if let result = said.result, !said.isGarbled { return .measured(result) }
            return .failed(.analysisUnreadable, retryable: true)
        case .code(3), .code(4):
            guard let failure = said.failure else { return .failed(.analysisCrashed, retryable: true) }
            return .failed(code(failure.code), retryable: failure.retryable)
        case .code(69): return .failed(.helperMissing, retryable: true)
        case .code, .signal: return .failed(.analysisCrashed, retryable: true)
        }
    }

    /// A code in the form that events require; anything else is replaced.
    private nonisolated static func code(_ text: String) -> FailureCode {
        let isCode =
            (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D || (0x30...0x39).contains($0) }
        return isCode ? FailureCode(rawValue: text) : .analysisCrashed
    }
}

extension FailureCode {
    /// The helper died.
    package static let analysisCrashed = FailureCode(rawValue: "analysis-crashed")
    /// The helper succeeded but its document cannot be read.
    package static let analysisUnreadable = FailureCode(rawValue: "analysis-unreadable")
    /// The helper took too long.
    package static let analysisTimeout = FailureCode(rawValue: "analysis-timeout")
    /// The helper cannot be started or reached.
    package static let helperMissing = FailureCode(rawValue: "helper-missing")
    /// The recording is gone.
    package static let mediaMissing = FailureCode(rawValue: "media-missing")
    /// The object store or the disk failed.
    package static let storageFailed = FailureCode(rawValue: "storage-failed")
}
