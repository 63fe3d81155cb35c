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
        guard id > 0, let stat = readSmallFile("/proc/\(id)/stat"), let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X", let ticks = UInt64(fields[19]) else { return nil }
        self.init(id: id, startTicks: ticks, boot: Self.currentBoot)
    }

    /// Whether exactly this process runs.
    package var isRunning: Bool { ProcessIdentity(of: id) == self }

    private static let currentBoot = readSmallFile("/proc/sys/kernel/random/boot_id").map {
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
