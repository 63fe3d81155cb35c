import Glibc
import HTTPClient
import Processes
import Runtime

/// The proxy through which a local stack asks what is outside, where `WAY_OUT` is true: the one of `docker-compose.yml`, which lets
/// through the hosts that the services' settings name, and no others.
@Loop struct WayOut {
    /// The name of the part.
    nonisolated static let name = "way-out"
    /// The services that ask anything outside.
    nonisolated static let users: Set<String> = ["analysis", "identity", "notifications", "quota", "reporting"]
    /// The settings that name hosts, as `infra/way-out/hosts` reads them.
    nonisolated static let variables = [
        "GOOGLE_CLIENT_IDS", "GOOGLE_KEYS_URL", "GOOGLE_TOKEN_URL", "APPLE_CLIENT_IDS", "APPLE_KEYS_URL",
        "APPLE_TOKEN_URL", "APPLE_REVOKE_URL", "BREACHED_PASSWORDS_URL", "PROVIDERS_FILE",
        "STRIPE_SECRET_KEY_FILE", "STRIPE_API_URL", "WAY_OUT_HOSTS", "WAY_OUT_NAME_SERVERS",
    ]

    let settings: Settings
    let port: UInt16
    /// What parts have as users of their own; nil when all run as the caller.
    let homes: PartHomes?

    /// Whether the caller wants one.
    ///
    /// - Parameter variable: gives a variable's value; by default of this process.
    /// - Throws: a failure when the variable is something else than true or false.
    nonisolated static func isWanted(_ variable: (String) -> String? = { Variables[$0] }) throws(Failure) -> Bool {
        switch variable("WAY_OUT") ?? "" {
        case "true": return true
        case "false", "": return false
        default:
            throw Failure(
                .configuration, "way-out-invalid", "WAY_OUT must be true or false.", advice: "Set it to one of them.")
        }
    }

    /// What the services that use it are given as `https_proxy`.
    var url: String { "http://127.0.0.1:\(port)" }

    static func part(_ state: StateFolder) -> StackPart { StackPart(name: name, state: state) }

    /// Starts the proxy if needed, anew where it would let others through, and waits until it answers.
    ///
    /// - Returns: whether it was started.
    func start() async throws -> Bool {
        let part = Self.part(settings.state)
        let files = try settings.infra("way-out")
        var command = Command("\(homes?.readable(files) ?? files)/start", [], environment: settings.environment)
        command.environment.merge(Variables.inherited(Self.variables)) { $1 }
        // Its rules, and the providers: with others it is another part.
        let rules = try Files.readText("\(files)/squid.conf.template") ?? ""
        let providers = try Variables["PROVIDERS_FILE"].flatMap { try Files.readText($0) } ?? ""
        command.environment["MIRRORMATE_CONFIGURATION"] = StateName.short(rules + providers)
        command.environment["WAY_OUT_LISTEN"] = "127.0.0.1:\(port)"
        command.environment["WAY_OUT_SQUID"] = try Self.program()
        if let homes {
            command.environment["WAY_OUT_FOLDER"] = try await homes.ownFolder(Self.name, of: PartUser.wayOut)
            command = try homes.command(command, as: PartUser.wayOut, named: Self.name)
        } else {
            command.environment["WAY_OUT_FOLDER"] = "\(settings.state.path)/\(Self.name)"
        }
        let started = try await part.ensure(command)
        for _ in 0..<200 {
            // It refuses what is no tunnel, which is an answer.
            if await PortProbe.status(port: port, path: "/") != nil { return started }
            guard part.id != nil else { throw part.failed("ended while starting") }
            try await Loop.sleep(for: .milliseconds(50))
        }
        throw part.failed("does not answer after ten seconds")
    }

    private static func program() throws(Failure) -> String {
        for path in ["/usr/sbin/squid", "/usr/local/sbin/squid"] where Files.isExecutable(path) { return path }
        throw Failure(
            .configuration, "no-squid", "WAY_OUT is true, and squid is not installed.",
            advice: "Install it (on Debian: apt-get install squid), or unset WAY_OUT.")
    }
}
