import Contracts
import JSON
import Primitives
import Replay
import Runtime

/// `mirrormate parked`: what was set aside, and letting it go on.
@Loop struct ParkedCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    /// Shows all of them.
    func list() async throws -> ExitCode {
        var items: [ParkedList.Item] = []
        for store in logs.stores { items += try await ParkedList(store).items() }
        if arguments[Flags.json] {
            console.answer(.array(items.map(Self.json)))
            return items.isEmpty ? .success : .failure
        }
        let heads = items.filter { $0.reason != "successor" }.count
        console.print(
            items.isEmpty
                ? "Nothing is parked."
                : "\(Format.count(heads, "parked message")), \(items.count - heads) waiting behind them")
        if items.isEmpty { return .success }
        var table = Columns(["id", "type", "from", "key", "reason", "since", "state"])
        for item in items {
            table.add([
                "\(item.service.rawValue)/\(item.id)", item.type, "\(item.topic)[\(item.partition)]@\(item.offset)",
                item.key, item.reason, Format.moment(item.parkedAt),
                item.isDropped ? "dropped, not yet gone" : item.isReleased ? "released, not yet handled" : "",
            ])
        }
        console.print(table.paragraphs(console.style, within: console.room))
        return .failure
    }

    /// Shows one.
    func show() async throws -> ExitCode {
        let item = try await chosen().1
        if arguments[Flags.json] {
            console.answer(Self.json(item))
            return .success
        }
        console.print("\(item.service.rawValue)/\(item.id): \(item.type), set aside because of \(item.reason)")
        console.print("  message  \(item.identity) (\(item.topic)[\(item.partition)]@\(item.offset))")
        console.print("  key      \(item.key)")
        console.print("  since    \(Format.moment(item.parkedAt))")
        if item.attempts > 0 { console.print("  ended its process \(Format.count(Int(item.attempts), "time"))") }
        console.print(
            "Release it once its cause is gone: mirrormate parked release \(item.service.rawValue)/\(item.id)")
        return .success
    }

    /// Lets one be handled, or forgets it.
    func free(dropping: Bool) async throws -> ExitCode {
        let (store, item) = try await chosen()
        if dropping {
            try Confirmation.ask(
                "\(item.type) of \(item.key) will be discarded: its effect is then missing forever.", typing: "drop",
                arguments, console)
        }
        guard try await ParkedList(store).free(item.id, dropping: dropping, writer: try logs.writer(store)) else {
            throw Failure(
                .failure, "not-first", "\(store.service.rawValue)/\(item.id) is not the first of its key.",
                advice: "Release or drop the message before it; `mirrormate parked list` shows them in order.")
        }
        if arguments[Flags.json] {
            console.answer(["message": .string("\(store.service.rawValue)/\(item.id)"), "dropped": .bool(dropping)])
            return .success
        }
        console.print(
            dropping
                ? "\(store.service.rawValue)/\(item.id) will be dropped; what waits behind it goes on"
                : "\(store.service.rawValue)/\(item.id) and, in order, what waits behind it will be handled")
        return .success
    }

    private func chosen() async throws -> (HistoryStore, ParkedList.Item) {
        let wanted = arguments[Operands.parkedMessage]
        let store = logs.store(wanted.service)
        guard let item = try await ParkedList(store).items().first(where: { $0.id == wanted.id }) else {
            throw Failure(
                .failure, "not-parked", "\(wanted) is not parked.",
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

/// Names a message that was set aside: `quota/1`.
struct ParkedMessage: Sendable, CustomStringConvertible {
    let service: ServiceName
    let id: Int64

    var description: String { "\(service.rawValue)/\(id)" }
}

extension ValueType where Value == ParkedMessage {
    /// A message that was set aside, by `SERVICE/NUMBER`.
    static var parkedMessage: Self {
        Self("MESSAGE", expected: "of the form SERVICE/NUMBER, such as quota/1") { word in
            let parts = word.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let service = ServiceName(rawValue: String(parts[0])), let id = Int64(parts[1])
            else { return nil }
            return ParkedMessage(service: service, id: id)
        }
    }
}
