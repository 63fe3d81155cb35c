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
@Loop package struct SecurityLog {
    private let key: [UInt8]
    private let log: Logger
    private let counter = Metrics.shared.counter(
        "security_events_total", help: "Lines of the security log.", labels: ["event"])

    package init(_ hashes: RequestHashes, _ log: Logger) {
        key = hashes.key(for: "security-log")
        self.log = log
        // Else an alert would miss the first event of each kind.
        for event in SecurityEvent.allCases { counter.increment(by: 0, [event.rawValue]) }
    }

    /// Writes a line.
    ///
    /// - Parameters:
    ///   - subject: the user; nil when none is known.
    ///   - details: what else is known: codes and names of our own, nothing that a client wrote.
    package func note(_ event: SecurityEvent, of subject: UUID?, _ request: Request, _ details: JSONObject = [:]) {
        counter.increment([event.rawValue])
        log.notice(
            "security",
            JSONObject([
                ("event", .string(event.rawValue)), ("subject", .optional(subject.map { blinded("subject \($0)") })),
                ("network", .string(blinded("network \(request.remoteNetwork)"))),
                ("route", .optional(request.route)),
            ]).adding(membersOf: details))
    }

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
