import CClock
import Glibc
import HTTPClient
import Processes
import Runtime
import ServiceKit

/// A stack that the doctor looks at.
@Loop protocol Deployment {
    /// Folders whose disks must have room.
    var folders: [String] { get }
    /// What does not run, causes first, as far as that can be seen from here.
    func checkParts() -> [DoctorFinding]
    func checkSecrets() -> [DoctorFinding]
    func checkGateway() async -> [DoctorFinding]
    /// Parts that have more rights than they need.
    func checkUsers() -> [DoctorFinding]
    /// The command by which a service checks itself.
    func command(_ service: String) async throws -> Command
    /// The addresses of the admin ports of a service's copies.
    func adminAddresses(of service: String) -> [String]
    /// The secret that opens the admin ports' routes for operators.
    func operatorKey() throws(Failure) -> String
    /// How to read a service's log.
    func logHint(_ service: String) -> String
}

/// The stack of docker-compose.yml, seen from the container `tools` inside it.
@Loop struct ComposeDeployment: Deployment {
    nonisolated static var isHere: Bool { Variables["MIRRORMATE_DEPLOYMENT"] == "compose" }

    /// How whoever is told that something does not answer sees what runs, and starts it.
    nonisolated static var whatRuns: String {
        isHere
            ? "`docker compose ps -a` says what runs; `docker compose up -d` starts what is missing."
            : "`mirrormate status` says what runs; `mirrormate up` starts what is missing."
    }

    /// Refuses what is about a stack that `mirrormate up` started.
    nonisolated static func refuse(_ command: String, instead: String) throws(Failure) {
        guard isHere else { return }
        throw Failure(
            .configuration, "not-here", "`mirrormate \(command)` is for a stack without containers.", advice: instead)
    }

    // Other containers' processes are not to be seen from inside one: the services and their ports say what is not there.
    func checkParts() -> [DoctorFinding] { [] }

    let folders = ["/var/lib/mirrormate/objects"]
    private let secrets: String

    nonisolated init(secrets: String = "/run/secrets") { self.secrets = secrets }

    func checkSecrets() -> [DoctorFinding] {
        let names =
            Settings.services.map { "db-\($0)" } + [
                "db-admin", "db-reader", "key-encryption-key", "upload-key", "webhook-key", "s3-secret-key",
                "operator-key",
            ]
        return checkOperatorKey()
            + names.compactMap { name in
                let text = (try? Files.readText("\(secrets)/\(name)")) ?? ""
                if text.count >= 32, Set(text).count >= 8 { return nil }
                return DoctorFinding(
                    "secrets", "secret",
                    text.isEmpty ? "secrets/\(name) cannot be read." : "secrets/\(name) is no random text.",
                    "Put back the one of your backup; for a new stack remove .env and secrets/ and run infra/init.")
            }
    }

    /// A key that was changed without its hash, so that services go on to accept the old one; or one that was there long before
    /// its hash.
    private func checkOperatorKey() -> [DoctorFinding] {
        let (keyFile, hashFile) = ("\(secrets)/operator-key", "\(secrets)/operator-key-hash")
        if let key = Files.writtenAt(keyFile), let hash = Files.writtenAt(hashFile), hash - key > 86_400 {
            return [
                DoctorFinding(
                    "secrets", "operator-key-old",
                    "secrets/operator-key is older than its hash: every service of an older version may have known it.",
                    "Write another key, remove secrets/operator-key-hash, run infra/upgrade and start the services anew: "
                        + "docs/operations.md, 'Changing secrets without a pause'.")
            ]
        }
        guard let key = try? operatorKey(), let text = try? Files.readText("\(secrets)/operator-key-hash"),
            KeyHash(String(text.prefix { !$0.isNewline }))?.fits(key) != true
        else { return [] }
        return [
            DoctorFinding(
                "secrets", "operator-key", "secrets/operator-key-hash is not the hash of secrets/operator-key.",
                "Remove it, run infra/upgrade and start the services anew: docs/operations.md, 'Changing secrets without a pause'."
            )
        ]
    }

