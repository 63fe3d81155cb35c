import Crypto
package import HTTPServer
package import JSON
package import Observability
package import Primitives
package import Runtime

/// The security log: one line for each ``SecurityEvent``, of the component `security`, counted in
/// `security_events_total{event}`.
///
/// Subject and client network are told as keyed hashes, so that lines about the same one can be found and nobody is named.
/// The key follows from the service's request key, which all of its instances share.
///
/// Of what anybody can bring about only so many lines are written in a minute (``SecurityLineBound``); a line at its end says
/// how many were left out. All of it is counted.
@Loop package struct SecurityLog {
    private let key: [UInt8]
    private let log: Logger
    private let lines: SecurityLines
    private let counter = Metrics.shared.counter(
        "security_events_total", help: "Lines of the security log.", labels: ["event"])

    package init(_ hashes: RequestHashes, _ log: Logger) {
        key = hashes.key(for: "security-log")
        self.log = log
        lines = SecurityLines { kind, leftOut in
            log.notice(
                "security",
                [
                    "event": .string(kind.event.rawValue), "subject": .null, "network": .optional(kind.network),
                    "route": .null, "code": .optional(kind.code), "leftOut": .int(Int64(leftOut)),
                ])
        }
        // Else an alert would miss the first event of each kind.
        for event in SecurityEvent.allCases { counter.increment(by: 0, [event.rawValue]) }
    }

    /// Writes a line.
    ///
    /// - Parameters:
    ///   - subject: the user; nil when none is known.
    ///   - request: what brought it about; nil for what the service does by itself.
    ///   - details: what else is known: codes and names of our own, nothing that a client wrote.
    package func note(_ event: SecurityEvent, of subject: UUID?, _ request: Request?, _ details: JSONObject = [:]) {
        counter.increment([event.rawValue])
        let network = request.map { blinded("network \($0.remoteNetwork)") }
        let kind = SecurityLineBound.Kind(event: event, code: details["code"]?.stringValue, network: network)
        if event.isBounded, !lines.admits(kind) { return }
        log.notice(
            "security",
            JSONObject([
                ("event", .string(event.rawValue)), ("subject", .optional(subject.map { blinded("subject \($0)") })),
                ("network", .optional(network)), ("route", .optional(request?.route)),
            ]).adding(membersOf: details))
    }

    /// Writes a line about a command that an operator runs beside the service: without a request, so without a network or a route.
    ///
    /// - Parameter details: what else is known: codes and names of our own.
    package func note(_ event: SecurityEvent, command: String, _ details: JSONObject = [:]) {
        counter.increment([event.rawValue])
        log.notice(
            "security",
            JSONObject([
                ("event", .string(event.rawValue)), ("subject", .null), ("network", .null), ("route", .null),
                ("command", .string(command)),
            ]).adding(membersOf: details))
    }

    /// Tells now what was left out so far in this minute.
    package func endMinute() { lines.end() }

    /// Runs what checks how somebody shows who they are, and writes a line when they cannot.
    ///
    /// - Throws: what `work` throws.
    package func watching<T>(
        _ request: Request, of subject: UUID?, _ work: @Loop () async throws -> T
    ) async throws -> T {
        do {
            return try await work()
        } catch let problem as Problem {
            if let event = Self.failures[problem.code.description] {
                note(event, of: subject, request, ["code": .string(problem.code.description)])
            }
            throw problem
        }
    }

    /// What problems mean where somebody shows who they are.
    private nonisolated static let failures: [String: SecurityEvent] = [
        "credentials-invalid": .signInFailed, "device-secret-invalid": .signInFailed, "code-invalid": .signInFailed,
        "ticket-invalid": .signInFailed, "identity-token-invalid": .signInFailed, "nonce-invalid": .signInFailed,
        "authorization-code-invalid": .signInFailed, "second-factor-invalid": .secondFactorFailed,
        "too-many-attempts": .lockedOut,
    ]

    /// The first 16 hexadecimal digits of a keyed hash.
    private func blinded(_ text: String) -> String {
        String(Hex.encode(HMACSHA256.authenticate(Array(text.utf8), key: key)).prefix(16))
    }
}
