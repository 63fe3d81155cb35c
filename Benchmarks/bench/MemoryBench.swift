import Glibc
import JSON
import Runtime

/// The resident memory of each service of an idle stack.
@Loop enum MemoryBench {
    static func run(_ stage: Stage) async throws -> [Figure] {
        let tool = "\(stage.root)/mirrormate"
        var status = try await self.status(tool)
        let wasUp = !status.isEmpty && status.allSatisfy { $0.id > 0 }
        if !wasUp {
            print("memory: starting the stack …")
            _ = try await Tool.run(tool, ["up"])
        }
        do {
            print("memory: the services of the stack, after 10 s of rest …")
            try await Loop.sleep(for: .seconds(10))
            status = try await self.status(tool)
            guard !status.isEmpty, status.allSatisfy({ $0.id > 0 }) else {
                throw BenchError("The stack is not running.")
            }
            let figures = try status.map { service in
                let all = try resident(service.id, "VmRSS:")
                let own = try resident(service.id, "RssAnon:")
                return Figure(
                    name: "memory.\(service.name)", value: all, unit: "MB", goal: .atMost(25),
                    command: "infra/bench memory", note: "of it \(own.short) MB its own, the rest mapped files")
            }
            if !wasUp { _ = try await Tool.run(tool, ["down"]) }
            return figures
        } catch {
            if !wasUp { _ = try? await Tool.run(tool, ["down"]) }
            throw error
        }
    }

    private static func status(_ tool: String) async throws -> [(name: String, id: Int32)] {
        // Exits with 0 only if everything is running, but always prints the document.
        let text = try await Tool.run("/bin/sh", ["-c", "\"$0\" status --json || true", tool])
        guard let services = try? JSONValue.parse(Array(text.utf8))["data"]?["services"]?.arrayValue else { return [] }
        return services.compactMap { service in
            guard let name = service["name"]?.stringValue else { return nil }
            return (name, Int32(service["pid"]?.intValue ?? 0))
        }
    }

    /// Megabytes of 10^6 bytes from a process's status.
    static func resident(_ id: Int32, _ field: String) throws -> Double {
        guard let file = fopen("/proc/\(id)/status", "r") else { throw BenchError("The process \(id) is gone.") }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 256)
        while fgets(&buffer, 256, file) != nil {
            let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = line.split { $0 == " " || $0 == "\t" }
            if words.count > 1, words[0] == field, let kibibytes = Double(words[1]) { return kibibytes * 1024 / 1e6 }
        }
        throw BenchError("The status of the process \(id) has no \(field)")
    }
}
