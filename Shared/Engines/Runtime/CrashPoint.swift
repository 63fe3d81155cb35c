import Glibc
import Primitives

/// Named points at which a test makes the process die, as by kill -9 or a power failure.
///
/// A debug build dies at the point that `MIRRORMATE_CRASH_AT` names; with `#3` behind its name, when it comes by for the
/// third time. If `MIRRORMATE_CRASH_ONCE` names a file, it does so only while that file does not exist, and creates it
/// first, so that the restarted process survives. In a release build crash points do nothing.
package enum CrashPoint {
    #if DEBUG
        private static let armed = getenv("MIRRORMATE_CRASH_AT").map {
            String(cString: $0).split(separator: "#").map(String.init)
        }
        private static let once = getenv("MIRRORMATE_CRASH_ONCE").map { String(cString: $0) }
        private static let passages = Locked(0)

        /// Marks a crash point.
        package static func reached(_ place: StaticString) {
            guard let armed, armed[0] == "\(place)" else { return }
            let passage = passages.withLock { count in
                count += 1
                return count
            }
            guard passage == (armed.count > 1 ? Int(armed[1]) : 1) else { return }
            if let once {
                let descriptor = open(once, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
                guard descriptor >= 0 else { return }
                close(descriptor)
            }
            kill(getpid(), SIGKILL)
        }
    #else
        /// Does nothing in a release build.
        @inline(__always) package static func reached(_: StaticString) {}
    #endif
}
