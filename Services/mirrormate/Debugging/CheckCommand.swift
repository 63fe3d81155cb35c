import Contracts
import History
import JSON
import Primitives
import Replay
import Runtime

/// `mirrormate check`: whether read models are what their logs say, and mending a row that is not.
@Loop struct CheckCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        if let key = arguments[Flags.repair] { return try await repair(key) }
        let sample = UInt64(arguments[Flags.sample])
        var chosen: [(HistoryStore, ReadModelHistory)] = []
        for name in arguments[Operands.readModels] { chosen.append(logs.readModel(name)) }
        if chosen.isEmpty { chosen = logs.stores.flatMap { store in store.history.readModels.map { (store, $0) } } }
        var found: [(String, ReadModelCheck.Findings)] = []
        for (store, model) in chosen {
            let name = "\(store.service.rawValue)/\(model.name)"
            let line = ProgressBar(console, "folding")
            let findings = try await ReadModelCheck(store, model) { line.show(name, $0, done: $1) }.run(sample: sample)
            line.end()
            found.append((name, findings))
        }
        let drifts = found.reduce(0) { $0 + $1.1.driftCount }
        if arguments[Flags.json] {
            console.answer(.array(found.map(Self.json)))
        } else {
            let rows = found.reduce(0) { $0 + $1.1.rows }
            console.print(
                drifts == 0
                    ? "\(Format.count(rows, "row")) in \(Format.count(found.count, "read model")): all are what the logs say"
                    : console.style.red("\(Format.count(drifts, "row")) of \(rows) differ from what the logs say"))
            for (name, findings) in found { show(name, findings) }
        }
        return drifts == 0 ? .success : .failure
    }

    private func show(_ name: String, _ findings: ReadModelCheck.Findings) {
        console.print(
            "  \(name): \(Format.count(findings.rows, "row")) at position \(findings.position), "
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
                        "  ✗ \(drift.key): \(field.name) is \(Format.value(field.before)), by the log "
                            + Format.value(field.after))
                }
            }
        }
        if let first = findings.drifts.first {
            console.print("    mend one with: mirrormate check \(name) --repair '\(first.key)'")
        }
    }

    private func repair(_ word: String) async throws -> ExitCode {
        let names = arguments[Operands.readModels]
        guard names.count == 1 else {
            throw Failure.usage("--repair needs one read model: mirrormate check READMODEL --repair KEY.")
        }
        let (store, model) = logs.readModel(names[0])
        let key = try await logs.repaired(word, of: names[0])
        let row: JSONObject?
        do {
            row = try await RowRepair(store, model, writer: try logs.writer(store)).run(key)
        } catch is UnknownRow {
            throw Failure.usage(
                "\(names[0]) has no row \(key), and no event is about one.",
                advice: "`mirrormate check \(names[0])` names the keys of rows that differ.")
        }
        if arguments[Flags.json] {
            console.answer(["key": .string(key), "row": row.map(JSONValue.object) ?? .null])
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
