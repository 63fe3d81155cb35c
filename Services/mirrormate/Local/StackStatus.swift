import Glibc
import HTTPClient
import JSON
import Runtime

/// What of a stack runs.
@Loop struct StackStatus {
    /// The document of `status --json`.
    let document: JSONValue
    /// Whether all is well.
    let isUp: Bool
    /// What does not run, causes first.
    let troubles: [PartTrouble]
    /// Why nobody starts anew what dies; nil where somebody does, or nobody is wanted.
    let unwatched: PartTrouble?

    /// Looks at all parts of a stack now.
    init(of stack: Stack) async {
        let (settings, record) = (stack.settings, stack.record)
        let kafka = StackPart(name: "kafka", state: settings.state).id
        let postgres = StackPart(name: "postgres", state: settings.state).id
        let gateway = StackPart(name: "gateway", state: settings.state).id
        let isExternal = record.kafkaKind == Broker.Kind.external.rawValue
        // Where the services run as the caller, they themselves start what opens strangers' files.
        let needsMedia = StackOwner.owner(of: settings.state.path) == 0
        var isUp = postgres != nil && gateway != nil && (kafka != nil || isExternal)
        var servers: JSONObject = [:]
        for service in MediaService.allCases {
            let id = MediaServer.part(service, settings.state).id
            servers[service.part] = needsMedia ? ["pid": .optional(id.map { Int64($0) })] : .null
            isUp = isUp && (id != nil || !needsMedia)
        }
        let wayOut = WayOut.part(settings.state)
        var list: [JSONValue] = []
        for instance in record.ports.isEmpty ? [] : stack.services {
            let state = await Self.state(of: instance)
            isUp = isUp && state == "ready"
            list.append([
                "name": .string(instance.name),
                "pid": .optional(instance.part.id.map { Int64($0) }),
                "url": .string("http://127.0.0.1:\(instance.port)"),
                "adminUrl": .string("http://127.0.0.1:\(instance.adminPort)"),
                "state": .string(state),
            ])
        }
        // Of what was never started there is nothing more to say.
        troubles = list.isEmpty ? [] : stack.troubles
        unwatched = list.isEmpty ? nil : stack.supervisorTroubles.first
        self.isUp = isUp && !list.isEmpty && troubles.isEmpty
        document = [
            "troubles": .array(
                troubles.map {
                    [
                        "part": .string($0.part), "kind": .string($0.kind.rawValue),
                        "message": .string($0.sentence + "."),
                        "advice": .string(stack.console.placed($0.advice)),
                    ]
                }),
            "url": record.ports.isEmpty ? .null : .string(stack.url),
            "kafka": [
                "kind": record.kafkaKind.isEmpty ? .null : .string(record.kafkaKind),
                "bootstrap": record.kafkaBootstrap.isEmpty ? .null : .string(record.kafkaBootstrap),
                "pid": .optional(kafka.map { Int64($0) }),
            ],
            "postgres": [
                "port": .optional(record.ports["postgres"].map { Int64($0) }),
                "pid": .optional(postgres.map { Int64($0) }),
                "socket": record.socket.isEmpty ? .null : .string(record.socket),
            ],
            "gateway": ["pid": .optional(gateway.map { Int64($0) })],
            "supervisor": [
                "pid": .optional(Supervisor.part(settings.state).id.map { Int64($0) }),
                "wanted": .bool(record.restarts),
            ],
            "wayOut": wayOut.noted == nil
                ? .null
                : [
                    "port": .optional(record.ports[WayOut.name].map { Int64($0) }),
                    "pid": .optional(wayOut.id.map { Int64($0) }),
                ],
            "media": servers[MediaService.analysis.part] ?? .null,
            "pictures": servers[MediaService.identity.part] ?? .null,
            "services": .array(list),
        ]
    }

    /// The same for people.
    func text(_ style: Style) -> String {
        func line(_ name: String, _ what: String, _ pid: JSONValue?, _ state: String) -> String {
            let colour =
                ["stopped", "standing still"].contains(state)
                ? style.red : state == "starting" ? style.yellow : style.green
            let number = pid?.intValue.map { "pid \($0)" } ?? ""
            return "\(pad(name, 14))\(pad(what, 40))\(pad(number, 14))\(colour(state))"
        }
        func simple(_ name: String, _ what: String, _ pid: JSONValue?) -> String {
            line(name, what, pid, pid?.intValue == nil ? "stopped" : "running")
        }
        let kafka = document["kafka"]
        let kind = kafka?["kind"]?.stringValue ?? "no kind yet"
        let address = "\(kafka?["bootstrap"]?.stringValue ?? "") (\(kind))"
        var lines = [
            Self.verdict(isUp: isUp, troubles, unwatched: unwatched, late: late, style),
            simple("gateway", document["url"]?.stringValue ?? "", document["gateway"]?["pid"]),
            kind == "external"
                ? line("kafka", address, nil, "external") : simple("kafka", address, kafka?["pid"]),
            simple(
                "postgres", document["postgres"]?["port"]?.intValue.map { "127.0.0.1:\($0)" } ?? "",
                document["postgres"]?["pid"]),
        ]
        if let wayOut = document["wayOut"], wayOut.objectValue != nil {
            let place = wayOut["port"]?.intValue.map { "127.0.0.1:\($0)" } ?? ""
            lines.append(simple(WayOut.name, place, wayOut["pid"]))
        }
        for service in MediaService.allCases {
            guard let server = document[service.part], server.objectValue != nil else { continue }
            lines.append(simple(service.part, service.work, server["pid"]))
        }
        for service in document["services"]?.arrayValue ?? [] {
            lines.append(
                line(
                    service["name"]?.stringValue ?? "", service["url"]?.stringValue ?? "", service["pid"],
                    service["state"]?.stringValue ?? ""))
        }
        if let supervisor = document["supervisor"],
            supervisor["wanted"]?.boolValue == true || supervisor["pid"]?.intValue != nil
        {
            lines.append(simple("supervisor", "starts anew what dies", supervisor["pid"]))
        }
        return lines.joined(separator: "\n")
    }

    /// The copies that are not ready.
    private var late: [String] {
        (document["services"]?.arrayValue ?? []).filter { $0["state"]?.stringValue != "ready" }
            .compactMap { $0["name"]?.stringValue }
    }

    /// What there is to know, in one line.
    ///
    /// - Parameter late: the names of the copies that are not ready.
    nonisolated static func verdict(
        isUp: Bool, _ troubles: [PartTrouble], unwatched: PartTrouble?, late: [String], _ style: Style
    ) -> String {
        if isUp {
            guard let unwatched else { return "\(style.green("✓")) everything runs" }
            return "\(style.yellow("…")) everything runs, and nobody starts anew what dies: \(unwatched.sentence)"
        }
        if let first = troubles.first {
            let others =
                troubles.count == 1 ? "" : "; \(Format.count(troubles.count - 1, "more part")) of the stack with it"
            return "\(style.red("✗")) \(first.sentence)\(others)"
        }
        if late.isEmpty { return "\(style.red("✗")) this stack was never started" }
        return "\(style.yellow("…")) not ready: \(late.joined(separator: ", ")); the log says what "
            + "\(late.count == 1 ? "it waits" : "they wait") for"
    }

    private static func state(of instance: ServiceInstance) async -> String {
        guard let trouble = instance.part.trouble else { return await readiness(of: instance) }
        return trouble.kind == .stopped ? "standing still" : "stopped"
    }

    private static func readiness(of instance: ServiceInstance) async -> String {
        await PortProbe.status(port: instance.adminPort, path: "/health/ready") == 200 ? "ready" : "starting"
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
