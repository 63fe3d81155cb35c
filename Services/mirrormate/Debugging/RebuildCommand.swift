import Contracts
import EventSourcing
import Glibc
import History
import JSON
import Postgres
import Primitives
import Processes
import Replay
import Runtime

/// `mirrormate rebuild SERVICE/READMODEL`: the read model anew beside the live one, compared, switched, undone.
@Loop struct RebuildCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        if arguments[Flags.differing], !arguments[Flags.compare] || !arguments[Flags.switchOver] {
            throw Failure.usage("--accept-differences needs --compare and --switch.")
        }
        let (store, model) = logs.readModel(arguments[Operands.readModel])
        let writer = try logs.writer(store)
        let name = "\(store.service.rawValue)/\(model.name)"
        do {
            if arguments[Flags.rollback] {
                let position = try await Rebuild.undo(model, writer: writer)
                answer(
                    "\(name): the table before is live again; the service folds on from position \(position)",
                    ["readModel": .string(name), "position": .int(position)])
                return .success
            }
            if arguments[Flags.dropOld] {
                let count = try await Rebuild.dropOld(model, writer: writer)
                answer("\(name): \(count) old tables removed", ["readModel": .string(name), "dropped": .int(count)])
                return .success
            }
            return try await rebuild(store, model, writer, name)
        } catch let refusal as RebuildRefusal {
            throw Failure(
                .configuration, refusal.code, refusal.description,
                advice: "`mirrormate rebuild --help` says what can be done when.")
        }
    }

    private func rebuild(
        _ store: HistoryStore, _ model: ReadModelHistory, _ writer: PostgresSettings, _ name: String
    ) async throws -> ExitCode {
        let start = ContinuousClock.now
        let line = ProgressBar(console, "rebuilding")
        let cost = Double(arguments[Flags.cost]) / 100
        let rebuild = try await Rebuild.begin(
            store, model, writer: writer, who: Variables["USER"] ?? "uid \(geteuid())",
            code: Files.stamp("/proc/self/exe") ?? "unknown", cost: cost
        ) { share, events in line.show(name, share, done: events) }
        defer { rebuild.close() }
        do {
            return try await Interrupt.cancelling {
                try await work(rebuild, store, model, name, since: start, line)
            }
        } catch is CancellationError {
            line.end()
            try await rebuild.abandon()
            throw Failure(
                .configuration, "cancelled", "The rebuild of \(name) was cancelled; the live table is as it was.",
                advice: "Nothing is left of it.")
        }
    }

    private func work(
        _ rebuild: Rebuild, _ store: HistoryStore, _ model: ReadModelHistory, _ name: String,
        since start: ContinuousClock.Instant, _ line: ProgressBar
    ) async throws -> ExitCode {
        let outcome = try await rebuild.build()
        line.end()
        let seconds = max(Double((ContinuousClock.now - start).milliseconds) / 1_000, 0.001)
        var document: JSONObject = [
            "readModel": .string(name), "rebuild": .int(outcome.id), "position": .int(outcome.position),
            "events": .int(outcome.events), "rows": .int(outcome.rows),
            "eventsPerSecond": .int(Int64(Double(outcome.events) / seconds)),
        ]
        var lines = [
            "\(name): \(Format.count(Int(outcome.rows), "row")) from \(Format.count(Int(outcome.events), "event")) in \(Format.length(ContinuousClock.now - start)), "
                + "\(Int(Double(outcome.events) / seconds)) events/s"
        ]
        var differs = false
        if arguments[Flags.compare] {
            let comparison = try await rebuild.compare()
            differs = comparison.differenceCount > 0
            let first = try await divergence(comparison, store, model, name)
            try await rebuild.record(comparison, first: first.map { "\(store.service.rawValue)/\($0.event.position)" })
            describe(comparison, first, &lines, &document)
        }
        if arguments[Flags.switchOver] {
            if differs, !arguments[Flags.differing] {
                lines.append(
                    "not switched, because the tables differ; where the live one is wrong, add --accept-differences")
            } else {
                let fence = try await rebuild.switchOver()
                lines.append("switched at position \(fence); the table before is kept for --rollback until --drop-old")
                document["switchedAt"] = .int(fence)
            }
        }
        answer(lines.joined(separator: "\n"), document)
        return differs && !arguments[Flags.differing] ? .failure : .success
    }

    private func describe(
        _ comparison: TableComparison, _ first: Divergence?, _ lines: inout [String], _ document: inout JSONObject
    ) {
        document["compared"] = .int(Int64(comparison.rows))
        document["differences"] = .int(Int64(comparison.differenceCount))
        if comparison.differenceCount == 0 {
            lines.append(
                "\(comparison.rows == 1 ? "the row is" : "all \(comparison.rows) rows are") the same as live at position \(comparison.position)"
            )
            return
        }
        lines.append(
            console.style.red(
                "\(comparison.differenceCount) of \(comparison.rows) rows differ at position \(comparison.position)"))
        for drift in comparison.differences.prefix(10) {
            let live = drift.live.map(JSONValue.object) ?? .null
            let fresh = drift.folded.map(JSONValue.object) ?? .null
            for field in Difference.fields(live, fresh).prefix(6) {
                lines.append(
                    "  \(drift.key) \(field.name): live \(Format.value(field.before)), rebuilt \(Format.value(field.after))"
                )
            }
        }
        guard let first else { return }
        let how = first.isProven ? "found by running both folds" : "as far as the live row tells"
        lines.append(
            "first event at which they part: \(first.event.type.name) at position \(first.event.position) "
                + "(\(Format.moment(first.event.recordedAt))), row \(first.key), \(how)")
        document["firstDivergence"] = [
            "position": .int(first.event.position), "id": .uuid(first.event.id),
            "type": .string(first.event.type.description), "key": .string(first.key),
            "fields": .array(first.fields.map(JSONValue.string)), "proven": .bool(first.isProven),
        ]
    }

    /// Where the tables part; with `--live-bin DIR` by asking the build there how it folds.
    private func divergence(
        _ comparison: TableComparison, _ store: HistoryStore, _ model: ReadModelHistory, _ name: String
    ) async throws -> Divergence? {
        var other: DivergenceSearch.OtherFold?
        if let folder = arguments[Flags.liveBin] {
            other = { key, position in try await fold(folder, name, key, position) }
        }
        return try await DivergenceSearch(store, model).first(
            in: comparison.differences, upTo: comparison.position, other: other)
    }

    private func fold(_ folder: String, _ name: String, _ key: String, _ position: Int64) async throws -> JSONValue {
        let settings = try Settings(arguments, for: .look)
        let place = settings.state.path
        var command = Command(
            "\(folder)/mirrormate", ["state", name, key, "--position", "\(position)", "--json", "--state", place],
            environment: settings.environment)
        command.output = .pipe
        let child = try ChildProcess.start(command)
        let text = try await child.output?.collect(limit: 1 << 20) ?? []
        let exit = try await child.wait()
        // A build from before there was an envelope answers with the document itself.
        let answer = try? JSONObject.parse(text)
        guard let document = answer?["data"] ?? answer.map(JSONValue.object) else {
            throw Failure(
                .configuration, "other-build", "\(folder)/mirrormate could not fold \(key): \(exit)",
                advice: "--live-bin names the folder of the other build's executables.")
        }
        return document["state"] ?? .null
    }

    private func answer(_ text: String, _ document: JSONObject) {
        if arguments[Flags.json] { console.answer(.object(document)) } else { console.print(text) }
    }
}
