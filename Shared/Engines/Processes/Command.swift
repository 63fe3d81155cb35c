/// A program to be started as a child process.
package struct Command: Sendable {
    /// The executable's path; PATH is not searched.
    package var executable: String
    /// The arguments after the program's name.
    package var arguments: [String]
    /// The complete environment; nothing else is inherited.
    package var environment: [String: String]
    /// The child's working folder; nil for the parent's.
    package var folder: String?
    /// Where standard input comes from.
    package var input = Input.nothing
    /// Where standard output goes.
    package var output = Output.nothing
    /// Where standard error goes.
    package var errorOutput = Output.nothing
    /// The child's resource limits.
    package var limits = Limits()
    /// How the child is tied to its parent.
    package var bond = Bond.group
    /// Another user to run as; needs root.
    package var user: User?

    /// A command; everything else has a default.
    package init(_ executable: String, _ arguments: [String] = [], environment: [String: String] = [:]) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
    }

    /// A source of standard input.
    package enum Input: Sendable {
        /// Empty: end of file at once.
        case nothing
        /// A file's content.
        case file(String)
    }

    /// A destination of standard output or error.
    package enum Output: Sendable {
        /// Discarded.
        case nothing
        /// Appended to a file, which is created with mode 0600 if missing.
        case file(String)
        /// Read by the parent through ``ChildProcess/output`` or ``ChildProcess/errorOutput``.
        case pipe
        /// The parent's stream.
        case inherited
    }

    /// Resource limits; zero means the parent's limit.
    package struct Limits: Sendable {
        /// Processor time in seconds, after which the kernel kills the child.
        package var cpuSeconds: UInt64 = 0
        /// Address space in bytes; allocations fail beyond it.
        package var addressSpaceBytes: UInt64 = 0
        /// The maximum size of a written file in bytes.
        package var fileBytes: UInt64 = 0
        /// The number of open descriptors.
        package var openFiles: UInt64 = 0

        package init(
            cpuSeconds: UInt64 = 0, addressSpaceBytes: UInt64 = 0, fileBytes: UInt64 = 0, openFiles: UInt64 = 0
        ) {
            self.cpuSeconds = cpuSeconds
            self.addressSpaceBytes = addressSpaceBytes
            self.fileBytes = fileBytes
            self.openFiles = openFiles
        }
    }

    /// How a child is tied to its parent.
    package enum Bond: Sendable {
        /// It stays in the parent's process group and is killed when the parent dies.
        case foreground
        /// It leads its own process group and is killed when the parent dies.
        case group
        /// It leads its own session and outlives the parent.
        case detached
    }

    /// A user id and group id.
    package struct User: Sendable, Equatable {
        package let user: UInt32
        package let group: UInt32

        package init(user: UInt32, group: UInt32) {
            self.user = user
            self.group = group
        }
    }
}
