import HTTPClient
import JSON
import Primitives
import Runtime

/// The admin ports of the services that operators speak to, and the secret that opens them: those of the stack here, unless
/// options name others.
@Loop struct OperatorServices {
    let identity: String
    let quota: String
    private let key: String

    init(_ arguments: Arguments) throws(Failure) {
        identity = try Self.adminPort(of: "identity", Flags.identity, arguments)
        quota = try Self.adminPort(of: "quota", Flags.quota, arguments)
        key = try Self.key(arguments)
    }

    /// The address of a service's admin port.
    static func adminPort(
        of service: String, _ flag: Flag<String?>, _ arguments: Arguments
    ) throws(Failure) -> String {
        if let url = arguments[flag] { return url }
        if ComposeDeployment.isHere { return "http://\(service):9090" }
        let record = StackRecord.load(try Settings(arguments, for: .look).state)
        guard let port = record.ports["\(service)-admin"] else {
            throw Failure(
                .unavailable, "no-stack", "No local stack was ever started here.",
                advice: "Start one with `mirrormate up`, or name the admin port with \(flag.spelling.name).")
        }
        return "http://127.0.0.1:\(port)"
    }

    /// The admin ports of all instances of a service, with what each is called; the one that an option names, if it does.
    static func adminPorts(
        of service: String, _ flag: Flag<String?>, _ arguments: Arguments
    ) throws(Failure) -> [(name: String, url: String)] {
        if arguments[flag] == nil {
            if ComposeDeployment.isHere {
                let found = HostAddresses.of(service).map { (name: "\(service)@\($0)", url: "http://\($0):9090") }
                if found.count > 1 { return found }
            } else {
                let record = StackRecord.load(try Settings(arguments, for: .look).state)
                let names = (1...max(record.instances, 1)).map { ServiceInstance.name(service, $0) }
                let found = names.compactMap { name in
                    record.ports["\(name)-admin"].map { (name: name, url: "http://127.0.0.1:\($0)") }
                }
                if found.count > 1 { return found }
            }
        }
        return [(service, try adminPort(of: service, flag, arguments))]
    }

    /// The operators' secret.
    static func key(_ arguments: Arguments) throws(Failure) -> String {
        if let file = arguments[Flags.keyFile] ?? (ComposeDeployment.isHere ? "/run/secrets/operator-key" : nil) {
            return try key(in: file)
        }
        return try Settings(arguments, for: .look).state.secretText("operator-key")
    }

    /// The operators' secret, from its file.
    nonisolated static func key(in file: String) throws(Failure) -> String {
        guard let text = try Files.readText(file), !text.isEmpty else {
            throw Failure(
                .configuration, "no-key", "The operators' secret cannot be read.",
                advice: "Name with --key-file the file of the key whose hash the services have in OPERATOR_KEY_HASH.")
        }
        return String(text.prefix { !$0.isNewline })
    }

    /// The id of an account, named by its mail address or its id.
    func user(_ account: String) async throws -> String {
        let name = UUID(account) == nil ? "email" : "id"
        let answer = try await call("POST", identity, "/operator/users/find", JSONObject([(name, .string(account))]))
        return try answer.string("id")
    }

    /// Sends a request; an answer of 300 and above is a failure with the problem's code.
    func call(
        _ method: String, _ service: String, _ path: String, _ body: JSONObject? = nil, key repeatable: UUID? = nil
    ) async throws -> JSONObject {
        try JSONObject.parse(try await Self.send(method, service + path, body, repeatable, secret: key))
    }

    /// Sends a request whose answer has no body.
    func tell(_ service: String, _ path: String, _ body: JSONObject) async throws {
        _ = try await Self.send("POST", service + path, body, secret: key)
    }

    /// Sends a request with the operators' secret; gives the answer's body.
    static func send(
        _ method: String, _ url: String, _ body: JSONObject?, _ repeatable: UUID? = nil, secret key: String,
        deadline: Duration = .seconds(30)
    ) async throws -> [UInt8] {
        var headers = [("Authorization", "Bearer \(key)")]
        if body != nil { headers.append(("Content-Type", "application/json")) }
        if let repeatable { headers.append(("Idempotency-Key", repeatable.description)) }
        let request = HTTPClientRequest(
            method, url, headers: headers.map { (name: $0.0, value: $0.1) },
            body: body.map { .bytes(JSONValue.object($0).bytes) } ?? .none)
        do {
            let response = try await HTTPClient.shared.send(request, deadline: deadline)
            guard response.status < 300 else {
                throw ServerProblem.failure(status: response.status, body: response.body)
            }
            return response.body
        } catch let error as HTTPClientError {
            throw Failure(
                error.isRetryable ? .unavailable : .failure, error.code.rawValue, error.description,
                advice: ComposeDeployment.whatRuns)
        }
    }
}
