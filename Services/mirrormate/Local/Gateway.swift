import Glibc
import HTTPClient
import Processes
import Runtime

/// The private nginx in front of all services.
@Loop struct Gateway {
    let settings: Settings
    let port: UInt16
    /// The folder with the app page's files, which nginx's workers can read.
    let page: String

    private var part: StackPart { StackPart(name: "gateway", state: settings.state) }

    /// Starts nginx if needed and waits until it answers.
    ///
    /// - Returns: whether it was started.
    func start(_ instances: [ServiceInstance]) async throws -> Bool {
        let folder = "\(settings.state.path)/gateway"
        // Names this very gateway, so that another program's answer on the same port is not taken for its own.
        let stamp = StateName.short("\(settings.state.path) \(port)")
        let text = Self.configuration(
            template: try Files.readText(try settings.infra("gateway/nginx.conf.template")) ?? "", port: port,
            keys: try Settings.services.map { service throws(Failure) in
                (service, try settings.state.secretText("gateway-\(service)"))
            },
            stamp: stamp, page: page, logs: "\(settings.state.path)/logs", isRoot: geteuid() == 0,
            limits: try GatewayLimits(),
            upstreams: Settings.services.map { service in
                (service, instances.filter { $0.service == service }.map(\.port))
            })
        try Files.write(text, to: "\(folder)/nginx.conf", mode: 0o600)
        var command = Command(
            try Self.program(),
            ["-p", folder, "-c", "\(folder)/nginx.conf", "-e", settings.state.log("gateway-error")],
            environment: settings.environment)
        // nginx does not read it; it makes another configuration another fingerprint, so that nginx is started anew.
        command.environment["MIRRORMATE_CONFIGURATION"] = StateName.short(text)
        let started = try await part.ensure(command)
        for _ in 0..<200 {
            if await PortProbe.status(port: port, path: "/.gateway/\(stamp)") == 204 { return started }
            guard part.id != nil else { throw part.failed("ended while starting") }
            try await Loop.sleep(for: .milliseconds(50))
        }
        throw part.failed("does not answer after ten seconds")
    }

    /// The template with its words replaced.
    nonisolated static func configuration(
        template: String, port: UInt16, keys: [(service: String, key: String)], stamp: String, page: String,
        logs: String, isRoot: Bool, limits: GatewayLimits,
        upstreams: [(name: String, ports: [UInt16])]
    ) -> String {
        let blocks = upstreams.map { name, ports in
            let servers = ports.map { "        server 127.0.0.1:\($0) max_fails=0;" }.joined(separator: "\n")
            return "    upstream \(name) {\n\(servers)\n        keepalive 16;\n    }\n"
        }
        // Only root may choose whom the workers run as; they need no rights at all.
        return [
            "@USER@": isRoot ? "user nobody nogroup;" : "",
            "@LOGS@": logs,
            "@STAMP@": stamp,
            "@PAGE@": page,
            "@LISTEN@": "127.0.0.1:\(port)",
            "@KEYS@": keys.map { "        \"~^\($0.service)(:|$)\" \($0.key);" }.joined(separator: "\n"),
            "@UPSTREAMS@": blocks.joined(),
            "@CONNECTIONS@": "\(limits.connections)",
            "@STREAMS@": "\(limits.streams)",
            "@UPLOAD_LIMIT@": "\(limits.uploadBytes)", "@STORAGE_LIMIT@": "\(limits.uploadBytes + 65_536)",
            "@HTTP@": limits.realAddress,
            "@SERVER@": "",
        ].reduce(template) { replace($1.key, with: $1.value, in: $0) }
    }

    private nonisolated static func replace(_ word: String, with value: String, in text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let place = rest.firstRange(of: word) {
            result += rest[..<place.lowerBound] + value
            rest = rest[place.upperBound...]
        }
        return result + rest
    }

    /// Stops nginx after its running requests, and its workers too when only they are left.
    static func stop(_ state: StateFolder) async throws -> Bool {
        try await StackPart(name: "gateway", state: state).stop(
            with: SIGQUIT, patience: .seconds(10), leftoversOf: try? program())
    }

    /// Frees the port that workers of a killed nginx hold.
    static func endLeftovers(_ state: StateFolder) async throws {
        try await StackPart(name: "gateway", state: state).endLeftovers(of: try program())
    }

    private static func program() throws(Failure) -> String {
        for path in ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"] where Files.isExecutable(path) {
            return path
        }
        throw Failure(
            .configuration, "no-nginx", "nginx is not installed.", advice: "Run infra/setup, which installs it.")
    }
}
