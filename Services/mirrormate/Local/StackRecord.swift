import JSON

/// What a stack remembers between commands, in `run/stack.json`, so that ports and choices stay what they were.
struct StackRecord: Equatable {
    var instances = 1
    /// Whether what dies is started anew.
    var restarts = true
    /// Whether a restore is under way, or was broken off: the data are neither those of before nor the backup's.
    var isRestoring = false
    /// Ports by name: `postgres`, `kafka`, `gateway`, `sessions`, `sessions-admin`, `sessions-2` and so on.
    var ports: [String: UInt16] = [:]
    var kafkaKind = ""
    var kafkaBootstrap = ""
    /// The folder of an Apache Kafka that is started here, so that it is found again without its variable.
    var kafkaHome = ""
    /// The Java that it was started with; empty for the first on the path.
    var kafkaJava = ""
    /// The folders of PostgreSQL's data and socket.
    var database = ""
    var socket = ""

    /// The record of a stack; an empty one for a new stack or an unreadable file.
    static func load(_ state: StateFolder) -> StackRecord {
        var record = StackRecord()
        guard let text = try? state.text("run/stack.json"), let json = try? JSONObject.parse(text.utf8)
        else {
            return record
        }
        record.instances = json["instances"]?.intValue.map { Int($0) } ?? 1
        record.restarts = json["restarts"]?.boolValue ?? true
        record.isRestoring = json["restoring"]?.boolValue ?? false
        for (name, port) in json["ports"]?.objectValue?.members ?? [] {
            record.ports[name] = port.intValue.flatMap { UInt16(exactly: $0) }
        }
        record.kafkaKind = json["kafka"]?["kind"]?.stringValue ?? ""
        record.kafkaBootstrap = json["kafka"]?["bootstrap"]?.stringValue ?? ""
        record.kafkaHome = json["kafka"]?["home"]?.stringValue ?? ""
        record.kafkaJava = json["kafka"]?["java"]?.stringValue ?? ""
        record.database = json["postgres"]?["data"]?.stringValue ?? ""
        record.socket = json["postgres"]?["socket"]?.stringValue ?? ""
        return record
    }

    func save(_ state: StateFolder) throws(Failure) {
        let ports = ports.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.int(Int64($0.value))) }
        let json: JSONValue = [
            "version": 1,
            "instances": .int(Int64(instances)), "restarts": .bool(restarts),
            "restoring": .bool(isRestoring),
            "ports": .object(JSONObject(ports)),
            "kafka": [
                "kind": .string(kafkaKind), "bootstrap": .string(kafkaBootstrap), "home": .string(kafkaHome),
                "java": .string(kafkaJava),
            ],
            "postgres": ["data": .string(database), "socket": .string(socket)],
        ]
        try Files.write(json.prettyText + "\n", to: state.run("stack.json"))
    }

    /// Refuses to work with data of which a restore has replaced only a part.
    func requireWhole() throws(Failure) {
        guard isRestoring else { return }
        throw Failure(
            .configuration, "restore-broken-off", Self.brokenOff, advice: Self.brokenOffAdvice)
    }

    static let brokenOff =
        "A restore of this stack was broken off: its data are neither those of before nor the backup's."
    static let brokenOffAdvice =
        "Repeat it: `mirrormate restore DIR`. `mirrormate down --erase` gives the stack up."
}
