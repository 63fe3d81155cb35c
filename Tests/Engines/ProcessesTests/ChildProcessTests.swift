import Glibc
import Processes
import Runtime
import Testing

@Loop @Suite("A child process") struct ChildProcessTests {
    private func shell(_ script: String) -> Command {
        var command = Command("/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
        command.output = .pipe
        command.errorOutput = .pipe
        return command
    }

    @Test("returns its lines, its last unfinished line and its exit code")
    func lines() async throws {
        let child = try ChildProcess.start(shell("printf 'one\\ntwo\\n\\nlast'; exit 7"))
        var lines: [String] = []
        while let line = try await child.output?.next() { lines.append(line) }
        #expect(lines == ["one", "two", "", "last"])
        #expect(try await child.wait() == .code(7))
        #expect(try await child.wait() == .code(7))
    }

    @Test("is held back, and loses nothing, when it writes more than a pipe holds")
    func backpressure() async throws {
        let child = try ChildProcess.start(shell("seq 1 200000"))
        var count = 0
        var last = ""
        while let line = try await child.output?.next() {
            count += 1
            last = line
        }
        #expect(count == 200_000)
        #expect(last == "200000")
        #expect(try await child.wait().isSuccess)
    }

    @Test("reports the signal that ended it")
    func killed() async throws {
        let child = try ChildProcess.start(shell("exec sleep 600"))
        child.kill(SIGKILL)
        #expect(try await child.wait() == .signal(SIGKILL))
    }

    @Test("is killed at its processor limit")
    func processorLimit() async throws {
        var command = shell("while :; do :; done")
        command.limits = Command.Limits(cpuSeconds: 1)
        let child = try ChildProcess.start(command)
        #expect(try await child.wait() == .signal(SIGKILL))
    }

    @Test("sees its other limits, its folder and only the environment it was given")
    func limits() async throws {
        var command = shell("ulimit -v; ulimit -n; ulimit -c; pwd; env | grep -v -e ^PWD= -e ^SHLVL= -e ^_=")
        command.limits = Command.Limits(addressSpaceBytes: 1 << 30, openFiles: 32)
        command.folder = "/"
        command.environment["NAME"] = "value"
        let child = try ChildProcess.start(command)
        let text = String(decoding: try await child.output?.collect(limit: 4_096) ?? [], as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.prefix(4) == ["1048576", "32", "0", "/"])
        #expect(Set(lines.dropFirst(4)) == ["PATH=/usr/bin:/bin", "NAME=value"])
        #expect(try await child.wait().isSuccess)
    }

    @Test("inherits only its three streams, and no ignored signals")
    func inheritance() async throws {
        let open = dup(STDIN_FILENO)
        defer { close(open) }
        let child = try ChildProcess.start(shell("exec 9>&-; ls /proc/$$/fd; grep SigIgn /proc/$$/status"))
        let text = String(decoding: try await child.output?.collect(limit: 4_096) ?? [], as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.prefix(3) == ["0", "1", "2"])
        #expect(!lines.contains("\(open)"))
        #expect(lines.last == "SigIgn:\t0000000000000000")
        #expect(try await child.wait().isSuccess)
    }

    @Test("that does not exist is an error that names it")
    func missing() async throws {
        let error = #expect(throws: ProcessError.self) { try ChildProcess.start(Command("/nowhere/program")) }
        #expect(error?.code == "process-start")
        #expect(error?.description.contains("/nowhere/program") == true)
    }
}
