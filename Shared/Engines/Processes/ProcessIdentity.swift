import Glibc

/// Identifies one process for as long as the machine runs: a process id alone is reused sooner or later.
package struct ProcessIdentity: Sendable, Equatable {
    /// The process id.
    package let id: Int32
    /// When it started, in clock ticks since boot (field 22 of `/proc/ID/stat`, proc(5)).
    package let startTicks: UInt64
    /// The boot that it ran in, from `/proc/sys/kernel/random/boot_id`.
    package let boot: String

    /// An identity that was stored earlier.
    package init(id: Int32, startTicks: UInt64, boot: String) {
        self.id = id
        self.startTicks = startTicks
        self.boot = boot
    }

    /// The running process with an id; nil if there is none, or only a zombie.
    package init?(of id: Int32) {
        // The name in parentheses may contain anything, so the fields are counted from its end.
        guard id > 0, let stat = readSmallFile("/proc/\(id)/stat"), let end = stat.lastIndex(of: ")") else {
            return nil
        }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let ticks = UInt64(fields[19]), let threads = Int(fields[17]) else { return nil }
        // A main thread that has exited while others keep running looks like a zombie, too.
        if fields[0] == "X" || fields[0] == "Z" && threads <= 1 { return nil }
        self.init(id: id, startTicks: ticks, boot: Self.currentBoot)
    }

    /// An identity as ``line`` gives it; nil for anything else. What follows in the line is for whoever wrote it.
    package init?(line: String) {
        let words = line.split { $0 == " " || $0 == "\n" }
        guard words.count >= 3, let id = Int32(words[0]), let ticks = UInt64(words[1]) else { return nil }
        self.init(id: id, startTicks: ticks, boot: String(words[2]))
    }

    /// The identity as text without line ends.
    package var line: String { "\(id) \(startTicks) \(boot)" }

    /// The users that the process runs as: real, effective, saved and for files; none when it is gone.
    package var users: Set<UInt32> {
        let status = readSmallFile("/proc/\(id)/status") ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("Uid:") }
        let users = line?.split(whereSeparator: \.isWhitespace).dropFirst().compactMap { UInt32($0) } ?? []
        return isRunning ? Set(users) : []
    }

    /// Whether exactly this process is running.
    package var isRunning: Bool { ProcessIdentity(of: id) == self }

    /// Whether it is there and somebody has stopped it (SIGSTOP, a debugger): it does nothing until it is told to go on.
    package var standsStill: Bool {
        guard isRunning, let stat = readSmallFile("/proc/\(id)/stat"), let end = stat.lastIndex(of: ")") else {
            return false
        }
        return ["T", "t"].contains(stat[stat.index(after: end)...].drop { $0 == " " }.prefix(1))
    }

    /// The running processes of the session that this one led, to find what a killed leader left behind.
    package var sessionMembers: [ProcessIdentity] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var members: [ProcessIdentity] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let number = Int32(name), number != id, getsid(number) == id else { continue }
            // A process older than the leader cannot be in its session: the id then means another session.
            if let member = ProcessIdentity(of: number), member.boot == boot, member.startTicks >= startTicks {
                members.append(member)
            }
        }
        return members
    }

    private static let currentBoot =
        readSmallFile("/proc/sys/kernel/random/boot_id").map {
            String($0.prefix { $0 != "\n" })
        } ?? "unknown"
}

private func readSmallFile(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(descriptor, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
}
