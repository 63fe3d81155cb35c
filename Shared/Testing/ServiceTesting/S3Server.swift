import Glibc
import HTTPClient
import ObjectStorage
import Primitives
import Processes
package import Runtime

/// A real S3 server for tests: the program that `S3_TEST_SERVER` names (a Versity S3 Gateway), started once for all tests
/// of the process, or the running server of `S3_TEST_ENDPOINT`.
@Loop package enum S3Server {
    /// Whether there is one; without it the tests on S3 are skipped.
    package nonisolated static let isThere = variable("S3_TEST_SERVER") != nil || variable("S3_TEST_ENDPOINT") != nil

    private static var starting: Task<String, any Error>?

    /// The variables of a store in its own bucket, which does not exist yet.
    ///
    /// - Parameter settings: replaces single variables.
    /// - Throws: `ProcessError` or `ObjectStoreError` if the server does not start.
    package static func variables(_ settings: [String: String] = [:]) async throws -> [String: String] {
        let task = starting ?? Loop.task { try await start() }
        starting = task
        let variables = [
            "OBJECT_STORE": "s3://test-\(UUID.v4())/some/where", "S3_ENDPOINT": try await task.value,
            "S3_ACCESS_KEY": variable("S3_TEST_ACCESS_KEY") ?? "test-access-key",
            "S3_SECRET_KEY": variable("S3_TEST_SECRET_KEY") ?? "for objects of tests",
        ]
        return variables.merging(settings) { $1 }
    }

    private static func start() async throws -> String {
        if let endpoint = variable("S3_TEST_ENDPOINT") { return endpoint }
        let folder = TemporaryFolder()
        for _ in 0..<5 {
            let port = try freePort()
            let command = Command(
                variable("S3_TEST_SERVER") ?? "",
                ["--quiet", "--port", "127.0.0.1:\(port)", "--virtual-domain", "localhost", "posix", folder.path],
                environment: [
                    "ROOT_ACCESS_KEY": "test-access-key", "ROOT_SECRET_KEY": "for objects of tests",
                    "PATH": "/usr/bin:/bin",
                ])
            let child = try ChildProcess.start(command)
            let id = child.id
            remembered.withLock { $0 = (id, folder) }
            atexit(clearAway)
            for _ in 0..<400 {
                if await answers(port) { return "http://localhost:\(port)" }
                try await Loop.sleep(for: .milliseconds(25))
            }
            // Another program may have taken the port.
            child.killGroup(SIGKILL)
        }
        throw ObjectStoreError.unavailable("the test's S3 server did not start.")
    }

    private static func answers(_ port: Int) async -> Bool {
        (try? await HTTPClient.shared.send(HTTPClientRequest("GET", "http://127.0.0.1:\(port)/"))) != nil
    }

    private static func freePort() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard bound else { throw ObjectStoreError.failed(errno) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private nonisolated static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}

/// What is cleared away when the tests' process ends.
private let remembered = Locked<(id: pid_t, folder: TemporaryFolder?)>((0, nil))

private func clearAway() {
    remembered.withLock {
        if $0.id > 0 { kill($0.id, SIGKILL) }
        $0.folder = nil
    }
}
