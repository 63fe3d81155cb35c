import Crypto
import Glibc
import Primitives
import Processes
import Runtime
import ServiceTesting
import Testing
import TestingSupport
import TestingTools

@testable import mirrormate

/// The operators' key lies with the operator and the tools, its hash with the services.
@Suite(.timeLimit(.minutes(10))) @Loop struct `The operators' key` {
    private let key = "0123456789abcdef0123456789abcdef"

    /// A deployment as an older version left it: `infra/upgrade` finds all but what is asked here.
    private func deployment(key: String) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        for name in ["infra", "secrets", "secrets/kafka"] { try Files.makeFolder("\(folder.path)/\(name)") }
        let script = try #require(try Files.readText("\(Checkout.root)/infra/upgrade"))
        try Files.write(script, to: "\(folder.path)/infra/upgrade", mode: 0o755)
        try Files.write("A=b\n", to: "\(folder.path)/.env", mode: 0o644)
        for name in ["announcement-key", "kafka/tools.pem", "kafka/notifications.pem", "s3-secret-key"] {
            try Files.write("x\n", to: "\(folder.path)/secrets/\(name)", mode: 0o600)
        }
        try Files.write(key, to: "\(folder.path)/secrets/operator-key", mode: 0o444)
        return folder
    }

    @discardableResult
    private func upgrade(_ folder: TemporaryFolder) async throws -> String {
        var command = Command("\(folder.path)/infra/upgrade", environment: ["PATH": "/usr/bin:/bin"])
        command.output = .pipe
        let child = try ChildProcess.start(command)
        let text = String(decoding: try await child.output?.collect(limit: 65_536) ?? [], as: UTF8.self)
        #expect(try await child.wait().isSuccess)
        return text
    }

    @Test(arguments: ["", "\n", "\r\n"])
    func `of an older deployment gets its hash, however its file ends`(end: String) async throws {
        let folder = try deployment(key: key + end)
        let secrets = "\(folder.path)/secrets"
        try await upgrade(folder)
        let hash = try Files.readText("\(secrets)/operator-key-hash")
        #expect(hash == Hex.encode(SHA256.digest(key.utf8)) + "\n")
        #expect(try OperatorServices.key(in: "\(secrets)/operator-key") == key)
        let compose = ComposeDeployment(secrets: secrets)
        #expect(!compose.checkSecrets().contains { $0.code == "operator-key" })
        // Nothing that is there is overwritten; that it does not fit any more is found.
        try Files.write(String(key.reversed()), to: "\(secrets)/operator-key", mode: 0o444)
        try await upgrade(folder)
        #expect(try Files.readText("\(secrets)/operator-key-hash") == hash)
        #expect(compose.checkSecrets().contains { $0.code == "operator-key" })
    }

    @Test func `that services of an older version knew is to be changed, as the upgrade and the doctor say`()
        async throws
    {
        let folder = try deployment(key: key)
        let secrets = "\(folder.path)/secrets"
        let compose = ComposeDeployment(secrets: secrets)
        let long = time(nil) - 90 * 86_400
        var times = utimbuf(actime: long, modtime: long)
        #expect(utime("\(secrets)/operator-key", &times) == 0)
        #expect(try await upgrade(folder).contains("Change it"))
        #expect(compose.checkSecrets().contains { $0.code == "operator-key-old" })
        // As it says.
        try Files.write(String(key.reversed()), to: "\(secrets)/operator-key", mode: 0o444)
        unlink("\(secrets)/operator-key-hash")
        #expect(try await !upgrade(folder).contains("Change it"))
        #expect(!compose.checkSecrets().contains { $0.code.hasPrefix("operator-key") })
    }

    @Test func `lies with no service in Compose`() throws {
        let lines = try Checkout.text(of: "docker-compose.yml").split(separator: "\n")
        let services = lines.filter { $0.hasPrefix("  secrets: [db-") && $0.contains("announcement-keys") }
        #expect(services.count == Settings.services.count)
        for line in services {
            let names = line.split(whereSeparator: { " ,[]".contains($0) })
            #expect(names.contains("operator-key-hash") && !names.contains("operator-key"), "\(line)")
        }
    }

    @Test func `lies with no service of a local stack`() throws {
        let folder = TemporaryFolder()
        let state = try StateFolder(option: folder.path, home: folder.path, for: .change)
        let key = try state.secretText("operator-key")
        #expect(try state.hash(ofSecret: "operator-key") == Hex.encode(SHA256.digest(key.utf8)))
    }
}
