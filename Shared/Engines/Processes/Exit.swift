/// How a process ended.
package enum Exit: Sendable, Equatable, CustomStringConvertible {
    /// By exiting with a code; 0 means success.
    case code(Int32)
    /// By a signal.
    case signal(Int32)

    /// Whether it exited with code 0.
    package var isSuccess: Bool { self == .code(0) }

    package var description: String {
        switch self {
        case .code(let code): "exit code \(code)"
        case .signal(let signal): "signal \(signal)"
        }
    }
}
