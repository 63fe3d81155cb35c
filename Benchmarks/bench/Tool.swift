import Glibc
import Processes
import Runtime

/// Other programs that the figures are measured with.
@Loop enum Tool {
    /// Runs a program to its end and gives its standard output.
    ///
    /// - Throws: ``BenchError`` with its last words when it fails or takes longer than ten minutes.
    @discardableResult
    static func run(_ path: String, _ arguments: [String]) async throws -> String {
        var environment: [String: String] = ["LC_ALL": "C"]
        for name in ["PATH", "HOME", "KAFKA_HOME", "JAVA_HOME"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        var command = Command(path, arguments, environment: environment)
        command.output = .pipe
        command.errorOutput = .pipe
        let child = try ChildProcess.start(command)
        return try await Loop.withDeadline(.seconds(600)) {
            let errors = Loop.task { try await child.errorOutput?.collect(limit: 1 << 16) ?? [] }
            let output = String(decoding: try await child.output?.collect(limit: 1 << 22) ?? [], as: UTF8.self)
            let complaint = String(decoding: try await errors.value, as: UTF8.self)
            let exit = try await child.wait()
            guard exit.isSuccess else {
                throw BenchError("\(path) ended with \(exit): \((complaint + output).suffix(400))")
            }
            return output
        }
    }

    /// The number behind a word in a program's output.
    static func number(after word: String, in text: String) throws -> Double {
        for line in text.split(separator: "\n") {
            guard let place = line.firstRange(of: word) else { continue }
            let digits = line[place.upperBound...].drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." }
            if let number = Double(digits) { return number }
        }
        throw BenchError("There is no \(word) in: \(text.prefix(400))")
    }
}
