/// A program to be started as a child process.
package struct Command: Sendable {
    /// The executable's path; PATH is not searched.
    package var executable: String
    /// The arguments after the program's name.
    package var arguments: [String]
    /// The whole environment; nothing is inherited that is not named here.
    package var environment: [String: String]
    /// The folder the child starts in; nil for the parent's.
    package var folder: String?
    /// Where standard input comes from.
    package var input = Input.nothing
    /// Where standard output goes.
    package var output = Output.nothing
    /// Where standard error goes.
    package var errorOutput = Output.nothing
    /// What the child may use.
    package var limits = Limits()
    /// How the child is tied to its parent.
    package var bond = Bond.group
    /// Another user to run as; needs root.
    package var user: User?

    /// Names a program, its arguments and its environment; everything else has a default.
    package init(_ executable: String, _ arguments: [String] = [], environment: [String: String] = [:]) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
    }

    /// A source of standard input.
    package enum Input: Sendable {
        /// Nothing: end of file at once.
        case nothing
        /// A file's content.
        case file(String)
    }

    /// A destination of standard output or error.
    package enum Output: Sendable {
        /// Thrown away.
        case nothing
        /// Appended to a file, which is made with mode 0600 when missing.
        case file(String)
        /// Read by the parent through ``ChildProcess/output`` or ``ChildProcess/errorOutput``.
        case pipe
        /// The parent's own.
        case inherited
    }

    /// What a child may use; zero means "as much as the parent may".
    package struct Limits: Sendable {
        /// Processor time in seconds; the kernel kills the child after it.
        package var cpuSeconds: UInt64 = 0
        /// Address space in bytes; allocations fail beyond it.
        package var addressSpaceBytes: UInt64 = 0
        /// The greatest size of a written file in bytes.
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
        /// It leads a group of its own and is killed when the parent dies.
        case group
        /// It leads a session of its own and outlives the parent.
        case detached
    }

    /// A user and group by number.
    package struct User: Sendable, Equatable {
        package let user: UInt32
        package let group: UInt32

        package init(user: UInt32, group: UInt32) {
            self.user = user
            self.group = group
        }
    }
}
