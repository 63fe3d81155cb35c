import Contracts
import EventSourcing
import JSON
import Postgres
import Primitives
import Replay
import Runtime

/// `mirrormate events SERVICE`: the log itself.
@Loop struct EventsCommand {
    private let arguments: Arguments
    private let desk: Desk
    private let console: Console

    init(_ arguments: Arguments, _ desk: Desk, _ console: Console) {
        self.arguments = arguments
        self.desk = desk
        self.console = console
    }

    func run() async throws -> ExitCode {
        let store = try desk.store(try arguments.operand("service"))
        let limit = try arguments.number("--limit", in: 1...1_000_000) ?? 50
        let from = try arguments.position("--from")
        let since = try arguments.moment("--since")
        var condition = "position >= $1"
        var parameters: [PostgresValue] = [.int(from ?? 1)]
        if let since {
            let start = try await store.position(at: since) + 1
            parameters[0] = .int(max(start, from ?? 1))
        }
        if let stream = arguments.values["--stream"] {
            parameters.append(.text(stream))
            condition += " and stream = $\(parameters.count)"
        }
        if let type = arguments.values["--type"] {
            parameters.append(.text(type))
            condition += " and type = $\(parameters.count)"
        }
        // Without a place to begin at, people want to see the end.
        let isTail = from == nil && since == nil
        var events = try await store.events(where: condition, parameters, limit: limit, descending: isTail)
        if isTail { events.reverse() }
        let head = try await store.head()
        if arguments.flags.contains("--json") {
            let document: JSONValue = [
                "service": .string(store.service.rawValue), "head": .int(head),
                "events": .array(try events.map { try EventText.json($0, with: arguments.flags.contains("--data")) }),
            ]
            console.print(document.prettyText)
            return .success
        }
        console.print("\(store.service.rawValue): \(Words.count(events.count, "event")) of \(head) in the log")
        if events.isEmpty { return .success }
        var table = Table(["pos", "time", "type", "stream", "version"], right: [0])
        for event in events {
            table.add([
                "\(event.position)", Words.moment(event.recordedAt), "\(event.type)", "\(event.stream)",
                "\(event.version)",
            ])
            if arguments.flags.contains("--data") {
                table.add(["", "", String(decoding: event.data, as: UTF8.self), "", ""])
            }
        }
        console.print(table.text(console.style))
        return .success
    }
}

/// Events as documents.
enum EventText {
    static func json(_ event: RecordedEvent, with data: Bool) throws -> JSONValue {
        var object: JSONObject = [
            "position": .int(event.position), "id": .uuid(event.id), "type": .string(event.type.description),
            "stream": .string(event.stream.description), "version": .int(event.version),
            "recordedAt": .time(event.recordedAt), "metadata": .object(event.metadata.json),
        ]
        if data { object["data"] = .object(try JSONObject.parse(event.data)) }
        return .object(object)
    }
}
