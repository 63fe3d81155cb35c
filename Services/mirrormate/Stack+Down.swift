import Glibc
import Processes
import Runtime

extension Stack {
    /// Stops everything that `up` started, in the reverse order; what was not started here is left alone.
    ///
    /// - Returns: the names of what was stopped.
    func down() async throws -> [String] {
        let lock = try settings.state.lock(console)
        defer { close(lock) }
        record = StackRecord.load(settings.state)
        var stopped = try await stopServices()
        if try await stop("kafka", signal: SIGTERM, patience: .seconds(30)) { stopped.append("kafka") }
        console.progress("stopping PostgreSQL")
        if try await Database.stop(settings.state) { stopped.append("postgres") }
        return stopped
    }

    /// Stops the gateway and all copies of all services.
    ///
    /// - Returns: the names of those that ran.
    func stopServices() async throws -> [String] {
        var stopped: [String] = []
        if try await Gateway.stop(settings.state) { stopped.append("gateway") }

        console.progress("stopping the services")
        var ending: [(String, Task<Bool, any Error>)] = []
        for service in Settings.services {
            for number in 1...max(record.instances, 1) {
                let part = StackPart(name: ServiceInstance.name(service, number), state: settings.state)
                ending.append((part.name, Loop.task { try await part.stop(patience: .seconds(20)) }))
            }
        }
        for (name, task) in ending where try await task.value { stopped.append(name) }
        return stopped
    }

    /// Deletes everything the stack keeps; call it after ``down()``.
    func erase() async throws {
        var folders = [settings.state.path]
        // PostgreSQL's files may lie elsewhere, for the reasons that DatabaseHome gives.
        for path in [Files.folder(of: record.database), record.socket] {
            if path.hasPrefix("/var/lib/mirrormate/") || path.hasPrefix("/tmp/mirrormate-") { folders.append(path) }
        }
        try await run(Command("/bin/rm", ["-rf", "--"] + folders), as: "Deleting the stack", log: "/dev/null")
    }

    private func stop(_ name: String, signal: Int32, patience: Duration) async throws -> Bool {
        console.progress("stopping \(name)")
        return try await StackPart(name: name, state: settings.state).stop(with: signal, patience: patience)
    }
}
