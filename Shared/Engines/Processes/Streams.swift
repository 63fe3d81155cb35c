import CSystem
import Glibc

/// The descriptors of a child's three standard streams, seen from both sides.
struct Streams {
    private(set) var input: Int32 = -1
    private(set) var output: Int32 = -1
    private(set) var error: Int32 = -1
    /// The parent's ends of pipes.
    private(set) var outputReader: Int32?
    private(set) var errorReader: Int32?
    // What was opened for the child, to be closed once it runs.
    private var opened: [Int32] = []

    init(_ command: Command) throws(ProcessError) {
        do throws(ProcessError) {
            if case .file(let path) = command.input {
                input = try open(path, O_RDONLY | O_CLOEXEC)
            }
            (output, outputReader) = try destination(command.output, inherited: STDOUT_FILENO)
            (error, errorReader) = try destination(command.errorOutput, inherited: STDERR_FILENO)
        } catch {
            closeChildSide()
            closeParentSide()
            throw error
        }
    }

    func closeChildSide() {
        for descriptor in opened { Glibc.close(descriptor) }
    }

    func closeParentSide() {
        for descriptor in [outputReader, errorReader].compactMap({ $0 }) { Glibc.close(descriptor) }
    }

    private mutating func destination(
        _ output: Command.Output, inherited: Int32
    ) throws(ProcessError) -> (Int32, Int32?) {
        switch output {
        case .nothing: return (-1, nil)
        case .inherited: return (inherited, nil)
        case .file(let path): return (try open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC), nil)
        case .pipe:
            var ends: [Int32] = [-1, -1]
            let outcome = mm_pipe(&ends)
            guard outcome == 0 else {
                throw ProcessError(
                    "process-file", "A pipe cannot be made", errno: -outcome, advice: "Raise `ulimit -n`.")
            }
            opened.append(ends[1])
            return (ends[1], ends[0])
        }
    }

    private mutating func open(_ path: String, _ flags: Int32) throws(ProcessError) -> Int32 {
        let descriptor = Glibc.open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw ProcessError("process-file", "\(path) cannot be opened", errno: errno, advice: "Check the folder.")
        }
        opened.append(descriptor)
        return descriptor
    }
}
