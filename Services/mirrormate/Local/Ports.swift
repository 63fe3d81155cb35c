import CClock
import Glibc

/// Free TCP ports of the loopback address.
///
/// Each port belongs to one stack as long as its state folder exists, also while nobody listens there: or another stack's
/// service could take the port of one that was just killed, and answer at the first stack's gateway.
enum Ports {
    /// Holds a file for each port that belongs to a stack, with the path of its state folder.
    private static let owners = "/tmp/mirrormate-ports"
    // Below the range from which the kernel takes ports for outgoing connections, so that a port that was ours is still
    // free after a restart.
    private static let range: ClosedRange<UInt16> = 20_000...29_999

    /// Whether a listener could have the port now.
    static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        return withLoopbackAddress(port) { bind(descriptor, $0, $1) == 0 }
    }

    /// Whether the port belongs to the stack with this state folder, now if not before.
    static func claim(_ port: UInt16, _ state: String) -> Bool {
        let file = "\(owners)/\(port)"
        // Users share the folder; each writes files of its own. Who made it first may have put a link there.
        if mkdir(owners, 0o700) == 0 { chmod(owners, 0o1777) }
        var facts = stat()
        guard lstat(owners, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return false }
        if let writer = StackOwner.owner(of: file), let owner = Files.readText(file, of: writer) {
            if owner == state { return true }
            // Without its state folder a stack is gone; an empty file is being written.
            guard !owner.isEmpty, !Files.exists(owner) else { return false }
            unlink(file)
        }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let text = Array(state.utf8)
        return write(descriptor, text, text.count) == text.count
    }

    /// The wanted port when it is free, else a free one that is not in `taken`; from then on it belongs to the stack.
    static func choose(wanted: UInt16?, taken: inout Set<UInt16>, for state: String) throws(Failure) -> UInt16 {
        if let wanted, !taken.contains(wanted), isFree(wanted), claim(wanted, state) {
            taken.insert(wanted)
            return wanted
        }
        for _ in 0..<2_000 {
            let port = UInt16.random(in: range)
            if !taken.contains(port), isFree(port), claim(port, state) {
                taken.insert(port)
                return port
            }
        }
        throw Failure(
            .unavailable, "ports", "No free port was found on 127.0.0.1.",
            advice: "Stop other programs, then try again.")
    }

    /// Calls with the address 127.0.0.1 and a port.
    private static func withLoopbackAddress<T>(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
