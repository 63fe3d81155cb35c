import Glibc
import Postgres
import Processes
import Runtime

/// Runs other programs that the figures are measured with.
@Loop enum Tool {
    /// Runs a program to its end and returns its standard output.
    ///
    /// - Parameter variables: what it finds in its environment besides.
    /// - Throws: ``BenchError`` with the end of its output if it fails or takes longer than ten minutes.
    @discardableResult
    static func run(
        _ path: String, _ arguments: [String], _ variables: [String: String] = [:]
    ) async throws -> String {
        var environment: [String: String] = ["LC_ALL": "C"]
        for name in ["PATH", "HOME", "KAFKA_HOME", "JAVA_HOME"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        environment.merge(variables) { $1 }
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

    /// The number after a word in a program's output.
    static func number(after word: String, in text: String) throws -> Double {
        for line in text.split(separator: "\n") {
            guard let place = line.firstRange(of: word) else { continue }
            let digits = line[place.upperBound...].drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." }
            if let number = Double(digits) { return number }
        }
        throw BenchError("There is no \(word) in: \(text.prefix(400))")
    }

    /// The path of this program, to start it as another process.
    static func own() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { throw BenchError("/proc is not mounted.") }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The database named by such a process's arguments: host, port, database and user.
    static func database(_ words: [String]) throws -> PostgresSettings {
        guard words.count == 4, let port = Int(words[1]) else { throw BenchError("wanted: HOST PORT DATABASE USER") }
        return PostgresSettings(
            host: words[0], port: port, database: words[2], user: words[3], password: "", applicationName: "bench"
        ).with("search_path", "sessions")
    }
}
