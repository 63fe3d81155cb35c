import Glibc
import Processes
import Runtime
import Testing

@Loop @Suite("A reference to a process") struct ProcessReferenceTests {
    private func sleeper() throws -> ChildProcess {
        try ChildProcess.start(Command("/bin/sleep", ["600"]))
    }

    @Test("stops the process it names")
    func stops() async throws {
        let child = try sleeper()
        let identity = try #require(ProcessIdentity(of: child.id))
        #expect(identity.isRunning)
        let reference = try #require(ProcessReference(identity))
        #expect(try await reference.stop(patience: .seconds(30)))
        #expect(try await child.wait() == .signal(SIGTERM))
        #expect(!identity.isRunning)
        #expect(ProcessReference(identity) == nil)
    }

    @Test("kills a process that ignores the request to end")
    func kills() async throws {
        var command = Command("/bin/sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 600; done"])
        command.output = .pipe
        let child = try ChildProcess.start(command)
        defer { child.killGroup(SIGKILL) }
        #expect(try await child.output?.next() == "ready")
        let reference = try #require(ProcessIdentity(of: child.id).flatMap { ProcessReference($0) })
        #expect(try await !reference.stop(patience: .milliseconds(50)))
        #expect(try await child.wait() == .signal(SIGKILL))
    }

    @Test("is known by a line of text, and says whose the process is")
    func line() async throws {
        let child = try sleeper()
        let identity = try #require(ProcessIdentity(of: child.id))
        #expect(ProcessIdentity(line: identity.line) == identity)
        #expect(ProcessIdentity(line: "\(identity.line) more\n") == identity)
        for text in ["", "1 2", "one 2 three", "\u{0}"] { #expect(ProcessIdentity(line: text) == nil) }
        #expect(identity.users == [geteuid()])
        let another = ProcessIdentity(id: identity.id, startTicks: identity.startTicks - 1, boot: identity.boot)
        #expect(another.users == [])
        child.kill(SIGKILL)
        _ = try await child.wait()
        #expect(identity.users == [])
    }

    @Test("is not made for another process that reuses the id")
    func reused() async throws {
        let child = try sleeper()
        let identity = try #require(ProcessIdentity(of: child.id))
        let earlier = ProcessIdentity(id: identity.id, startTicks: identity.startTicks - 1, boot: identity.boot)
        let otherBoot = ProcessIdentity(id: identity.id, startTicks: identity.startTicks, boot: "another")
        #expect(ProcessReference(earlier) == nil)
        #expect(ProcessReference(otherBoot) == nil)
        child.kill(SIGKILL)
        _ = try await child.wait()
    }
}
