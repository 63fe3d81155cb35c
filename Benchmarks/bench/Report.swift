import Glibc
import JSON
import Runtime

/// Collects the figures, prints each at once and writes them all at the end.
@Loop final class Report {
    private var figures: [Figure] = []
    private(set) var hasFailed = false

    func add(_ new: [Figure]) {
        for figure in new { print(figure.line) }
        // The output may be a pipe, and the next part takes a while.
        fflush(nil)
        figures += new
    }

    /// Reports a part that could not be measured; it is never left out.
    func failed(_ part: String, _ reason: String) {
        hasFailed = true
        add([Figure(name: part, value: nil, unit: "", command: "infra/bench \(part)", note: "failed: \(reason)")])
    }

    func write(to path: String) throws {
        let bytes = JSONValue.array(figures.map(\.json)).prettyText + "\n"
        guard let file = fopen(path, "w") else { throw BenchError("\(path) cannot be written (error \(errno)).") }
        fputs(bytes, file)
        fclose(file)
        let goals = figures.compactMap(\.isMet)
        print("\(goals.count { $0 }) of \(goals.count) goals are met; all figures are in \(path).")
    }
}

/// A part could not be measured.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
