import Contracts
import JSON
import Postgres
import Primitives
import Replay
import Runtime

/// `mirrormate keys list`: the keys that sign access tokens, as identity's log has them; never what is secret of them.
@Loop struct KeyListCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        let rows = try await logs.store(.identity).pool.query(
            """
            select data ->> 'kid', max((data ->> 'notBefore')::timestamptz), max((data ->> 'expiresAt')::timestamptz),
                max((data ->> 'retiredAt')::timestamptz)
            from events where type in ('SigningKeyPublished', 'SigningKeyRetired')
            group by 1 having bool_or(type = 'SigningKeyPublished') order by 2
            """
        ).rows
        let keys = rows.map {
            ListedKey(
                id: $0.text(0), notBefore: $0.time(1), expiresAt: $0.time(2),
                retiredAt: $0.optional(3, PostgresRow.time))
        }
        let states = ListedKey.states(keys, at: .now())
        if arguments[Flags.json] {
            let items = zip(keys, states).map { key, state -> JSONValue in
                [
                    "kid": .string(key.id), "state": .string(state.rawValue), "notBefore": .time(key.notBefore),
                    "expiresAt": .time(key.expiresAt), "retiredAt": key.retiredAt.map(JSONValue.time) ?? .null,
                ]
            }
            console.answer(["keys": .array(items)])
            return .success
        }
        if keys.isEmpty {
            console.print("No key has signed anything yet.")
            return .success
        }
        var table = Columns(["key", "state", "signs from", "expires", "retired"])
        for (key, state) in zip(keys, states) {
            table.add([
                key.id, state.words, Format.moment(key.notBefore), Format.moment(key.expiresAt),
                key.retiredAt.map(Format.moment) ?? "",
            ])
        }
        console.print(table.paragraphs(console.style, within: console.room))
        return .success
    }
}

/// A signing key, as the log tells of it.
struct ListedKey: Equatable {
    let id: String
    let notBefore: Timestamp
    let expiresAt: Timestamp
    let retiredAt: Timestamp?

    /// What a key is good for.
    enum State: String {
        case next
        case signs
        case believed
        case over

        var words: String {
            switch self {
            case .next: "signs next"
            case .signs: "signs"
            case .believed: "is believed"
            case .over: "over"
            }
        }
    }

    /// The states of keys in the order of their beginning: the last that has begun signs, earlier ones are believed until they end.
    static func states(_ keys: [ListedKey], at now: Timestamp) -> [State] {
        func isOver(_ key: ListedKey) -> Bool { key.retiredAt != nil || key.expiresAt <= now }
        let signing = keys.last { !isOver($0) && $0.notBefore <= now }
        return keys.map { key in
            if isOver(key) { return .over }
            if key.notBefore > now { return .next }
            return key == signing ? .signs : .believed
        }
    }
}
