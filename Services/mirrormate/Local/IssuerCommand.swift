import JSON
import LocalIssuer
import Primitives
import Runtime
import identity

/// `mirrormate issuer`: signs in on this machine whoever is invented, as Google and Apple would. Never beside a deployment.
@Loop enum IssuerCommand {
    /// Serves until SIGTERM or SIGINT.
    static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        if ComposeDeployment.isHere || !isLocal(Variables["PUBLIC_URL"] ?? "http://127.0.0.1") {
            throw Failure(
                .configuration, "issuer-in-deployment",
                "This is a deployment, where nobody may be let in by invention.",
                advice: "Run it on a developer's machine, without PUBLIC_URL.")
        }
        let signals = TerminationSignals()
        let issuer = try LocalIssuer()
        do {
            try issuer.start(port: arguments[Flags.issuerPort])
        } catch {
            throw Failure(
                .unavailable, "port-taken", "The issuer cannot serve (\(error)).", advice: "Name another --port.")
        }
        console.note("Set these and run `mirrormate up`; then POST to \(issuer.url(.google))/sign for tokens:")
        for (name, value) in issuer.variables.sorted(by: { $0.key < $1.key }) {
            console.print("export \(name)=\(value)")
        }
        try await signals.next()
        await issuer.stop()
        return .success
    }

    /// Writes a verdict for each line, for a comparison with other verifiers.
    static func judge(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        for line in (try Files.readText(arguments[Operands.tokens]) ?? "").split(separator: "\n") {
            console.print(try IdentityTokenVerdict.of(try JSONObject.parse(line.utf8)))
        }
        return .success
    }

    private static func isLocal(_ url: String) -> Bool {
        let host = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
        return ["127.0.0.1", "localhost", "[::1]"].contains { host == $0 || host.hasPrefix("\($0):") }
    }
}
