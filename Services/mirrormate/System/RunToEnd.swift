import Processes
import Runtime

/// Runs a program to its end.
///
/// - Returns: what it wrote on standard output.
/// - Throws: a failure with its last words when it does not end with code 0 in time.
@Loop @discardableResult
func runToEnd(
    _ command: Command, as what: String, log: String, within limit: Duration = .seconds(120)
) async throws -> String {
    var command = command
    command.output = .pipe
    command.errorOutput = .file(log)
    let before = Files.size(log) ?? 0
    let child = try ChildProcess.start(command)
    do {
        return try await Loop.withDeadline(limit) {
            let text = String(decoding: try await child.output?.collect(limit: 1 << 20) ?? [], as: UTF8.self)
            let exit = try await child.wait()
            guard exit.isSuccess else { throw ended(what, "failed with \(exit)", text, log, before) }
            return text
        }
    } catch is DeadlineExceeded {
        child.killGroup(9)
        throw ended(what, "took longer than \(limit)", "", log, before)
    }
}

private func ended(_ what: String, _ how: String, _ text: String, _ log: String, _ offset: Int64) -> Failure {
    var words = text.split(separator: "\n").suffix(4).map(String.init)
    words += Files.tail(log, lines: 6, after: offset)
    let shown = words.map { "    \($0)" }.joined(separator: "\n")
    return Failure(
        .failure, "step-failed", "\(what) \(how).\(shown.isEmpty ? "" : "\n" + shown)",
        advice: "The whole output is in \(log).")
}
