/// The severity of a log line; lines below the process's level are not written.
package enum LogLevel: String, Sendable, Comparable, CaseIterable {
    case debug, info, notice, warning, error

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}
