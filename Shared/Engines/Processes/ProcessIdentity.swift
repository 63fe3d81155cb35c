import Glibc

/// Names one process for as long as the machine runs: a number alone is given to another process sooner or later.
package struct ProcessIdentity: Sendable, Equatable {
    /// The kernel's number.
    package let id: Int32
    /// When it started, in clock ticks since the machine's start (field 22 of `/proc/ID/stat`, proc(5)).
    package let startTicks: UInt64
    /// The machine's start, as `/proc/sys/kernel/random/boot_id` names it.
    package let boot: String

    /// An identity that was kept somewhere.
    package init(id: Int32, startTicks: UInt64, boot: String) {
        self.id = id
        self.startTicks = startTicks
        self.boot = boot
    }

    /// The running process of a number; nil when there is none or it has ended and only its result is left.
    package init?(of id: Int32) {
        // The name in parentheses may hold anything, so the fields are counted from its end.
        guard id > 0, let stat = readSmallFile("/proc/\(id)/stat"), let end = stat.lastIndex(of: ")") else {
            return nil
        }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let ticks = UInt64(fields[19]), let threads = Int(fields[17]) else { return nil }
        // A first thread that has ended while others go on looks like a dead process, too.
        if fields[0] == "X" || fields[0] == "Z" && threads <= 1 { return nil }
        self.init(id: id, startTicks: ticks, boot: Self.currentBoot)
    }

    /// Whether exactly this process runs.
    package var isRunning: Bool { ProcessIdentity(of: id) == self }

    /// The running processes of the session that this one led, for finding what a killed leader left behind.
    package var sessionMembers: [ProcessIdentity] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var members: [ProcessIdentity] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let number = Int32(name), number != id, getsid(number) == id else { continue }
            // Whoever is older than the leader cannot be of its session: then the number means another one.
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
