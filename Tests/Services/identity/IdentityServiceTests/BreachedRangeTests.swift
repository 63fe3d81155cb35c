import Access
import Configuration
import Crypto
import HTTPServer
import JSON
import Observability
import Primitives
import Runtime
import ServiceTesting
import Testing

/// Stands in the place of a server that knows passwords of leaks.
@Loop private final class RangeServer {
    /// What somebody gets who asks.
    enum Behaviour: Sendable {
        case list
        case bytes([UInt8], status: Int)
        case silence
        case endless
    }

    var behaviour = Behaviour.list
    /// The prefixes that were asked for.
    private(set) var asked: [String] = []
    private(set) var isPadded = true
    private let leaked: [String]
    private var server: HTTPServer?
    private(set) var url = ""

    init(_ passwords: [String]) { leaked = passwords.map { Hex.encode(SHA1.digest(Array($0.utf8))).uppercased() } }

    func start() throws {
        let router = Router()
        router.on("GET", "/range/{prefix}") { try await self.answer($0) }
        let server = HTTPServer(ServerConfiguration(host: "127.0.0.1", port: 0), router: router, metrics: Metrics())
        url = "http://127.0.0.1:\(try server.start())/range"
        self.server = server
    }

    func stop() async { _ = await server?.stop(deadline: .seconds(1)) }

    /// What is there for the length alone stands between, one of them with the hash of "padding only".
    private func answer(_ request: Request) async throws -> Response {
        let prefix = String(request.path.split(separator: "/").last ?? "")
        asked.append(prefix)
        isPadded = isPadded && request.headers["add-padding"] == "true"
        while case .silence = behaviour { try await Loop.sleep(for: .milliseconds(20)) }
        switch behaviour {
        case .list, .silence:
            let padding = Hex.encode(SHA1.digest(Array("padding only".utf8))).uppercased().dropFirst(5)
            let lines = leaked.filter { $0.hasPrefix(prefix) }.map { "\($0.dropFirst(5)):7" } + ["\(padding):0"]
            return .bytes(Array(lines.joined(separator: "\r\n").utf8), contentType: "text/plain", status: 200)
        case .bytes(let bytes, let status): return .bytes(bytes, contentType: "text/plain", status: status)
        case .endless:
            return .stream(contentType: "text/plain") { writer in
                while true { try await writer.write([UInt8](repeating: UInt8(ascii: "A"), count: 16_384)) }
            }
        }
    }
}

