import Glibc

/// Named places at which a test lets the process die, as by kill -9 or a power cut.
///
/// A debug build dies at the place that `MIRRORMATE_CRASH_AT` names; when `MIRRORMATE_CRASH_ONCE` names a file too, only
/// if that file is not there yet, and it is made first, so that the process lives after its restart. In a release build
/// the places are empty.
package enum CrashPoint {
    #if DEBUG
        private static let armed = getenv("MIRRORMATE_CRASH_AT").map { String(cString: $0) }
        private static let once = getenv("MIRRORMATE_CRASH_ONCE").map { String(cString: $0) }

        /// Says that the process is at a place.
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
        /// Says that the process is at a place; nothing in a release build.
        @inline(__always) package static func reached(_: StaticString) {}
    #endif
}
