import Glibc
package import JSON
package import Observability

/// The lines of a security log, in a file without a name that goes with this object and all who write to it.
package final class SecurityLines: Sendable {
    /// Writes them.
    package let logger: Logger
    private let file = File()

    package init() { logger = Logger(label: "security", descriptor: file.descriptor, of: file) }

    private final class File: Sendable {
        let descriptor: Int32

        /// Whoever writes may outlive the test, so the folder goes at once.
        init() {
            let folder = TemporaryFolder()
            descriptor = withExtendedLifetime(folder) {
                open("\(folder.path)/security", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            }
            precondition(descriptor >= 0, "No file can be made in \(folder.path).")
        }

        deinit { close(descriptor) }
    }

    /// What was written so far, the first line first.
    ///
    /// - Throws: `JSONError` for a line that is no JSON object.
    package func read() throws -> [JSONObject] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = pread(file.descriptor, &buffer, buffer.count, off_t(bytes.count))
            if count <= 0 { break }
            bytes += buffer.prefix(count)
        }
        return try bytes.split(separator: UInt8(ascii: "\n")).map { try JSONObject.parse(Array($0)) }
    }
}
