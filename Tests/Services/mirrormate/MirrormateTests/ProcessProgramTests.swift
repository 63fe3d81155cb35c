import Glibc
import Processes
import Runtime
import ServiceTesting
import Testing

@testable import mirrormate

@Suite(.timeLimit(.minutes(10))) @Loop struct `The program of a process` {
    private let folder = TemporaryFolder()

    @Test func `is found by its path, also when another file has taken its place there, or none`() async throws {
        let bytes = try #require(try Files.read("/bin/sleep"))
        let place = "\(try #require(Files.absolute(folder.path)))/sleep"
        try Files.write(bytes, to: place, mode: 0o755)
        let child = try ChildProcess.start(Command(place, ["60"]))
        // Until then it is a copy of this process.
        while Files.program(of: "\(child.id)") != place { try await Loop.sleep(for: .milliseconds(5)) }
        unlink(place)
        #expect(Files.program(of: "\(child.id)") == place)
        try Files.write(bytes, to: place, mode: 0o755)
        #expect(Files.program(of: "\(child.id)") == place)
        child.kill(SIGKILL)
        _ = try await child.wait()
        #expect(Files.program(of: "\(child.id)") == nil)
    }
}