/// A server of leaks is asked about every password that somebody chooses, and is told five digits of its hash.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A server that knows passwords of leaks` {
    /// A clock that a test moves.
    @Loop private final class Clock {
        var now: Int64 = 1_000_000_000_000
        func pass(_ seconds: Int64) { now += seconds * 1_000_000_000 }
    }

    private func with(
        _ passwords: [String],
        _ body: @Loop (RangeServer, BreachedPasswordRange, Clock, SecurityLines) async throws -> Void
    ) async throws {
        let server = RangeServer(passwords)
        try server.start()
        let clock = Clock()
        let log = SecurityLines()
        var policy = BreachedPasswordRange.Policy(url: server.url)
        policy.deadline = .seconds(2)
        let range = BreachedPasswordRange(policy, log.logger) { clock.now }
        do { try await body(server, range, clock, log) } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    @Test func `is told the beginning of a hash, and asked once for a while`() async throws {
        try await with(["tr0ub4dor&3"]) { server, range, clock, _ async throws in
            #expect(try await range.contains("tr0ub4dor&3"))
            #expect(try await !range.contains("padding only"), "what was seen nowhere is there for the length")
            let first = server.asked
            #expect(
                first.count == 2 && first.allSatisfy { $0.count == 5 } && server.isPadded)
            clock.pass(3_599)
            #expect(try await range.contains("tr0ub4dor&3"))
            #expect(server.asked == first)
            clock.pass(2)
            #expect(try await range.contains("tr0ub4dor&3"))
            #expect(server.asked.count == 3)
        }
    }

    @Test(arguments: ["silence", "endless", "404", "500", "redirect", "html", "empty", "short", "no count"])
    func `is left out when it gives no proper answer, and asked again after a pause`(trouble: String) async throws {
        try await with(["tr0ub4dor&3"]) { server, range, clock, log in
            let good = String(repeating: "A", count: 35)
            server.behaviour =
                switch trouble {
                case "silence": .silence
                case "endless": .endless
                case "404": .bytes([], status: 404)
                case "500": .bytes(Array("\(good):1".utf8), status: 500)
                case "redirect": .bytes(Array("\(good):1".utf8), status: 302)
                case "html": .bytes(Array("<html>Sign in to this network</html>".utf8), status: 200)
                case "empty": .bytes([], status: 200)
                case "short": .bytes(Array("\(good):1\r\n\(good.dropLast()):1".utf8), status: 200)
                default: .bytes(Array(good.utf8), status: 200)
                }
            for _ in 1...3 {
                await #expect(throws: BreachedPasswordRange.Unavailable.self) {
                    try await range.contains("tr0ub4dor&3")
                }
            }
            #expect(server.asked.count == 1, "nobody waits for it again")
            server.behaviour = .list
            clock.pass(29)
            await #expect(throws: BreachedPasswordRange.Unavailable.self) { try await range.contains("tr0ub4dor&3") }
            clock.pass(2)
            #expect(try await range.contains("tr0ub4dor&3"))
            let lines = try log.read()
            #expect(lines.map { $0["level"] } == ["warning", "notice"], "once when it fails, once when it is back")
        }
    }

    /// What the metric says of who decided.
    private func counted(_ source: String) -> Double {
        let line = Metrics.shared.text().split(separator: "\n").first {
            $0.hasPrefix("breached_password_checks_total{by=\"\(source)\"}")
        }
        return line?.split(separator: " ").last.flatMap { Double($0) } ?? 0
    }

    @Test func `decides over new passwords, and what is known here while it is away`() async throws {
        let server = RangeServer(["tr0ub4dor&3"])
        try server.start()
        defer { Loop.task { await server.stop() } }
        try await withIdentity(["BREACHED_PASSWORDS_URL": server.url]) { fixture in
            func signUp(_ email: String, _ password: String) async throws -> Answer {
                try await fixture.post(
                    "/v1/auth/sign-up", ["email": .string(email), "password": .string(password)])
            }
            let refused = try await signUp("anna@example.org", "tr0ub4dor&3")
            #expect(refused.status == 422 && code(refused) == "password-too-common")
            let decided = counted("server")
            #expect(try await signUp("anna@example.org", "correct horse").status == 201)
            #expect(counted("server") >= decided + 1)
            // Away: the built-in list still refuses, others are taken, and the metric says who decided.
            server.behaviour = .bytes([], status: 503)
            let alone = counted("local")
            #expect(code(try await signUp("bert@example.org", "password1")) == "password-too-common")
            #expect(try await signUp("bert@example.org", "another horse").status == 201)
            #expect(counted("local") >= alone + 1)
        }
    }

    @Test(arguments: [
        "http://api.example.org/range/", "ftp://api.example.org", "https://api.example.org/range?x=", "range",
    ])
    func `is reached by https, or on this machine`(url: String) throws {
        let environment = Environment(["BREACHED_PASSWORDS_URL": url])
        #expect(BreachedPasswordRange.Policy(environment) == nil)
        #expect(throws: ConfigurationError.self) { try environment.finish() }
    }

    @Test func `of this machine is refused where clients are elsewhere`() throws {
        let here = "http://127.0.0.1:9/range/"
        let environment = Environment(["BREACHED_PASSWORDS_URL": here, "PUBLIC_URL": "https://coach.example.org"])
        #expect(BreachedPasswordRange.Policy(environment) == nil)
        #expect(throws: ConfigurationError.self) { try environment.finish() }
        #expect(BreachedPasswordRange.Policy(Environment(["BREACHED_PASSWORDS_URL": here])) != nil)
    }
}
