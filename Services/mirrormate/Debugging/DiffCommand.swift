import Contracts
import EventSourcing
import History
import JSON
import Primitives
import Replay
import Runtime
import quota

/// `mirrormate diff` and `mirrormate explain`: what changed, field by field, and the event that did it.
@Loop struct DiffCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    /// What changed between two moments; 1 when something did.
    func diff() async throws -> ExitCode {
        if case .stream(let service, let stream) = arguments[Operands.place], arguments[Operands.key] == nil,
            logs.store(service).history.aggregate(of: stream) != nil
        {
            _ = try await logs.knownStream(stream, of: service)
        }
        let (name, changes) = try await changes(arguments[Operands.place], arguments[Operands.key])
        let bounds = try await bounds()
        if bounds.from > bounds.to {
            throw Failure.usage(
                "\(Self.text(arguments[Flags.from]) ?? "") comes after \(Self.text(arguments[Flags.to]) ?? "").",
                advice: "--from is the earlier one.")
        }
        if case .number(let number) = arguments[Flags.from], let end = changes.last?.order, number > end, !isReadModel {
            throw Failure.usage("\(name) has \(Format.count(Int(end), "version")).")
        }
        let between = changes.filter { $0.order > bounds.from && $0.order <= bounds.to }
        if arguments[Flags.json] {
            console.answer(document(name, between))
            return between.isEmpty ? .success : .failure
        }
        let fields = between.flatMap(\.fields)
        console.print(
            "\(name): \(Format.count(fields.count, "change")) by \(Format.count(between.count, "event")) from "
                + "\(Self.text(arguments[Flags.from]) ?? "the start") to \(Self.text(arguments[Flags.to]) ?? "now")")
        show(between)
        return between.isEmpty ? .success : .failure
    }

    /// The events behind a row or a field of it.
    func explain() async throws -> ExitCode {
        if case .quota = arguments[Operands.explained] { return try await explainQuota() }
        if case .streak = arguments[Operands.explained] {
            return try await StreakCommand(arguments, logs, console).run()
        }
        if case .progress = arguments[Operands.explained] {
            return try await ProgressCommand(arguments, logs, console).run()
        }
        if case .goal = arguments[Operands.explained] {
            return try await GoalCommand(arguments, logs, console).run()
        }
        if case .webhooks = arguments[Operands.explained] {
            return try await WebhooksCommand(arguments, logs, console).run()
        }
        if let measure = arguments[Operands.measure] {
            throw Failure.usage("“\(measure)” was not expected: only behind progress stands a measure.")
        }
        let (name, all) = try await changes(arguments[Operands.explained], arguments[Operands.keyOrOwner])
        let field = arguments[Flags.field]
        let known = Set(all.flatMap(\.fields).map(\.name)).sorted()
        if let field, !all.isEmpty, !known.contains(field) {
            throw Failure.unknown("No event has set a field \(field) of \(name)", field, among: known)
        }
        let changes = all.filter { change in field == nil || change.fields.contains { $0.name == field } }
        if arguments[Flags.json] {
            console.answer(document(name, changes))
            return changes.isEmpty ? .failure : .success
        }
        guard let last = changes.last else {
            console.print("\(name)\(field.map { ", \($0)" } ?? ""): no event has to do with it")
            return .failure
        }
        let value = field.flatMap { field in last.fields.first { $0.name == field } }.map {
            "\(name): \($0.name) is \(Format.value($0.after)), set by \(last.event.type.name) at position "
                + "\(last.event.position)"
        }
        console.print(value ?? "\(name): made by \(Format.count(changes.count, "event"))")
        show(changes, only: field)
        return .success
    }

    /// An owner's allowance in words.
    private func explainQuota() async throws -> ExitCode {
        let owner = try await logs.owner(
            arguments[Operands.keyOrOwner], usage: "mirrormate explain quota OWNER")
        let store = logs.store(.quota)
        let events = try await store.stream(Allowance.stream(owner))
        let lines = try events.map { ($0, try store.history.words($0) ?? $0.type.name) }
        let now = Allowance.fold(try events.map { try $0.decoded(as: QuotaEvent.self) }).entitlement(at: .now())
        if arguments[Flags.json] {
            let steps = lines.map { event, words -> JSONValue in
                [
                    "position": .int(event.position), "recordedAt": .time(event.recordedAt),
                    "type": .string(event.type.description), "words": .string(words),
                ]
            }
            console.answer(
                .object(["owner": .uuid(owner), "entitlement": .object(now.json), "decisions": .array(steps)]))
            return events.isEmpty ? .failure : .success
        }
        guard let last = lines.last else {
            console.print("\(owner) has never asked for anything.")
            return .failure
        }
        console.print("\(owner): \(Format.count(events.count, "decision")), the last one: \(last.1)")
        console.print("  now \(now.words)")
        for purchase in now.purchases { console.print("    \(purchase.words)") }
        for (event, words) in lines {
            let text = Chart.wrap(words, width: max(console.width, 100), indent: 34)
            console.print("  \(Format.moment(event.recordedAt))  \(Self.right(event.position))  \(text)")
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

    private func changes(_ place: HistoryPlace, _ key: String?) async throws -> (String, [Step]) {
        switch (place, key) {
        case (.readModel(let name), let word?):
            let (store, model) = logs.readModel(name)
            let key = try await logs.key(word, of: name)
            let changes = try await StateFold(store).changes(of: key, in: model, upTo: .max)
            return (
                "\(name) \(key)",
                changes.map { Step(event: $0.event, order: $0.event.position, fields: $0.fields) }
            )
        case (.stream(let service, let name), nil):
            let stream = try await logs.stream(name, of: service)
            return (HistoryPlace.stream(service, stream).description, try await steps(service, stream))
        default: throw place.misplaced(key)
        }
    }

    private func steps(_ service: ServiceName, _ stream: StreamName) async throws -> [Step] {
        let store = logs.store(service)
        guard let fold = store.history.aggregate(of: stream)?.open() else {
            throw ServiceLogs.noAggregate(service, stream)
        }
        var steps: [Step] = []
        var before = JSONValue.null
        for event in try await store.stream(stream) {
            try fold.apply(event)
            let after = fold.state
            steps.append(Step(event: event, order: event.version, fields: Difference.fields(before, after)))
            before = after
        }
        return steps
    }

    /// The bounds of `--from` and `--to` as positions (versions for aggregates); times are looked up.
    private func bounds() async throws -> (from: Int64, to: Int64) {
        (try await order(arguments[Flags.from]) ?? 0, try await order(arguments[Flags.to]) ?? .max)
    }

    private func order(_ point: HistoryPoint?) async throws -> Int64? {
        switch (point, arguments[Operands.place]) {
        case (nil, _), (_, .quota), (_, .streak), (_, .progress), (_, .goal), (_, .webhooks): return nil
        case (.number(let number), _): return number
        case (.moment(let moment), .readModel(let name)): return try await logs.store(name.service).position(at: moment)
        case (.moment(let moment), .stream(let service, let stream)):
            let whole = try await logs.stream(stream, of: service)
            return try await logs.store(service).stream(whole, at: moment).last?.version ?? 0
        }
    }

    private var isReadModel: Bool {
        if case .readModel = arguments[Operands.place] { true } else { false }
    }

    private static func text(_ point: HistoryPoint?) -> String? {
        switch point {
        case nil: nil
        case .number(let number): "\(number)"
        case .moment(let moment): Format.moment(moment)
        }
    }

    private func show(_ steps: [Step], only field: String? = nil) {
        for step in steps {
            console.print(
                "  \(console.style.dim(Format.moment(step.event.recordedAt)))  \(step.event.type.name), position "
                    + "\(step.event.position), version \(step.event.version)")
            for change in step.fields where field == nil || change.name == field {
                let name = change.name.isEmpty ? "state" : change.name
                console.print("      \(name): \(Format.value(change.before)) → \(Format.value(change.after))")
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
