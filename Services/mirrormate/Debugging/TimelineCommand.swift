import Contracts
import EventSourcing
import History
import JSON
import Primitives
import Replay
import Runtime

/// `mirrormate timeline ID`: all that happened to a session, a user or an event's case, across services.
@Loop struct TimelineCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        let id = try await logs.id(arguments[Operands.subject])
        var timeline = try await TimelineTracer(logs.stores).trace(id)
        guard !timeline.events.isEmpty else {
            throw Failure(
                .configuration, "unknown-id", "Nothing in any log is about \(id).",
                advice: "Ids are in the answers of the API and in `mirrormate events SERVICE`.")
        }
        if arguments[Flags.states] { timeline = try await TimelineStates(logs.stores).added(to: timeline) }
        if arguments[Flags.json] {
            console.answer(try document(timeline))
        } else {
            console.print(title(timeline, id))
            console.print(lines(timeline.events, asides(timeline), header: true))
            for gap in timeline.gaps { console.print("\(console.style.red("✗")) \(gap.description)") }
        }
        if arguments[Flags.follow] { try await follow(id, timeline) }
        return timeline.gaps.isEmpty ? .success : .failure
    }

    /// Shows what is added, until somebody ends it.
    private func follow(_ id: UUID, _ first: Timeline) async throws {
        var shown = Set(first.events.map(\.place))
        while !Task.isCancelled {
            try await Loop.sleep(for: .milliseconds(500))
            var timeline = try await TimelineTracer(logs.stores).trace(id)
            let new = timeline.events.filter { !shown.contains($0.place) }
            if new.isEmpty { continue }
            if arguments[Flags.states] {
                timeline = try await TimelineStates(logs.stores).added(to: timeline)
            }
            let places = Set(new.map(\.place))
            let steps = timeline.events.filter { places.contains($0.place) }
            if arguments[Flags.json] {
                for step in steps { console.answer(try json(step), onOneLine: true) }
            } else {
                console.print(lines(steps, [], header: false))
            }
            shown.formUnion(places)
        }
    }

    private func title(_ timeline: Timeline, _ id: UUID) -> String {
        let services = Set(timeline.events.map(\.place.service)).count
        let times = timeline.events.map(\.event.recordedAt)
        let length = (times.max() ?? .epoch) - (times.min() ?? .epoch)
        let missing = timeline.gaps.isEmpty ? "nothing is missing" : Format.count(timeline.gaps.count, "missing link")
        return
            "\(id): \(Format.count(timeline.events.count, "event")) in \(Format.count(services, "service")) over "
            + "\(Format.length(length)), \(missing)"
    }

    /// What happened besides the case's own events.
    private struct Aside {
        let at: Timestamp
        let service: ServiceName
        let what: String
        let words: String
    }

    /// All of a timeline, in the order of time.
    private func asides(_ timeline: Timeline) -> [Aside] {
        let outages = timeline.outages.map { outage in
            let end = outage.until.map { "until \(Format.clock($0))" } ?? "until now"
            return Aside(
                at: outage.from, service: outage.service, what: "(did not run)", words: "\(end); \(outage.how)")
        }
        let changes = (timeline.publishing + timeline.upkeep).map {
            Aside(
                at: $0.at, service: $0.service, what: "(\($0.kind.rawValue.replacing("-", with: " ")))", words: $0.words
            )
        }
        return (outages + changes).sorted { $0.at < $1.at }
    }

    private func lines(_ steps: [TimelineEvent], _ asides: [Aside], header: Bool) -> String {
        var table = Columns(["time (UTC)", "service", "pos", "event", "answers", "after", ""], right: [2, 5])
        var asides = asides[...]
        func tell(before moment: Timestamp?) {
            while let aside = asides.first, moment.map({ aside.at <= $0 }) ?? true {
                table.add([
                    Format.clock(aside.at), aside.service.rawValue, "", aside.what, "", "", aside.words,
                ])
                asides.removeFirst()
            }
        }
        for step in steps {
            tell(before: step.event.recordedAt)
            table.add([
                Format.clock(step.event.recordedAt), step.place.service.rawValue, "\(step.place.position)",
                "\(step.event.type.name)", step.cause?.description ?? "", step.lateness.map(Format.length) ?? "",
                step.words ?? "",
            ])
            if arguments[Flags.data] {
                table.add(["", "", "", "", "", "", String(decoding: step.event.data, as: UTF8.self)])
            }
            if let state = step.state { table.add(["", "", "", "", "", "", "→ \(Format.value(state))"]) }
        }
        tell(before: nil)
        // What was asked for by name is shown whole.
        let isWhole = arguments[Flags.data] || arguments[Flags.states]
        let text = table.text(console.style, within: isWhole ? nil : console.room)
        return header ? text : String(text.drop { $0 != "\n" }.dropFirst())
    }

    private func document(_ timeline: Timeline) throws -> JSONValue {
        [
            "events": .array(try timeline.events.map(json)),
            "missing": .array(
                timeline.gaps.map { ["code": .string($0.code), "description": .string($0.description)] }),
            "outages": .array(
                timeline.outages.map {
                    [
                        "service": .string($0.service.rawValue), "from": .time($0.from),
                        "until": $0.until.map(JSONValue.time) ?? .null, "ending": .string($0.ending.rawValue),
                    ]
                }),
            "publishing": .array(timeline.publishing.map(\.document)),
            "upkeep": .array(timeline.upkeep.map(\.document)),
        ]
    }

    private func json(_ step: TimelineEvent) throws -> JSONValue {
        guard case .object(var object) = try EventText.json(step.event, with: arguments[Flags.data])
        else { return .null }
        object["service"] = .string(step.place.service.rawValue)
        object["cause"] = .optional(step.cause?.description)
        object["lateMs"] = .optional(step.lateness?.milliseconds)
        if let words = step.words { object["words"] = .string(words) }
        if let state = step.state { object["state"] = state }
        return .object(object)
    }
}

extension ServiceChange {
    /// For programs.
    var document: JSONValue {
        [
            "service": .string(service.rawValue), "kind": .string(kind.rawValue), "at": .time(at),
            "words": .string(words),
        ]
    }
}
