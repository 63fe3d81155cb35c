import Contracts
import EventSourcing
import History
import JSON
import Primitives
import Replay
import Runtime

/// `mirrormate diff` and `mirrormate explain`: what changed, field by field, and the event that did it.
@Loop struct DiffCommand {
    private let arguments: Arguments
    private let desk: Desk
    private let console: Console

    init(_ arguments: Arguments, _ desk: Desk, _ console: Console) {
        self.arguments = arguments
        self.desk = desk
        self.console = console
    }

    /// What changed between two moments; 1 when something did.
    func diff() async throws -> ExitCode {
        let (name, changes) = try await changes()
        let bounds = try await bounds()
        let between = changes.filter { $0.order > bounds.from && $0.order <= bounds.to }
        if arguments.flags.contains("--json") {
            console.print(document(name, between).prettyText)
            return between.isEmpty ? .success : .failure
        }
        let fields = between.flatMap(\.fields)
        console.print(
            "\(name): \(Words.count(fields.count, "change")) by \(Words.count(between.count, "event")) from "
                + "\(arguments.values["--from"] ?? "the start") to \(arguments.values["--to"] ?? "now")")
        show(between)
        return between.isEmpty ? .success : .failure
    }

    /// The events behind a row or a field of it.
    func explain() async throws -> ExitCode {
        if arguments.operands.first == "quota" { return try await explainQuota() }
        let (name, all) = try await changes()
        let field = arguments.values["--field"]
        let changes = all.filter { change in field == nil || change.fields.contains { $0.name == field } }
        if arguments.flags.contains("--json") {
            console.print(document(name, changes).prettyText)
            return changes.isEmpty ? .failure : .success
        }
        guard let last = changes.last else {
            console.print("\(name)\(field.map { ", \($0)" } ?? ""): no event has to do with it")
            return .failure
        }
        let value = field.flatMap { field in last.fields.first { $0.name == field } }.map {
            "\(name): \($0.name) is \(Words.value($0.after)), set by \(last.event.type.name) at position "
                + "\(last.event.position)"
        }
        console.print(value ?? "\(name): made by \(Words.count(changes.count, "event"))")
        show(changes, only: field)
        return .success
    }

    /// An owner's allowance in words.
    private func explainQuota() async throws -> ExitCode {
        guard arguments.operands.count == 2, let owner = UUID(arguments.operands[1]) else {
            throw Arguments.usage("Name the owner's id: mirrormate explain quota OWNER.")
        }
        let store = try desk.store("quota")
        let events = try await store.stream(StreamName("allowance", owner))
        let lines = try events.map { ($0, try store.history.words($0) ?? $0.type.name) }
        if arguments.flags.contains("--json") {
            let steps = lines.map { event, words -> JSONValue in
                [
                    "position": .int(event.position), "recordedAt": .time(event.recordedAt),
                    "type": .string(event.type.description), "words": .string(words),
                ]
            }
            console.print(JSONValue.object(["owner": .uuid(owner), "decisions": .array(steps)]).prettyText)
            return events.isEmpty ? .failure : .success
        }
        guard let last = lines.last else {
            console.print("\(owner) has never asked for anything.")
            return .failure
        }
        console.print("\(owner): \(Words.count(events.count, "decision")), the last one: \(last.1)")
        for (event, words) in lines {
            let text = Chart.wrap(words, width: max(console.width, 100), indent: 34)
            console.print("  \(Words.moment(event.recordedAt))  \(Self.right(event.position))  \(text)")
        }
        return .success
    }

    private static func right(_ number: Int64) -> String {
        String(repeating: " ", count: max(5 - "\(number)".count, 0)) + "\(number)"
    }

    private struct Step {
        let event: RecordedEvent
        /// Its position, or its version for an aggregate.
        let order: Int64
        let fields: [(name: String, before: JSONValue, after: JSONValue)]
    }

    private func changes() async throws -> (String, [Step]) {
        if arguments.operands.count == 2 {
            let (store, model) = try desk.readModel(arguments.operands[0])
            let key = arguments.operands[1]
            let changes = try await StateFold(store).changes(of: key, in: model, upTo: .max)
            return (
                "\(store.service.rawValue)/\(model.name) \(key)",
                changes.map { Step(event: $0.event, order: $0.event.position, fields: $0.fields) }
            )
        }
        let name = try arguments.operand("SERVICE/STREAM, or SERVICE/READMODEL with a key,")
        let parts = name.split(separator: "/", maxSplits: 1)
        guard parts.count == 2 else { throw Arguments.usage("\(name) is not of the form SERVICE/STREAM.") }
        let store = try desk.store(parts[0])
        let stream = StreamName(rawValue: String(parts[1]))
        guard let fold = store.history.aggregate(of: stream)?.open() else {
            throw Arguments.usage("No aggregate of \(parts[0]) has streams like \(parts[1]).")
        }
        var steps: [Step] = []
        var before = JSONValue.null
        for event in try await store.stream(stream) {
            try fold.apply(event)
            let after = fold.state
            steps.append(Step(event: event, order: event.version, fields: Difference.fields(before, after)))
            before = after
        }
        return (name, steps)
    }

    /// The bounds of `--from` and `--to` as positions (versions for aggregates); times are looked up.
    private func bounds() async throws -> (from: Int64, to: Int64) {
        (try await place("--from") ?? 0, try await place("--to") ?? .max)
    }

    private func place(_ option: String) async throws -> Int64? {
        guard let text = arguments.values[option] else { return nil }
        if let number = Int64(text) { return number }
        guard let moment = try arguments.moment(option) else { return nil }
        if arguments.operands.count == 2 {
            return try await desk.readModel(arguments.operands[0]).0.position(at: moment)
        }
        let parts = arguments.operands[0].split(separator: "/", maxSplits: 1)
        let events = try await desk.store(parts[0]).stream(StreamName(rawValue: String(parts[1])), at: moment)
        return events.last?.version ?? 0
    }

    private func show(_ steps: [Step], only field: String? = nil) {
        for step in steps {
            console.print(
                "  \(console.style.dim(Words.moment(step.event.recordedAt)))  \(step.event.type.name), position "
                    + "\(step.event.position), version \(step.event.version)")
            for change in step.fields where field == nil || change.name == field {
                let name = change.name.isEmpty ? "state" : change.name
                console.print("      \(name): \(Words.value(change.before)) → \(Words.value(change.after))")
            }
        }
    }

    private func document(_ name: String, _ steps: [Step]) -> JSONValue {
        [
            "name": .string(name),
            "changes": .array(
                steps.map { step in
                    [
                        "position": .int(step.event.position), "version": .int(step.event.version),
                        "id": .uuid(step.event.id), "type": .string(step.event.type.description),
                        "recordedAt": .time(step.event.recordedAt),
                        "fields": .array(
                            step.fields.map {
                                ["field": .string($0.name), "before": $0.before, "after": $0.after]
                            }),
                    ]
                }),
        ]
    }
}
