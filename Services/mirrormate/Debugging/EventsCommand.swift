import Contracts
import EventSourcing
import History
import JSON
import Postgres
import Primitives
import Replay
import Runtime

/// `mirrormate events SERVICE`: the log itself.
@Loop struct EventsCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        let store = logs.store(arguments[Operands.service])
        var condition = "position >= $1"
        var parameters: [PostgresValue] = [.int(try await start(in: store) ?? 1)]
        if let name = arguments[Flags.stream] {
            let stream = try await logs.knownStream(StreamName(rawValue: name), of: store.service)
            parameters.append(.text("\(stream)"))
            condition += " and stream = $\(parameters.count)"
        }
        if let type = arguments[Flags.type] {
            let known = try await store.types()
            guard known.contains(type) else {
                throw Failure.unknown(
                    "The log of \(store.service.rawValue) has no events of type \(type)", type, among: known)
            }
            parameters.append(.text(type))
            condition += " and type = $\(parameters.count)"
        }
        // Without a place to begin at, people want to see the end.
        let isTail = arguments[Flags.from] == nil && arguments[Flags.since] == nil
        var events = try await store.events(
            where: condition, parameters, limit: arguments[Flags.limit], descending: isTail)
        if isTail { events.reverse() }
        let head = try await store.head()
        if arguments[Flags.json] {
            let document: JSONValue = [
                "service": .string(store.service.rawValue), "head": .int(head),
                "events": .array(try events.map { try EventText.json($0, with: arguments[Flags.data]) }),
            ]
            console.answer(document)
            return .success
        }
        console.print("\(store.service.rawValue): \(Format.count(events.count, "event")) of \(head) in the log")
        if events.isEmpty { return .success }
        console.print(table(of: events).text(console.style, within: arguments[Flags.data] ? nil : console.room))
        return .success
    }

    /// A line for each event. The stream is last, where it may give way to the width: its first digits are enough.
    private func table(of events: [RecordedEvent]) -> Columns {
        var table = Columns(["pos", "time", "type", "version", "stream"], right: [0, 3])
        for event in events {
            table.add([
                "\(event.position)", Format.moment(event.recordedAt), "\(event.type)", "\(event.version)",
                "\(event.stream)",
            ])
            if arguments[Flags.data] {
                table.add(["", "", "", "", String(decoding: event.data, as: UTF8.self)])
            }
        }
        return table
    }

    /// The position to begin at, or nil.
    private func start(in store: HistoryStore) async throws -> Int64? {
        switch arguments[Flags.from] ?? arguments[Flags.since].map(HistoryPoint.moment) {
        case nil: nil
        case .number(let number): number
        case .moment(let moment): try await store.position(at: moment) + 1
        }
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
