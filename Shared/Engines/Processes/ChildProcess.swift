import CSystem
import Glibc
package import Runtime

/// A running child process; its exit is an event on the loop.
///
/// Signals go through a pidfd, so they can never reach another process that reuses the id. Releasing the object does not
/// kill the child: use ``Command/bond`` or ``kill(_:)``.
@Loop package final class ChildProcess {
    /// The process id.
    package let id: Int32
    /// Standard output's lines, if the command asked for a pipe.
    package let output: LineReader?
    /// Standard error's lines, if the command asked for a pipe.
    package let errorOutput: LineReader?

    private let descriptor: Descriptor
    private var result: Exit?

    private init(id: Int32, descriptor: Descriptor, output: Int32?, errorOutput: Int32?) {
        self.id = id
        self.descriptor = descriptor
        self.output = output.map(LineReader.init(owning:))
        self.errorOutput = errorOutput.map(LineReader.init(owning:))
    }

    /// Starts a program.
    ///
    /// - Throws: `process-file` if a file for its streams cannot be opened, `process-start` if it cannot be started,
    ///   `process-watch` if the kernel is too old.
    package static func start(_ command: Command) throws(ProcessError) -> ChildProcess {
        let streams = try Streams(command)
        defer { streams.closeChildSide() }
        let id = spawn(command, streams)
        guard id > 0 else {
            streams.closeParentSide()
            throw ProcessError(
                "process-start", "\(command.executable) cannot be started", errno: -id,
                advice: "Check that it is installed and may be executed.")
        }
        let watched = mm_pidfd_open(id)
        guard watched >= 0 else {
            streams.closeParentSide()
            Glibc.kill(id, SIGKILL)
            waitpid(id, nil, 0)
            throw ProcessError(
                "process-watch", "\(command.executable) cannot be watched", errno: -watched,
                advice: "Linux 5.4 or newer is needed.")
        }
        return ChildProcess(
            id: id, descriptor: Descriptor(owning: watched), output: streams.outputReader,
            errorOutput: streams.errorReader)
    }

    /// Waits for the exit; later calls return at once. One task may wait at a time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; the child keeps running.
    package func wait() async throws -> Exit {
        while true {
            if let result { return result }
            var code: Int32 = 0
            switch mm_pidfd_result(descriptor.number, &code) {
            case 0: try await descriptor.readable()
            case 1: finish(.code(code))
            case 2: finish(.signal(code))
            // Someone else has collected the exit status; the process is gone, but not known to have succeeded.
            default: finish(.code(-1))
            }
        }
    }

    /// Signals the child; does nothing once its exit was seen.
    package func kill(_ signal: Int32) {
        if result == nil { _ = mm_pidfd_signal(descriptor.number, signal) }
    }

    /// Signals the child's whole process group; does nothing once its exit was seen. Only for children that lead a group.
    package func killGroup(_ signal: Int32) {
        if result == nil { Glibc.kill(-id, signal) }
    }

    private func finish(_ exit: Exit) {
        result = exit
        descriptor.close()
    }
}

/// Fills in the C request; all pointers stay valid until the child has called exec.
private func spawn(_ command: Command, _ streams: Streams) -> Int32 {
    let arguments = ([command.executable] + command.arguments).map { strdup($0) } + [nil]
    let environment = command.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    let path = strdup(command.executable)
    let folder = command.folder.flatMap { strdup($0) }
    defer {
        for text in arguments + environment { free(text) }
        free(path)
        free(folder)
    }
    var request = mm_spawn_request()
    request.path = UnsafePointer(path)
    request.folder = UnsafePointer(folder)
    request.input = streams.input
    request.output = streams.output
    request.error = streams.error
    request.cpu_seconds = command.limits.cpuSeconds
    request.address_space_bytes = command.limits.addressSpaceBytes
    request.file_bytes = command.limits.fileBytes
    request.open_files = command.limits.openFiles
    request.no_core = command.bond != .detached
    request.parent_death_signal = command.bond == .detached ? 0 : SIGKILL
    request.new_session = command.bond == .detached
    request.new_group = command.bond == .group
    if let user = command.user {
        request.change_user = true
        request.user = user.user
        request.group = user.group
    }
    return arguments.withUnsafeBufferPointer { arguments in
        environment.withUnsafeBufferPointer { environment in
            request.arguments = arguments.baseAddress
            request.environment = environment.baseAddress
            return mm_spawn(&request)
        }
    }
}
