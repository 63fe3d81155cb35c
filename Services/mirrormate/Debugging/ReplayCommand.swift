import Contracts
import EventSourcing
import Glibc
import History
import JSON
import Primitives
import Replay
import Runtime

/// `mirrormate replay`: a history through today's code, step by step.
@Loop struct ReplayCommand {
    private let arguments: Arguments
    private let console: Console

    /// Replays a case of the logs, or of a file, which needs no stack.
    static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
        let command = ReplayCommand(arguments: arguments, console: console)
        switch (arguments[Operands.optionalSubject], arguments[Flags.caseFile]) {
        case (let id?, nil):
            return try await ServiceLogs.looking(for: "replay", arguments) {
                try await command.replay(try await CaptureCommand.captured(try await $0.id(id), $0))
            }
        case (nil, let file?):
            return try await ServiceLogs.reporting("replay") { try await command.replay(try load(file)) }
        default:
            throw Failure.usage(
                "replay needs either an id or --file.", advice: "`mirrormate replay --help` says what it takes.")
        }
    }

    private static func load(_ file: String) throws -> Capture {
        guard let text = try Files.readText(file) else {
            throw Failure(
                .configuration, "no-file", "\(file) cannot be read.", advice: "`mirrormate capture` makes such files.")
        }
        return try Capture(text: text)
    }

    private func replay(_ capture: Capture) async throws -> ExitCode {
        if !capture.content.isEmpty { console.note("This capture has personal content; a replay does not look at it.") }
        let run = ReplayRun(capture, ServiceLogs.histories)
        let isForPrograms = arguments[Flags.json]
        let isStepping = arguments[Flags.step] && !isForPrograms
        if let until = arguments[Flags.until] {
            let names = capture.entries.flatMap { Self.names($0.event, of: $0.service) }
            guard names.contains(until) else {
                let types = Set(capture.entries.map { $0.event.type.name }).sorted()
                throw Failure.unknown("No event of this case is \(until)", until, among: types)
            }
        }
        var steps: [ReplayRun.Step] = []
        let line = ProgressBar(console, "replaying")
        while let step = try run.step() {
            steps.append(step)
            if !isStepping {
                line.show(capture.subject, Double(steps.count) / Double(run.count), done: Int64(steps.count), "steps")
            }
            if isStepping {
                show(step, steps.count, run.count)
                show(state: step.state)
                if steps.count < run.count, isatty(STDIN_FILENO) == 1 {
                    console.note("Enter goes on, q ends.")
                    let line = try await Offload.shared.run { readLine() }
                    if line == nil || line == "q" { break }
                }
            }
            let names = step.events.flatMap { Self.names($0, of: step.service) }
            if let until = arguments[Flags.until], names.contains(until) {
                if !isStepping, !isForPrograms { show(state: step.state) }
                break
            }
        }
        line.end()
        let given = steps.filter { $0.judgement == .given }.count
        let different = steps.filter { !$0.isAsBefore }
        let rows = try steps.count == run.count ? run.changedRows() : []
        let isSame = different.isEmpty && rows.isEmpty
        if isForPrograms {
            console.answer(document(steps))
            return isSame ? .success : .failure
        }
        let again = steps.count - given
        console.print(
            isSame
                ? "\(Format.count(again, "decision")) made again by this build, all the same; \(given) taken as given"
                : console.style.red(
                    "\(different.count) of \(Format.count(steps.count, "step")) and \(Format.count(rows.count, "row")) "
                        + "would be others today"))
        if !isStepping {
            for (index, step) in steps.enumerated() { show(step, index + 1, run.count) }
        }
        for (then, now) in rows {
            console.print("  \(console.style.red("≠")) \(then.service.rawValue)/\(then.model) \(then.key)")
            let before = then.columns.map(JSONValue.object) ?? .null
            for field in Difference.fields(before, now?.columns.map(JSONValue.object) ?? .null) {
                console.print(
                    "      \(field.name): then \(Format.value(field.before)), today \(Format.value(field.after))")
            }
        }
        return isSame ? .success : .failure
    }

    /// What `--until` may call an event.
    private static func names(_ event: RecordedEvent, of service: ServiceName) -> [String] {
        [event.id.description, event.type.name, "\(service.rawValue)/\(event.position)"]
    }

    private func show(_ step: ReplayRun.Step, _ number: Int, _ count: Int) {
        let events = step.events.map(\.type.name).joined(separator: ", ")
        let cause = step.cause.map { " ← \($0)" } ?? ""
        let sign =
            !step.isAsBefore
            ? console.style.red("≠") : step.judgement == .same ? console.style.green("=") : console.style.dim("·")
        let place = "\(step.service.rawValue)/\(step.events[0].position)"
        console.print("  \(sign) \(number)/\(count)  \(place)  \(events)\(cause)")
        switch step.judgement {
        case .different(let events) where events.isEmpty: console.print("      today: nothing would happen")
        case .different(let events):
            for event in events { console.print("      today: \(JSONValue.object(event).text)") }
        case .refused(let code): console.print("      today: refused, \(code)")
        case .same, .given: break
        }
        for change in step.changes {
            console.print(
                "      state \(change.name): then \(Format.value(change.before)), today \(Format.value(change.after))")
        }
    }

    private func show(state: JSONValue?) {
        if let state { console.print("      → \(state.text)") }
    }

    private func document(_ steps: [ReplayRun.Step]) -> JSONValue {
        .array(
            steps.map { step in
                var object: JSONObject = [
                    "service": .string(step.service.rawValue), "position": .int(step.events[0].position),
                    "events": .array(step.events.map { .string($0.type.description) }),
                    "answers": .optional(step.cause?.description), "state": step.state ?? .null,
                ]
                switch step.judgement {
                case .same: object["today"] = "same"
                case .given: object["today"] = "given"
                case .refused(let code): object["today"] = .object(["refused": .string(code)])
                case .different(let events): object["today"] = .array(events.map(JSONValue.object))
                }
                return .object(object)
            })
    }
}
