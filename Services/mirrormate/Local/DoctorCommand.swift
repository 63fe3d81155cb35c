import Glibc
import JSON
import Processes
import Runtime

/// `mirrormate doctor`: looks at everything the stack needs and says what to do for each finding.
@Loop struct DoctorCommand {
    let arguments: Arguments
    let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func run() async throws -> ExitCode {
        let deployment: any Deployment =
            ComposeDeployment.isHere ? ComposeDeployment() : try LocalDeployment(arguments, console)
        var findings = deployment.checkSecrets() + Self.disk(deployment.folders)
        findings += Self.kernel() + deployment.checkUsers() + (await deployment.checkGateway())
        // Of what was never started nothing else can be said.
        let services = findings.contains { $0.code == "never-started" } ? [] : Settings.services
        for service in services { findings += await Self.check(service, deployment) }
        if arguments[Flags.json] {
            let document: JSONValue = ["version": 1, "findings": .array(findings.map(\.document))]
            console.print(document.prettyText)
        } else {
            for finding in findings {
                console.print("\(console.style.red("✗")) \(finding.part): \(finding.message)\n  \(finding.advice)")
            }
            if findings.isEmpty { console.print("\(console.style.green("✓")) nothing is wrong") }
        }
        return findings.isEmpty ? .success : .unavailable
    }

    /// What a service itself finds: its command `check`, then whether a running copy is ready.
    private static func check(_ service: String, _ deployment: any Deployment) async -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        do {
            var command = try await deployment.command(service)
            command.output = .pipe
            let child = try ChildProcess.start(command)
            let text = try await Loop.withDeadline(.seconds(40)) {
                let text = try await child.output?.collect(limit: 1 << 20) ?? []
                _ = try await child.wait()
                return text
            }
            let lines = text.split(separator: 0x0A).compactMap { try? JSONObject.parse(Array($0)) }
            if let report = lines.last(where: { $0["findings"] != nil }) {
                findings += (report["findings"]?.arrayValue ?? []).map { DoctorFinding(service, $0) }
            } else {
                let why = lines.last?["problems"]?.arrayValue?.compactMap(\.stringValue).joined(separator: " ")
                findings.append(
                    DoctorFinding(
                        service, "configuration", why ?? "Its check ended without an answer.", "Mend the setting."))
            }
        } catch {
            findings.append(
                DoctorFinding(service, "check", "It could not be checked: \(error).", "Is its program there?"))
        }
        for address in deployment.adminAddresses(of: service) {
            guard await !isReady(address) else { continue }
            findings.append(
                DoctorFinding(
                    service, "not-ready", "\(address) is not ready or does not answer.",
                    "Its log says what it waits for: \(deployment.logHint(service))."))
        }
        return findings
    }

    private static func isReady(_ address: String) async -> Bool {
        await ComposeDeployment.status("\(address)/health/ready") == 200
    }

    /// Without Landlock a video's decoder that somebody has taken over may read what the user it runs as may read.
    private static func kernel() -> [DoctorFinding] {
        guard !FileConfinement.isThere else { return [] }
        return [
            DoctorFinding(
                "analysis", "landlock-missing", "The kernel does not let a process give up access to files (Landlock).",
                "Boot with landlock in the kernel's list lsm=, Linux 5.13 or newer, or run analysis in a container that holds nothing else."
            )
        ]
    }

    private static func disk(_ folders: [String]) -> [DoctorFinding] {
        folders.compactMap { folder in
            var facts = statvfs()
            guard statvfs(folder, &facts) == 0, facts.f_blocks > 0 else { return nil }
            let free = UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
            let share = Int(facts.f_bavail * 100 / facts.f_blocks)
            if free > 2 << 30, share >= 5 { return nil }
            return DoctorFinding(
                "disk", "disk-full", "\(folder) has \(free >> 20) MiB free (\(share) %).",
                "Make room: without it uploads, the database and Kafka stop, and go on when there is some again.")
        }
    }
}

/// One thing that is wrong.
struct DoctorFinding {
    let part: String
    let code: String
    let message: String
    let advice: String

    init(_ part: String, _ code: String, _ message: String, _ advice: String) {
        self.part = part
        self.code = code
        self.message = message
        self.advice = advice
    }

    init(_ part: String, _ document: JSONValue) {
        let text = { (name: String) in document[name]?.stringValue ?? "" }
        self.init(part, text("code"), text("message"), text("advice"))
    }

    var document: JSONValue {
        ["part": .string(part), "code": .string(code), "message": .string(message), "advice": .string(advice)]
    }
}
