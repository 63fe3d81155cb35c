import Contracts
import History
import JSON
import Primitives
import Replay
import Runtime

/// `mirrormate check`: whether read models are what their logs say, and mending a row that is not.
@Loop struct CheckCommand {
    private let arguments: Arguments
    private let desk: Desk
    private let console: Console

    init(_ arguments: Arguments, _ desk: Desk, _ console: Console) {
        self.arguments = arguments
        self.desk = desk
        self.console = console
    }

    func run() async throws -> ExitCode {
        if let key = arguments.values["--repair"] { return try await repair(key) }
        let sample = UInt64(try arguments.number("--sample", in: 1...1_000_000) ?? 1)
        var chosen: [(HistoryStore, ReadModelHistory)] = []
        for name in arguments.operands { chosen.append(try desk.readModel(name)) }
        if chosen.isEmpty { chosen = desk.stores.flatMap { store in store.history.readModels.map { (store, $0) } } }
        var found: [(String, ReadModelCheck.Findings)] = []
        for (store, model) in chosen {
            let name = "\(store.service.rawValue)/\(model.name)"
            let line = DebugProgress(console, "folding")
            let findings = try await ReadModelCheck(store, model) { line.show(name, $0, done: $1) }.run(sample: sample)
            line.end()
            found.append((name, findings))
        }
        let drifts = found.reduce(0) { $0 + $1.1.driftCount }
        if arguments.flags.contains("--json") {
            console.print(JSONValue.array(found.map(Self.json)).prettyText)
        } else {
            let rows = found.reduce(0) { $0 + $1.1.rows }
            console.print(
                drifts == 0
                    ? "\(Words.count(rows, "row")) in \(Words.count(found.count, "read model")): all are what the logs say"
                    : console.style.red("\(Words.count(drifts, "row")) of \(rows) differ from what the logs say"))
            for (name, findings) in found { show(name, findings) }
        }
        return drifts == 0 ? .success : .failure
    }

    private func show(_ name: String, _ findings: ReadModelCheck.Findings) {
        console.print(
            "  \(name): \(Words.count(findings.rows, "row")) at position \(findings.position), "
                + "\(findings.driftCount) different")
        for drift in findings.drifts.prefix(20) {
            switch (drift.live, drift.folded) {
            case (nil, _): console.print("  ✗ \(drift.key): the row is missing")
            case (_, nil): console.print("  ✗ \(drift.key): there should be no row")
            case (let live?, let folded?):
                var own = live
                own["key"] = nil
                for field in Difference.fields(.object(own), .object(folded)) {
                    console.print(
                        "  ✗ \(drift.key): \(field.name) is \(Words.value(field.before)), by the log "
                            + Words.value(field.after))
                }
            }
        }
        if let first = findings.drifts.first {
            console.print("    mend one with: mirrormate check \(name) --repair '\(first.key)'")
        }
    }

    private func repair(_ key: String) async throws -> ExitCode {
        let (store, model) = try desk.readModel(try arguments.operand("read model"))
        let row = try await RowRepair(store, model, writer: try desk.writer(store)).run(key)
        if arguments.flags.contains("--json") {
            console.print(
                JSONValue.object(["key": .string(key), "row": row.map(JSONValue.object) ?? .null]).prettyText)
        } else {
            console.print(
                row == nil ? "\(key): removed, as the log says" : "\(key): the row is again what the log says")
        }
        return .success
    }

    private static func json(_ name: String, _ findings: ReadModelCheck.Findings) -> JSONValue {
        [
            "readModel": .string(name), "rows": .int(Int64(findings.rows)), "position": .int(findings.position),
            "differences": .int(Int64(findings.driftCount)),
            "different": .array(
                findings.drifts.map { drift in
                    [
                        "key": .string(drift.key), "row": drift.live.map(JSONValue.object) ?? .null,
                        "byTheLog": drift.folded.map(JSONValue.object) ?? .null,
                    ]
                }),
        ]
    }
}
