import Glibc
import JSON
import Processes
import Runtime
import ServiceKit

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
        var findings: [DoctorFinding] = []
        // Each as soon as it is found, and causes before what follows from them: whoever looks has something to do already.
        func tell(_ found: [DoctorFinding]) {
            findings += found
            if !arguments[Flags.json] { found.forEach(show) }
        }
        let parts = deployment.checkParts()
        tell(parts)
        tell(deployment.checkSecrets() + Self.disk(deployment.folders) + Self.kernel() + deployment.checkUsers())
        let missing = Set(parts.map(\.part))
        if missing.isDisjoint(with: ["postgres", "kafka"]) {
            let gateway = await deployment.checkGateway()
            tell(gateway)
            if arguments[Flags.wait] { await becomeReady(deployment, without: missing) }
            // Of what was never started nothing else can be said.
            if !gateway.contains(where: { $0.code == "never-started" }) {
                tell(await Self.checkServices(deployment, without: missing))
            }
        }
        if arguments[Flags.json] {
            let document: JSONValue = ["findings": .array(findings.map { $0.document(console) })]
            console.answer(document)
        } else if findings.isEmpty {
            console.print("\(console.style.green("✓")) nothing is wrong")
        }
        return findings.isEmpty ? .success : .unavailable
    }

    /// Waits until the services are ready, or stand still.
    ///
    /// - Parameter missing: parts that do not run.
    private func becomeReady(_ deployment: any Deployment, without missing: Set<String>) async {
        let waits = Settings.services.filter { !missing.contains($0) }.flatMap { service in
            deployment.adminAddresses(of: service).map { address in
                Loop.task { await ReadyWait.run(address) { console.note("\(service) waits: \($0)") } }
            }
        }
        for wait in waits { _ = await wait.result }
    }

    private func show(_ finding: DoctorFinding) {
        console.print(
            "\(console.style.red("✗")) \(finding.part): \(finding.message)\n  \(console.placed(finding.advice))")
    }

    /// What the services find, all of them asked at once; what several say in the same words is said once.
    ///
    /// - Parameter missing: parts of which it is said already that they do not run.
    private static func checkServices(
        _ deployment: any Deployment, without missing: Set<String>
    ) async -> [DoctorFinding] {
        let checks = Settings.services.map { service in
            Loop.task { await check(service, deployment, isMissing: missing.contains(service)) }
        }
        var findings: [DoctorFinding] = []
        for check in checks { findings += (try? await check.value) ?? [] }
        return DoctorFinding.joined(findings)
    }

    /// What a service itself finds: its command `check`, then whether a running copy is ready.
    private static func check(
        _ service: String, _ deployment: any Deployment, isMissing: Bool
    ) async -> [DoctorFinding] {
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
        var ready: String?
        for address in isMissing ? [] : deployment.adminAddresses(of: service) {
            guard await !isReady(address) else {
                ready = ready ?? address
                continue
            }
            findings.append(
                DoctorFinding(
                    service, "not-ready", "\(address) is not ready or does not answer.",
                    "Its log says what it waits for: \(deployment.logHint(service))."))
        }
        if let ready { findings += await checkProviders(service, ready, deployment) }
        return findings
    }

    /// What calls to providers may cost, as a service knows it that asks some.
    private static func checkProviders(
        _ service: String, _ address: String, _ deployment: any Deployment
    ) async -> [DoctorFinding] {
        guard ProviderLimits.asked[service] != nil, let key = try? deployment.operatorKey(),
            let answer = try? await OperatorServices.send("GET", "\(address)/operator/providers", nil, secret: key),
            let known = try? JSONObject.parse(answer)
        else { return [] }
        return ProviderLimits.findings(service, known)
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

    /// - Parameter folders: of which those on the same disk are said once.
    private static func disk(_ folders: [String]) -> [DoctorFinding] {
        var seen: Set<UInt64> = []
        return folders.compactMap { folder in
            var facts = statvfs()
            var place = stat()
            guard stat(folder, &place) == 0, seen.insert(UInt64(place.st_dev)).inserted,
                statvfs(folder, &facts) == 0, facts.f_blocks > 0
            else { return nil }
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

    /// The same findings, those that differ in their part alone as one of all these parts.
    static func joined(_ findings: [DoctorFinding]) -> [DoctorFinding] {
        var joined: [(parts: [String], finding: DoctorFinding)] = []
        for finding in findings {
            let same = joined.firstIndex {
                $0.finding.code == finding.code && $0.finding.message == finding.message
                    && $0.finding.advice == finding.advice
            }
            if let same { joined[same].parts.append(finding.part) } else { joined.append(([finding.part], finding)) }
        }
        return joined.map {
            DoctorFinding($0.parts.joined(separator: ", "), $0.finding.code, $0.finding.message, $0.finding.advice)
        }
    }

    func document(_ console: Console) -> JSONValue {
        [
            "part": .string(part), "code": .string(code), "message": .string(message),
            "advice": .string(console.placed(advice)),
        ]
    }
}
