import Contracts
import JSON
import Postgres
import Primitives
import Replay
import Runtime

/// `mirrormate sessions list`: which sessions there are, the newest first.
@Loop struct SessionListCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        var owner: UUID?
        if let name = arguments[Operands.optionalOwner] { owner = try await logs.id(name) }
        let limit = arguments[Flags.limit]
        // One more than is shown says whether there are others.
        let found = try await logs.store(.sessions).pool.query(
            """
            select key, kind, status, coalesce(error_code, refusal->>'code', ''), created_at, updated_at, owner_id
            from session_list
            where owner_id = coalesce($1::uuid, owner_id) and status = coalesce($2::text, status)
              and created_at >= coalesce($3::timestamptz, '-infinity')
            order by created_at desc, key desc limit $4
            """,
            [
                .optional(owner) { .uuid($0) },
                .optional(arguments[Flags.status]) { .text($0) },
                .optional(arguments[Flags.since]) { .time($0) }, .int(Int64(limit + 1)),
            ]
        ).rows.map {
            ListedSession(
                id: $0.text(0), kind: $0.text(1), status: $0.text(2), code: $0.text(3), createdAt: $0.time(4),
                updatedAt: $0.time(5), owner: $0.uuid(6))
        }
        let (sessions, areMore) = (Array(found.prefix(limit)), found.count > limit)
        if arguments[Flags.json] {
            console.answer(["sessions": .array(sessions.map(\.document)), "more": .bool(areMore)])
            return .success
        }
        if sessions.isEmpty {
            console.print("No session is like that.")
            return .success
        }
        console.print(ListedSession.table(sessions, within: console.room).text(console.style, within: console.room))
        if areMore {
            console.note("There are more: --limit \(limit * 2) shows twice as many, --since TIME the last ones.")
        }
        return .success
    }
}

/// A session, as the list of all sessions has it.
struct ListedSession {
    let id: String
    let kind: String
    let status: String
    /// Why it failed or was refused; empty where it was neither.
    let code: String
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let owner: UUID

    /// For programs.
    var document: JSONValue {
        [
            "id": .string(id), "kind": .string(kind), "status": .string(status),
            "code": code.isEmpty ? .null : .string(code), "createdAt": .time(createdAt),
            "updatedAt": .time(updatedAt), "owner": .uuid(owner),
        ]
    }

    /// A line for each; where that is too wide, moments to the minute and ids by their first digits, which every command
    /// understands as well.
    ///
    /// - Parameter room: how many characters a line may have; nil for as many as there are.
    static func table(_ sessions: [ListedSession], within room: Int?) -> Columns {
        let whole = table(sessions, digits: 36, moment: Format.moment)
        guard let room, whole.width > room else { return whole }
        return table(sessions, digits: 13) { String(Format.moment($0).prefix(16)) }
    }

    private static func table(
        _ sessions: [ListedSession], digits: Int, moment: (Timestamp) -> String
    ) -> Columns {
        var table = Columns(["session", "kind", "status", "created", "took", "owner"])
        for one in sessions {
            table.add([
                String(one.id.prefix(digits)), one.kind,
                [one.status, one.code].filter { !$0.isEmpty }.joined(separator: ": "), moment(one.createdAt),
                Format.length(one.updatedAt - one.createdAt), String(one.owner.description.prefix(digits)),
            ])
        }
        return table
    }
}
