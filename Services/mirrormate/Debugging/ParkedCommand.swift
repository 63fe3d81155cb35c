import Contracts
import JSON
import Primitives
import Replay
import Runtime

/// `mirrormate parked`: what was set aside, and letting it go on.
@Loop struct ParkedCommand {
    private let arguments: Arguments
    private let desk: Desk
    private let console: Console

    init(_ arguments: Arguments, _ desk: Desk, _ console: Console) {
        self.arguments = arguments
        self.desk = desk
        self.console = console
    }

    func run() async throws -> ExitCode {
        switch arguments.operands.first ?? "list" {
        case "list": return try await list()
        case "show": return try await show(try await chosen().1)
        case "release": return try await free(dropping: false)
        case "drop": return try await free(dropping: true)
        case let word: throw Arguments.usage("There is no `parked \(word)`: it is list, show, release or drop.")
        }
    }

    private func list() async throws -> ExitCode {
        var items: [ParkedList.Item] = []
        for store in desk.stores { items += try await ParkedList(store).items() }
        if arguments.flags.contains("--json") {
            console.print(JSONValue.array(items.map(Self.json)).prettyText)
            return items.isEmpty ? .success : .failure
        }
        let heads = items.filter { $0.reason != "successor" }.count
        console.print(
            items.isEmpty
                ? "Nothing is parked."
                : "\(Words.count(heads, "parked message")), \(items.count - heads) waiting behind them")
        if items.isEmpty { return .success }
        var table = Table(["id", "type", "from", "key", "reason", "since", ""])
        for item in items {
            table.add([
                "\(item.service.rawValue)/\(item.id)", item.type, "\(item.topic)[\(item.partition)]@\(item.offset)",
                item.key, item.reason, Words.moment(item.parkedAt),
                item.isDropped ? "dropped, not yet gone" : item.isReleased ? "released, not yet handled" : "",
            ])
        }
        console.print(table.text(console.style))
        return .failure
    }

    private func show(_ item: ParkedList.Item) async throws -> ExitCode {
        if arguments.flags.contains("--json") {
            console.print(Self.json(item).prettyText)
            return .success
        }
        console.print("\(item.service.rawValue)/\(item.id): \(item.type), set aside because of \(item.reason)")
        console.print("  message  \(item.identity) (\(item.topic)[\(item.partition)]@\(item.offset))")
        console.print("  key      \(item.key)")
        console.print("  since    \(Words.moment(item.parkedAt))")
        if item.attempts > 0 { console.print("  ended its process \(Words.count(Int(item.attempts), "time"))") }
        console.print(
            "Release it once its cause is gone: mirrormate parked release \(item.service.rawValue)/\(item.id)")
        return .success
    }

    private func free(dropping: Bool) async throws -> ExitCode {
        let (store, item) = try await chosen()
        guard try await ParkedList(store).free(item.id, dropping: dropping, writer: try desk.writer(store)) else {
            throw Failure(
                .failure, "not-first", "\(store.service.rawValue)/\(item.id) is not the first of its key.",
                advice: "Release or drop the message before it; `mirrormate parked list` shows them in order.")
        }
        console.print(
            dropping
                ? "\(store.service.rawValue)/\(item.id) will be dropped; what waits behind it goes on"
                : "\(store.service.rawValue)/\(item.id) and, in order, what waits behind it will be handled")
        return .success
    }

    private func chosen() async throws -> (HistoryStore, ParkedList.Item) {
        guard arguments.operands.count == 2 else { throw Arguments.usage("Name one message, such as quota/1.") }
        let parts = arguments.operands[1].split(separator: "/")
        guard parts.count == 2, let id = Int64(parts[1]) else {
            throw Arguments.usage("\(arguments.operands[1]) is not of the form SERVICE/NUMBER.")
        }
        let store = try desk.store(parts[0])
        guard let item = try await ParkedList(store).items().first(where: { $0.id == id }) else {
            throw Failure(
                .failure, "not-parked", "\(arguments.operands[1]) is not parked.",
                advice: "`mirrormate parked list` shows what is.")
        }
        return (store, item)
    }

    private static func json(_ item: ParkedList.Item) -> JSONValue {
        [
            "service": .string(item.service.rawValue), "id": .int(item.id), "topic": .string(item.topic),
            "partition": .int(Int64(item.partition)), "offset": .int(item.offset), "key": .string(item.key),
            "identity": .string(item.identity), "type": .string(item.type), "reason": .string(item.reason),
            "parkedAt": .time(item.parkedAt), "released": .bool(item.isReleased), "dropped": .bool(item.isDropped),
            "attempts": .int(item.attempts),
        ]
    }
}
