import Glibc
package import JSON
import Primitives

/// Writes one JSON object per line (fields `ts`, `level`, `service`, `component`, `message`, `traceId`, then the
/// metadata).
///
/// Messages are constants, so that no request content can slip in; what varies goes into the metadata, where neither
/// secrets nor personal content belong. Each line is one `write(2)`.
package struct Logger: Sendable {
    private struct Settings {
        var service = "mirrormate"
        var level = LogLevel.info
    }

    private static let settings = Locked(Settings())

    /// The process-wide threshold; may be changed at any time.
    package static var level: LogLevel {
        get { settings.withLock { $0.level } }
        set { settings.withLock { $0.level = newValue } }
    }

    /// Sets the service named in every line, and the level from the variable `LOG_LEVEL` if that is valid.
    package static func configure(service: String) {
        let level = getenv("LOG_LEVEL").flatMap { LogLevel(rawValue: String(cString: $0)) }
        settings.withLock {
            $0.service = service
            if let level { $0.level = level }
        }
    }

    private let label: String
    private let descriptor: Int32
    private let file: (any AnyObject & Sendable)?

    /// A logger for a part of the program.
    ///
    /// - Parameters:
    ///   - label: the part's name, the field `component`.
    ///   - descriptor: the file descriptor to write to; 1 is standard output.
    ///   - file: who closes the descriptor when they go, which is not before the last logger that writes to it: its number may
    ///     be a connection's by then.
    package init(label: String, descriptor: Int32 = 1, of file: (any AnyObject & Sendable)? = nil) {
        self.label = label
        self.descriptor = descriptor
        self.file = file
    }

    /// Details for debugging; off in production.
    package func debug(_ message: StaticString, _ metadata: @autoclosure () -> JSONObject = [:]) {
        log(.debug, message, metadata())
    }

    /// Normal operation.
    package func info(_ message: StaticString, _ metadata: @autoclosure () -> JSONObject = [:]) {
        log(.info, message, metadata())
    }

    /// What an operator wants to see even when all is well: starts, stops, role changes.
    package func notice(_ message: StaticString, _ metadata: @autoclosure () -> JSONObject = [:]) {
        log(.notice, message, metadata())
    }

    /// Something went wrong and was handled.
    package func warning(_ message: StaticString, _ metadata: @autoclosure () -> JSONObject = [:]) {
        log(.warning, message, metadata())
    }

    /// Something went wrong that needs a person's attention.
    package func error(_ message: StaticString, _ metadata: @autoclosure () -> JSONObject = [:]) {
        log(.error, message, metadata())
    }

    /// Writes a line whose level is known only at run time.
    package func log(_ level: LogLevel, _ message: StaticString, _ metadata: @autoclosure () -> JSONObject = [:]) {
        let (service, threshold) = Self.settings.withLock { ($0.service, $0.level) }
        guard level >= threshold else { return }
        var line: JSONObject = [
            "ts": .time(Timestamp.now()),
            "level": .string(level.rawValue),
            "service": .string(service),
            "component": .string(label),
            "message": .string(message.description),
        ]
        if let trace = TraceContext.current { line["traceId"] = .string(trace.traceId) }
        for (key, value) in metadata().members {
            // Metadata must not hide one of the fields above.
            line[line[key] == nil ? key : key + "_"] = value
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        JSONValue.object(line).write(to: &bytes)
        bytes.append(0x0A)
        write(bytes)
    }

    private func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress! + written, buffer.count - written)
                if count > 0 {
                    written += count
                } else if errno != EINTR {
                    // A log without a reader must not stop the service.
                    return
                }
            }
        }
    }
}
