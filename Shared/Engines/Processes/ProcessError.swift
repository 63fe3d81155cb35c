import Glibc

/// Why a process could not be started or reached.
package struct ProcessError: Error, Sendable, CustomStringConvertible {
    /// A stable code: `process-start`, `process-file` or `process-watch`.
    package let code: String
    /// What happened and what to do next.
    package let description: String

    init(_ code: String, _ what: String, errno number: Int32, advice: String) {
        self.code = code
        description = "\(what): \(String(cString: strerror(number))). \(advice)"
    }
}