    func checkGateway() async -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        let url = Variables["PUBLIC_URL"] ?? ""
        let scheme = url.hasPrefix("https:") ? "https" : "http"
        if scheme == "https", !Files.exists("/run/tls/certificate.pem") {
            findings.append(
                DoctorFinding(
                    "gateway", "certificate", "PUBLIC_URL is https, but there is no secrets/tls/certificate.pem.",
                    "Put certificate.pem and key.pem there, or run infra/local-ca NAME."))
        }
        // By the health port: the certificate names the public name, not the one in here.
        if await Self.status("http://gateway:8082/") != 204 {
            findings.append(
                DoctorFinding(
                    "gateway", "gateway", "The gateway does not answer.",
                    "docker compose logs gateway says why; a taken port: change GATEWAY_PORT and PUBLIC_URL in .env."))
        }
        return findings
    }

    // What a container runs as is the image's affair; the tests of the deployment look.
    func checkUsers() -> [DoctorFinding] { [] }

    func command(_ service: String) -> Command {
        let names = [
            "DATABASE_HOST", "DATABASE_NAME", "DATABASE_TLS", "DATABASE_AUTHORITY_FILE", "KAFKA_BOOTSTRAP_SERVERS",
            "KAFKA_SECURITY", "KAFKA_AUTHORITY_FILE",
            "PUBLIC_URL", "PATH",
        ]
        var environment = Variables.inherited(names)
        environment["KAFKA_CERTIFICATE_FILE"] = "\(secrets)/kafka-\(service)"
        environment["DATABASE_PASSWORD_FILE"] = "\(secrets)/db-\(service)"
        environment["ANNOUNCEMENT_KEYS_FILE"] = "\(secrets)/announcement-keys"
        environment["OPERATOR_KEY_HASH_FILE"] = "\(secrets)/operator-key-hash"
        environment["GATEWAY_KEY_HASH_FILE"] = "\(secrets)/gateway-hash-\(service)"
        environment["LOG_LEVEL"] = "error"
        return Command("/usr/local/bin/\(service)", ["check"], environment: environment)
    }

    func adminAddresses(of service: String) -> [String] { ["http://\(service):9090"] }

    func operatorKey() throws(Failure) -> String { try OperatorServices.key(in: "\(secrets)/operator-key") }

    func logHint(_ service: String) -> String { "docker compose logs \(service)" }

    /// The status of a page, or nil when nobody answers within three seconds.
    static func status(_ url: String) async -> Int? {
        try? await HTTPClient.shared.send(HTTPClientRequest("GET", url), deadline: .seconds(3)).status
    }
}

/// The stack that `mirrormate up` started.
@Loop struct LocalDeployment: Deployment {
    private let stack: Stack

    init(_ arguments: Arguments, _ console: Console) throws(Failure) {
        let settings = try Settings(arguments, for: .look)
        // Root may look at files of others, but the checks run as the parts' users do.
        try StackOwner.requireFolder(settings.state.path)
        stack = Stack(settings, console)
    }

    var folders: [String] {
        let state = stack.settings.state.path
        return [state, "\(state)/objects", StackRecord.load(stack.settings.state).database].filter { !$0.isEmpty }
    }

    func checkParts() -> [DoctorFinding] {
        if stack.record.ports.isEmpty { return [] }
        let restore =
            stack.record.isRestoring
            ? [
                DoctorFinding(
                    "stack", "restore-broken-off", StackRecord.brokenOff,
                    "Wait for it if it is still under way. \(StackRecord.brokenOffAdvice)")
            ] : []
        return restore
            + (stack.troubles + stack.supervisorTroubles).map {
                DoctorFinding($0.part, $0.kind.rawValue, $0.sentence + ".", $0.advice)
            }
    }

    func checkSecrets() -> [DoctorFinding] {
        let folder = "\(stack.settings.state.path)/secrets"
        var facts = stat()
        guard stat(folder, &facts) == 0 else { return [] }
        if facts.st_mode & 0o077 == 0 { return [] }
        return [DoctorFinding("secrets", "secrets-open", "\(folder) is open to others.", "chmod 700 \(folder)")]
    }

    func checkGateway() async -> [DoctorFinding] {
        if stack.record.ports.isEmpty {
            return [DoctorFinding("stack", "never-started", "This stack was never started.", "Run `mirrormate up`.")]
        }
        // Of one that does not run that is said already, and what it hands on to may be what does not.
        if StackPart(name: "gateway", state: stack.settings.state).trouble != nil { return [] }
        if await ComposeDeployment.status("\(stack.url)/.well-known/jwks.json") == 200 { return [] }
        return [
            DoctorFinding(
                "gateway", "gateway", "\(stack.url) does not answer.", "Run `mirrormate up`; it starts what is missing."
            )
        ]
    }

    func checkUsers() -> [DoctorFinding] {
        let parts = stack.services.map { $0.part } + [StackPart(name: "kafka", state: stack.settings.state)]
        let roots = parts.filter { $0.id.map(PartUser.isRoot) ?? false }.map { part in
            DoctorFinding(
                part.name, "runs-as-root", "\(part.name) runs as root: who takes it over has this machine.",
                "Run `mirrormate up` of this version, which gives each part a user of its own.")
        }
        return roots
            + ObjectKeys.shared().map { service in
                DoctorFinding(
                    service, "object-key-shared",
                    "\(service) comes to the S3 server with the key for all: it may do there what any of them may.",
                    "Make a user for it there; set S3_\(service.uppercased())_ACCESS_KEY and its secret key.")
            }
    }

    func command(_ service: String) async throws -> Command {
        let environment = ServiceEnvironment(
            settings: stack.settings,
            database: (stack.record.socket, stack.record.ports["postgres"] ?? 5432),
            kafka: (
                Broker.Kind(rawValue: stack.record.kafkaKind) ?? .development,
                stack.record.kafkaBootstrap.isEmpty ? "127.0.0.1:1" : stack.record.kafkaBootstrap
            ), publicURL: stack.url, homes: try await PartHomes.find(stack.settings))
        return try environment.check(service)
    }

    func adminAddresses(of service: String) -> [String] {
        stack.services.filter { $0.service == service }.map { "http://127.0.0.1:\($0.adminPort)" }
    }

    func operatorKey() throws(Failure) -> String {
        try stack.settings.state.secretText("operator-key")
    }

    func logHint(_ service: String) -> String { stack.settings.state.log(service) }
}
