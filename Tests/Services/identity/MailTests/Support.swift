import Configuration
import EventStore
import Glibc
import Mail
import Observability
import Postgres
import PostgresTesting
import Primitives
import Processes
import Runtime
import ServiceTesting
import Testing

/// A mail to nobody in particular.
func makeMail(
    _ text: String = "Hello.\n", subject: String = "A subject", name: String? = nil,
    to address: String = "ada@example.org"
) throws -> OutgoingMail {
    let recipient = try #require(MailAddress(address, name: name))
    let sender = try #require(MailAddress("no-reply@example.org", name: "MirrorMate"))
    return OutgoingMail(
        id: .v7(), owner: .v7(), from: sender, MailMessage(to: recipient, subject: subject, text: text),
        at: Timestamp(seconds: 1_795_000_000))
}

/// Settings from variables that are all right.
func makeSettings(_ variables: [String: String]) throws -> MailSettings {
    let environment = Environment(["MAIL_FROM": "MirrorMate <no-reply@example.org>"].merging(variables) { $1 })
    let settings = MailSettings(environment)
    try environment.finish()
    return settings
}

/// A mail server in a process of its own.
@Loop final class TestServer {
    let port: Int
    let folder = TemporaryFolder()
    private let process: ChildProcess

    init(_ arguments: [String] = []) async throws {
        let script = String(#filePath).split(separator: "/").dropLast().joined(separator: "/")
        var command = Command("/usr/bin/env", ["python3", "/\(script)/smtp-server.py", folder.path] + arguments)
        command.environment["PATH"] = String(cString: getenv("PATH"))
        command.output = .pipe
        command.errorOutput = .inherited
        process = try ChildProcess.start(command)
        let line = try await process.output?.next()
        port = try #require(line.flatMap { Int($0) })
    }

    func stop() async throws {
        process.killGroup(SIGKILL)
        _ = try await process.wait()
    }

    /// The mails that have come, in their order, each behind a line with its envelope.
    var mails: [String] {
        var found: [String] = []
        while let text = readText("\(folder.path)/\(found.count + 1).eml") { found.append(text) }
        return found
    }
}

/// The content of a file, or nothing.
func readText(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
}

/// A certificate for 127.0.0.1, signed by itself, made once.
enum TestCertificate {
    /// Within the folder of the tests' PostgreSQL, which goes with the process.
    private static let folder: String = {
        let folder = "\(TestPostgres.administrator.host)/certificate"
        let status = system(
            """
            mkdir \(folder) && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
            -subj /CN=test -addext subjectAltName=IP:127.0.0.1 -keyout \(folder)/key -out \(folder)/certificate 2>/dev/null
            """)
        precondition(status == 0, "The program openssl could not make a certificate; install the package openssl.")
        return folder
    }()
    static var path: String { "\(folder)/certificate" }
    static func arguments(_ kind: String) -> [String] { ["--tls", kind, path, "\(folder)/key"] }
}

/// A database with an outbox in it.
@Loop func withStore(_ body: @Loop (EventStore) async throws -> Void) async throws {
    let database = try await TestPostgres.makeDatabase(schemas: ["mail"])
    _ = try await Migrator(
        schema: "mail", role: "mail", migrations: Migration.eventStore + Migration.mail + [Migration.mailSessions]
    )
    .run(database.administrator)
    let store = EventStore(try #require(database.roles["mail"]))
    do { try await body(store) } catch {
        await store.close()
        throw error
    }
    await store.close()
}

/// An outbox whose mails all say the same, to an address that a kind may name.
@Loop func makeOutbox(_ store: EventStore, _ settings: MailSettings) -> MailOutbox {
    MailOutbox(store, settings, log: Logger(label: "test")) { entry in
        if entry.kind == "nothing" { return nil }
        let name = entry.kind == "nobody" ? "nobody" : "ada"
        return MailMessage(to: MailAddress("\(name)@example.org")!, subject: "A subject", text: "Hello.\n")
    }
}
