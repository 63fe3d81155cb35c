import Glibc

/// Named points at which a test makes the process die, as by kill -9 or a power failure.
///
/// A debug build dies at the point that `MIRRORMATE_CRASH_AT` names. If `MIRRORMATE_CRASH_ONCE` names a file, it does so
/// only while that file does not exist, and creates it first, so that the restarted process survives. In a release build
/// crash points do nothing.
package enum CrashPoint {
    #if DEBUG
        private static let armed = getenv("MIRRORMATE_CRASH_AT").map { String(cString: $0) }
        private static let once = getenv("MIRRORMATE_CRASH_ONCE").map { String(cString: $0) }

        /// Marks a crash point.
        package static func reached(_ place: StaticString) {
            guard let armed, armed == "\(place)" else { return }
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
